"""A query's text comes in; what it reads and puts out goes out, without a tree."""
