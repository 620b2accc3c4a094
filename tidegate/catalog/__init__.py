"""Facts as data: functions, keywords, and the codes of faults and losses.

Nothing comes in. Tables go out: what the documentation and the engines say, for every room above.
"""
