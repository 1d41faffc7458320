"""What the networks take and what they answer: sizes and orders, which need no PyTorch to be known."""

from __future__ import annotations

from loomtable.vision.die_kinds import KINDS as DICE

KINDS = ("none", *(kind.value for kind in DICE))
"""Order of the reader's ``kind`` logits; "none" is no die, or not the middle of one."""
PIPS = 6
NUMERALS = 21
"""Numerals 0 to 20: a d100's is its tens digit."""
EMBEDDING = 64
CROP = 96
"""Side of the readers' crops, px."""
STRIDE = 8
"""Input pixels to one cell of the detector's answer."""
