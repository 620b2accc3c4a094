"""One module per target: a plan comes in, files as text and named losses go out."""
