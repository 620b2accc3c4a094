"""Findings, statements and outcomes come in; text for people and JSON for programs go out.

One renderer per file. Nothing here reads a file or decides an exit code.
"""
