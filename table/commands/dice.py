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
    from loomtable.vision.dice.enrolment.rolls import confirmed_rolls, forget_rolls
    from loomtable.vision.dice.enrolment.storage import learn_from_rolls, learns_from_rolls
    from loomtable.vision.pictures import write_picture

    if learn is not None:
        learn_from_rolls(learn)
    if forget:
        forget_rolls()
    kinds = confirmed_rolls()
    if draw is not None:
        for kind in kinds:
            write_picture(draw / f"confirmed-{kind.kind.value}.png", kind.sheet())
    learns = learns_from_rolls()
    if as_json:
        about = [{"kind": of.kind, "pictures": len(of.shots), "faces": list(map(str, of.faces))} for of in kinds]
        write_json({"learns": learns, "kinds": about})
        return 0
    say(f"Learning from your rolls is {'on' if learns else 'off'}.")
    for kind in kinds:
        say(kind.words)
    if not kinds:
        say("Nothing has been learned yet.")
    return 0
