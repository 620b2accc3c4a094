"""Tidegate: understands, checks and runs the expectations of pipeline SQL."""

__version__ = "0.1.0"
