"""Text comes in; typed statements with exact spans, and faults, go out.

``lakeflow.lark`` is the single written truth of the syntax. Parsing never raises: what cannot be
read is a broken statement with a fault, and harms no other.
"""
