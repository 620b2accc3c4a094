"""A bound pipeline comes in; findings with fixes, and counts of what was judged, go out.

One rule, one file, under ``rules/``. A generated index says what each rule looks for, so that only
rules that can fire are imported.
"""
