"""The keys of the table's pages, written once: for the help page, its tests and the documentation."""

from __future__ import annotations

SHORTCUTS: tuple[tuple[str, str], ...] = (
    ("?", "this help"),
    ("u", "undo what was done last"),
    ("r", "roll for me: also flips, draws or picks"),
    ("a", "take what the camera read"),
    ("0 to 9", "take that choice"),
    ("j", "the journal"),
    ("t", "back to the table"),
    ("Esc", "put a result or a hand-out away; leave a form without doing anything"),
)
"""Each key, and what it does."""
