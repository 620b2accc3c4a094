"""A typed tree comes in; canonical SQL goes out, which reads as the same tree."""
