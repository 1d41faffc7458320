"""Emblems: a small picture beside each player's name, so that people find themselves at a glance; names stay."""

from __future__ import annotations

from collections.abc import Mapping

from loomtable.engine.kernel.session import Session

EMBLEMS = (
    "moth",
    "bell",
    "lantern",
    "root",
    "tide",
    "bread",
    "snow",
    "ink",
    "honey",
    "thread",
    "salt",
    "echo",
    "rust",
)
"""The pictures of ``templates/art/weaving-dice`` in the order in which they are given out."""


def emblems_of(session: Session[object], chosen: Mapping[str, str]) -> dict[str, str]:
    """The emblem of everybody who plays, under their own name and those of their figures.

    Args:
        session: whose people.
        chosen: what players have chosen, by their names; others get one by turn that nobody has.
    """
    people = session.system.people(session.game)
    own = {person: chosen[person] for person in people if person in chosen}
    for at, person in enumerate(people):
        turn = [EMBLEMS[(at + further) % len(EMBLEMS)] for further in range(len(EMBLEMS))]
        own.setdefault(person, next((emblem for emblem in turn if emblem not in own.values()), turn[0]))
    return {name: own[person] for person, figures in people.items() for name in (person, *figures)}
