"""The figures of Weave's rules in short, for the sentences in ``templates/weave/reference.yaml``."""

from __future__ import annotations

from loomtable.engine.kernel.components import Kind
from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import Figures, Reference, read_reference
from loomtable.engine.kernel.wording import number_word
from loomtable.engine.weave.cards.decks import CHALLENGE_COPIES, CHALLENGE_LEVELS
from loomtable.engine.weave.cards.mechanics import RangeBand
from loomtable.engine.weave.cards.playset import IN_PLAY
from loomtable.engine.weave.challenge.tally import EPIC_MARGIN, LOWEST_LEVEL
from loomtable.engine.weave.rulings import PIP_FACES
from loomtable.engine.weave.rulings import RULINGS as WEAVE_RULINGS
from loomtable.engine.weave.state import BASE_POOL, HAND, MOST_WOUNDS, STRIKE_TRACK, TURN_ACTIONS
from loomtable.engine.weave.story.character import LEVEL_BONUSES
from loomtable.engine.weave.suits import Suit
from loomtable.engine.weave.system import WEAVE

FILE = package_file("templates", "weave", "reference.yaml")


def figures() -> Figures:
    """What the engine knows of what the card and the screen say; of the faces of a die, our default (WV-17)."""
    faces = tuple(
        (str(pip), face.capitalize())
        for pip, face in enumerate(PIP_FACES[WEAVE_RULINGS["pip-faces"].default], start=1)
    )
    challenges, stories = number_word(HAND[Kind.CHALLENGE]), number_word(HAND[Kind.STORY])
    return {
        "suits": tuple((suit.label, suit.means) for suit in Suit),
        "faces": faces,
        "pips": " ".join(f"{pip} {name}" for pip, name in faces),
        "pool": number_word(BASE_POOL),
        "core_pool": number_word(BASE_POOL + 1),
        "lowest": LOWEST_LEVEL,
        "levels": ", ".join(str(level) for level in CHALLENGE_LEVELS),
        "margin": EPIC_MARGIN,
        "track": number_word(STRIKE_TRACK),
        "wounds": number_word(MOST_WOUNDS),
        "actions": number_word(TURN_ACTIONS).capitalize(),
        "bands": ", ".join(band.value for band in RangeBand),
        "challenge_cards": len(Suit) * len(CHALLENGE_LEVELS) * CHALLENGE_COPIES,
        "hand": f"{challenges} Challenge cards and {stories} Story cards",
        "brings": ", ".join(kind.label for kind in IN_PLAY),
        "level_bonuses": tuple(
            (str(level), " and ".join(kind.label for kind in kinds)) for level, kinds in LEVEL_BONUSES.items()
        ),
    }


@WEAVE.reference
def weave_reference() -> Reference:
    """Weave: Challenges, Core Challenges, encounters, enticement."""
    return read_reference(FILE, figures())
