"""The children of a production come in; the nodes that they make go out."""
