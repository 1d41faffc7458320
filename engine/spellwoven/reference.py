"""The figures of Spellwoven's rules in short, for the sentences in ``templates/spellwoven/reference.yaml``."""

from __future__ import annotations

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.reference import Figures, Reference, read_reference
from loomtable.engine.kernel.wording import how_many, number_word
from loomtable.engine.spellwoven.armoury import Proximity, shields
from loomtable.engine.spellwoven.attribute_tests import DICE, successes_of
from loomtable.engine.spellwoven.levels import LEVELS, MOST_SOAK, severity_of
from loomtable.engine.spellwoven.state import AID_INTERVAL, AID_REST, COOPERATION_COST, Activity
from loomtable.engine.spellwoven.strike import EVASION_SLOTS
from loomtable.engine.spellwoven.system import SPELLWOVEN

FILE = package_file("templates", "spellwoven", "reference.yaml")


def figures() -> Figures:
    """What the engine knows of what the card and the screen say."""
    wounds = tuple((str(n), severity_of(n).label) for n in range(len(LEVELS)))
    gravest = severity_of(len(LEVELS)).label
    return {
        "dice": number_word(DICE).capitalize(),
        "ones": number_word(successes_of((1,), 1)),
        "cooperation": COOPERATION_COST,
        "distances": ", ".join(proximity.label for proximity in Proximity),
        "wounds": (*wounds, (f"{len(LEVELS)} or more", gravest)),
        "short_wounds": (*wounds, (f"{len(LEVELS)}+", gravest)),
        "shields": ", ".join(f"{shield.size.value} {shield.soak}" for shield in shields().values()),
        "most_soak": MOST_SOAK,
        "slots": number_word(EVASION_SLOTS),
        "aid_interval": AID_INTERVAL,
        "aid_rest": how_many(AID_REST, "hour", "hours"),
        "rest": tuple((activity.value.replace("-", " "), f"{activity.days} days") for activity in Activity),
    }


@SPELLWOVEN.reference
def spellwoven_reference() -> Reference:
    """Spellwoven: tests, the round, wounds, healing."""
    return read_reference(FILE, figures())
