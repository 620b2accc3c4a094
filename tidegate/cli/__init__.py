"""A command line comes in; results on stdout, all else on stderr, and an exit code go out."""
