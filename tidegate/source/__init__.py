"""Bytes come in; text with positions, edits, faults and diagnostics go out.

Nothing here knows SQL. Positions are half-open ranges of code point offsets into the whole file;
lines and columns are computed only when something is shown.
"""
