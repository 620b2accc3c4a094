"""One rule a file; the file, the class and the public name are the same words."""
