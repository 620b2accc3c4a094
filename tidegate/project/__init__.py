"""Paths, flags and configuration come in; findings, compiled files and outcomes go out.

The room that finds files, reads ``tidegate.toml`` and walks a pipeline through the rooms below.
"""
