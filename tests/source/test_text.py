"""Offsets and the lines they stand in."""

import random

from tidegate.source.text import LineIndex


def test_lines_are_found_alike_by_counting_and_by_listing():
    chance = random.Random(3)
    for _ in range(300):
        text = "".join(chance.choices("ab\n\r", k=chance.randint(0, 30)))
        starts = [0, *(at + 1 for at, char in enumerate(text) if char == "\n")]
        counting, listing = LineIndex(text), LineIndex(text)
        assert len(listing) == len(starts)
        assert [listing.start_of(line + 1) for line in range(len(starts))] == starts
        for offset in range(len(text) + 1):
            line = sum(start <= offset for start in starts)
            place = (line, offset - starts[line - 1] + 1)
            assert counting.locate(offset) == listing.locate(offset) == place
