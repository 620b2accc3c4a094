"""Bytes come in; text with positions, edits, faults and diagnostics go out.

Of notebooks and Python files the SQL goes out, with the way back; what it says is not known here.
Positions are half-open ranges of code point offsets into the whole file; lines and columns are
computed only when something is shown.
"""
