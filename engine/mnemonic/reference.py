"""The rules of Mnemonic in short, in our own words.

Every figure that the engine knows is taken from the engine, so that no card can say anything else.
"""

from __future__ import annotations

from loomtable.engine.kernel.poker import Suit as CardSuit
from loomtable.engine.kernel.reference import Block, Reference
from loomtable.engine.mnemonic.almanac import band_of
from loomtable.engine.mnemonic.state import MEANINGS, TRUTH_RATING
from loomtable.engine.mnemonic.system import MNEMONIC
from loomtable.engine.mnemonic.uses import CLEAN, LEARNED
from loomtable.engine.mnemonic.weaving import INJURING


def _learned() -> tuple[tuple[str, str], ...]:
    """What each face brings when a skill is learned, faces of the same outcome together (MN-7)."""
    faces: dict[str, list[int]] = {}
    for face, (rating, complicated) in LEARNED.items():
        after = ", complicated" if complicated else ", the suit is injured" if face == CLEAN else ""
        faces.setdefault(f"rating {rating}{after}", []).append(face)
    return tuple(("-".join(str(face) for face in some), words) for words, some in faces.items())


@MNEMONIC.reference
def mnemonic_reference() -> Reference:
    """Mnemonic: skills, weavings, scenes."""
    suits = tuple((suit.label, MEANINGS[suit]) for suit in CardSuit)
    bands: dict[str, list[int]] = {}
    for face in range(1, 7):
        bands.setdefault(band_of(face).label, []).append(face)
    notes = {band.label: "the suit is injured" for band in INJURING}
    weaving = tuple(
        (
            "-".join(str(f) for f in (faces if len(faces) == 1 else (faces[0], faces[-1]))),
            name,
            notes.get(name, ""),
        )
        for name, faces in bands.items()
    )
    return Reference(
        (
            Block("Suits", "MN-1", table=suits, bare=True),
            Block(
                "Using a skill",
                "MN-3, MN-4",
                "A card says the suit. Roll as many dice as the skill's rating and keep the highest: a 6 is "
                "clean; anything "
                "else works too, but the skill is complicated, and locked until that is mended.",
            ),
            Block("Learning from it", "MN-6", "Nothing but ones and sixes: the rating rises by 1."),
            Block(
                "Weaving",
                "MN-5",
                "Somebody else chooses a weaving die and rolls one die. The complication goes in any case.",
                table=(("Die", "It comes out as", ""), *weaving),
            ),
        ),
        (
            Block(
                "A new skill",
                "MN-7",
                "Name it and roll a die.",
                table=_learned(),
                bare=True,
            ),
            Block(
                "Group scene",
                "MN-12",
                "A die against you for each complication. Everybody rolls a skill and keeps the highest. The "
                "highest die of "
                "all is yours: all complications are gone. Theirs: every suit that was used is injured. "
                "Shared: neither.",
            ),
            Block(
                "A moment alone",
                "MN-13",
                "With a card of an injured suit, a die: it heals. On a 1 you miss the next group scene; on a "
                "6 a skill of "
                "that suit rises by 1 and has a new name.",
            ),
            Block(
                "Universal truth",
                "MN-8",
                f"A skill at {TRUTH_RATING} may be marked, if you play with truths, and be asked for in place "
                "of a weaving: 1 no help and an injury, 6 help and an injury.",
            ),
        ),
    )
