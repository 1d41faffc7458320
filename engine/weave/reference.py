"""The rules of Weave in short, in our own words.

Every figure that the engine knows is taken from the engine, so that no card can say anything else.
"""

from __future__ import annotations

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.reference import Block, Reference
from loomtable.engine.kernel.wording import number_word
from loomtable.engine.weave.character import LEVEL_BONUSES
from loomtable.engine.weave.decks import CHALLENGE_LEVELS
from loomtable.engine.weave.mechanics import Band
from loomtable.engine.weave.rulings import PIP_FACES
from loomtable.engine.weave.rulings import RULINGS as WEAVE_RULINGS
from loomtable.engine.weave.state import BASE_POOL, HAND, MOST_WOUNDS, STRIKE_TRACK, TURN_ACTIONS
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE
from loomtable.engine.weave.tally import EPIC_MARGIN, LOWEST_LEVEL


def die_faces() -> tuple[tuple[str, str], ...]:
    """What the faces of an ordinary die mean in Weave, by our default (WV-17)."""
    faces = PIP_FACES[WEAVE_RULINGS["pip-faces"].default]
    return tuple((str(pip), face.capitalize()) for pip, face in enumerate(faces, start=1))


@WEAVE.reference
def weave_reference() -> Reference:
    """Weave: Challenges, Core Challenges, encounters, enticement."""
    levels = ", ".join(str(level) for level in CHALLENGE_LEVELS)
    suits = tuple((suit.label, suit.means) for suit in Suit)
    pips = " ".join(f"{pip} {name}" for pip, name in die_faces())
    return Reference(
        (
            Block("Suits", "WV-17", table=suits, bare=True),
            Block(
                "Challenge",
                "WV-17, WV-18",
                f"Roll {number_word(BASE_POOL)} dice, one more for each Backstory in the suit and one for the "
                "Core Suit, one less "
                "for each Wound. The suit and Weave are successes; dice that show Weave may be rolled again, "
                "as long as "
                "there are any. Every Strike that came up is marked.",
                table=(
                    ("Successes", "Outcome"),
                    (f"level + {EPIC_MARGIN} or more", "epic pass"),
                    ("the level or more", "pass"),
                    ("less", "fail"),
                    (f"level - {EPIC_MARGIN} or less", "epic fail: a Wound"),
                ),
            ),
            Block(
                "Level",
                "WV-17, WV-27",
                f"That of the card that was played ({levels}), or {LOWEST_LEVEL} where none fits. A Challenge "
                "card of the suit "
                f"that you kept lowers it by its own level, to no less than {LOWEST_LEVEL}.",
            ),
            Block(
                "Core Challenge",
                "WV-22",
                f"Level {LOWEST_LEVEL}, {number_word(BASE_POOL)} dice, {number_word(BASE_POOL + 1)} in your "
                "Core Suit. No Strikes, no cards. "
                "Several put themselves in order: successes, then dice of the suit itself.",
            ),
            Block("Ordinary dice", "WV-17", pips),
        ),
        (
            Block(
                "Strikes and Wounds",
                "WV-8, WV-9, WV-21",
                f"The {number_word(STRIKE_TRACK)}th Strike is a Wound, and the track begins again; it is "
                "cleared when a scene ends. "
                f"With {number_word(MOST_WOUNDS)} Wounds you are out until one is healed.",
            ),
            Block(
                "Mechanics",
                "WV-10, WV-12",
                table=(
                    ("Passive", "always on"),
                    ("Standard", "by a passed Challenge; Weave may be rolled again towards the Trigger"),
                    ("Lucky", "the same, and Strikes may be rolled again too"),
                    (
                        "Trigger",
                        "so many symbols of its suit beyond those that paid for the pass; Weave never counts",
                    ),
                    ("Signature", "once in an episode"),
                ),
                bare=True,
            ),
            Block(
                "Encounter",
                "WV-23, WV-25",
                f"{number_word(TURN_ACTIONS).capitalize()} actions a turn. A Talent takes a Core Challenge, "
                "an Asset a Challenge. Ranges: "
                f"{', '.join(band.value for band in Band)}; one action for each step.",
            ),
            Block(
                "Attack",
                "WV-24",
                f"Level: the target's bonus in the suit less yours, at least {LOWEST_LEVEL}. A pass deals a "
                "Strike, and another for "
                "each success beyond the level.",
            ),
            Block(
                "Enticement",
                "WV-26",
                "Give in to your Flaw: what you tried fails, nothing else happens, and the hidden card is "
                "yours to redeem. "
                "Resist: the card is turned, and its Challenge comes first.",
            ),
        ),
    )


def hand_in_words() -> str:
    """What a storyteller of Weave holds (WV-13)."""
    return f"{number_word(HAND[Kind.CHALLENGE])} Challenge cards and {number_word(HAND[Kind.STORY])} Story cards"


def level_rows() -> tuple[tuple[str, str], ...]:
    """What each level of Weave brings (WV-11)."""
    return tuple(
        (str(level), " and ".join(kind.label for kind in kinds)) for level, kinds in LEVEL_BONUSES.items()
    )
