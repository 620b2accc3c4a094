"""A parsed file comes in; the same statements in one layout go out, proved to be the same."""
