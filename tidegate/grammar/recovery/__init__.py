"""A statement that does not parse comes in; what it says all the same, and its faults, go out."""
