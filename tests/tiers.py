"""What ``make test`` leaves to ``make thorough``: more examples of a law that it has shown by others.

A law is always held by ``make test``; marked ``thorough`` is what repeats it on more sizes, games, seeds or
evenings, and what takes minutes to draw.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

from loomtable.engine.kernel.package_data import package_file

thorough = pytest.mark.thorough
"""Marks a test, or one of its examples, that only the thorough run takes."""

EVENINGS = sorted(path.stem for path in package_file("templates", "transcripts").glob("*.yaml"))
"""Every evening that travels with Loomtable."""
TELLING = frozenset(
    [
        "long-night",
        "mnemonic-game-face",
        "mnemonic-learning",
        "mnemonic-low-field-evening",
        "mnemonic-the-last-lamp",
        "mnemonic-tides-and-debts",
        "mnemonic-universal-truth",
        "spellwoven-barrow-road",
        "spellwoven-high-road",
        "spellwoven-infirmary",
        "spellwoven-nineteen-soaks",
        "spellwoven-outlaws",
        "spellwoven-parley",
        "spellwoven-the-nineteenth-piece",
        "spellwoven-two-guards",
        "storm-weavers-lantern-and-thread",
        "storm-weavers-ringers-word",
        "storm-weavers-the-axe-in-the-river",
        "storm-weavers-too-tired",
        "weave-alone",
        "weave-give-in",
        "weave-held-and-let-go",
        "weave-house-rules",
        "weave-second-episode",
        "weave-seventh-level",
        "weave-the-rope-and-the-minute",
        "weave-where-no-lamp-burns",
        "woven-an-empty-pool",
        "woven-five-at-the-table",
        "woven-nine-stones",
    ]
)
"""Evenings in which together every action of a transcript and every kind of question comes up."""


STEADY = os.environ.get("HYPOTHESIS_PROFILE", "steady") == "steady"
"""Whether this is the run of every day."""


def examples(few: int, many: int) -> settings:
    """So ``few`` examples of a law are tried in every run, and ``many`` where Hypothesis has another profile."""
    return settings(max_examples=few if STEADY else many, deadline=None)


def mostly(every: Iterable[Any], kept: Iterable[Any]) -> list[Any]:
    """The parameters of a test, of which all but ``kept`` wait for the thorough run.

    Each worker makes a test of each of them, so none is made that is left out.
    """
    kept = set(kept)
    return [one for one in every if one in kept] if STEADY else list(every)


def evenings(*beginning: str) -> list[Any]:
    """Every evening whose name begins so, all but the telling ones for the thorough run."""
    return mostly((name for name in EVENINGS if name.startswith(beginning or "")), TELLING)
