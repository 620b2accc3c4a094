"""A bound pipeline comes in; a plan, and from the plan the text of each target, go out.

The plan knows no target. A target is a pure function from plan to text that keeps the meaning or
names what it loses.
"""
