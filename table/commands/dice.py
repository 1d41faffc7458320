"""``loom dice``: what this machine has learned of dice from rolls that were confirmed at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from loomtable.table.commands.options import option
from loomtable.table.commands.output import AsJson, say, write_json


def dice(
    learn: Annotated[bool | None, option("--on/--off", "Learn from confirmed rolls, or stop learning.")] = None,
    forget: Annotated[bool, option("--forget", "Forget what was learned.")] = False,
    draw: Annotated[Path | None, option("--draw", "Save the learned pictures in this folder.", "FOLDER")] = None,
    as_json: AsJson = False,
) -> int:
    """See what was learned from rolls you confirmed at the table; forget it, or switch it off."""
    from loomtable.vision.dice.enrolment.rolls import forget_rolls, what_was_learned
    from loomtable.vision.dice.enrolment.storage import learn_from_rolls, learns_from_rolls
    from loomtable.vision.pictures import write_picture

    if learn is not None:
        learn_from_rolls(learn)
    if forget:
        forget_rolls()
    kinds = what_was_learned()
    if draw is not None:
        for kind in kinds:
            write_picture(draw / f"confirmed-{kind.key}.png", kind.sheet())
    learns = learns_from_rolls()
    if as_json:
        about = [{"kind": kind.key, "pictures": kind.pictures, "faces": list(kind.faces)} for kind in kinds]
        write_json({"learns": learns, "kinds": about})
        return 0
    say(f"Learning from your rolls is {'on' if learns else 'off'}.")
    for kind in kinds:
        count = "one picture" if kind.pictures == 1 else f"{kind.pictures} pictures"
        say(f"{kind.label}: {count} of {len(kind.faces)} of {kind.of} faces")
    if not kinds:
        say("Nothing has been learned yet.")
    return 0
