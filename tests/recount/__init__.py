"""Pipelines counted a second time, row by row in plain Python, against what a run reports."""
