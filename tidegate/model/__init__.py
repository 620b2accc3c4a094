"""Parsed files come in; one bound pipeline, its faults, and shared facts go out.

Here names are resolved, defaults are known, and the graph of datasets stands. What two rooms above
share lives here too: the verdict expressions, and the outcome of a run.
"""
