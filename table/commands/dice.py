"""``loom dice``: dice of your own that this machine learns to know, kept until you forget them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loomtable.engine.kernel.errors import BadInput
from loomtable.table.commands import completion
from loomtable.table.commands.command import Command
from loomtable.table.commands.options import CameraAt, argument, camera_or_set, option
from loomtable.table.commands.output import AsJson, each, say, show_help, warn, write_json

if TYPE_CHECKING:
    from loomtable.vision.dice import Kind
    from loomtable.vision.dice.enrolment.coins import KeptCoin
    from loomtable.vision.dice.enrolment.dice import KeptDie
    from loomtable.vision.pictures import BgrImage

app = typer.Typer(
    help="Your own dice: show each face a few times, and they are read better on this machine.",
    rich_markup_mode=None,
)
app.callback(invoke_without_command=True)(show_help)
COIN = "coin"
SHOTS = 3
"""How often a camera asks for each face: turned and moved a little between."""


class UnknownKind(BadInput):
    """No kind of dice has this name."""


class NoFaceGiven(BadInput):
    """A picture does not say which face it shows."""


@app.command(
    "learn", cls=Command, epilog="loom dice learn ruby 1=one.jpg 2=two.jpg\nloom dice learn ruby --camera 0"
)
def learn(
    name: Annotated[str, argument("What to call the die, e.g. ruby.", "NAME", completion.own_dice)],
    faces: Annotated[
        list[str] | None, argument("The number on top, and a picture of it or a folder of them.", "NUMBER=IMAGE")
    ] = None,
    kind: Annotated[str, option("--kind", "d4, d6, d6_numeral, d8, d10, d100, d12, d20 or coin.", "KIND")] = "d6",
    camera: CameraAt = None,
    as_json: AsJson = False,
) -> int:
    """Learn a die, or add to what is known of it: one die a picture, the number on its upper face given."""
    from loomtable.vision.dice.enrolment.coins import learn_coin
    from loomtable.vision.dice.enrolment.dice import learn as learn_die
    from loomtable.vision.dice.enrolment.dice import missing_faces
    from loomtable.vision.dice.enrolment.relief import SIDES

    camera = camera_or_set(faces or (), camera)
    if bool(faces) == (camera is not None):
        raise NoFaceGiven("give either pictures as NUMBER=PICTURE (a coin's as heads=PICTURE), or --camera 0")
    missing: Sequence[object]
    kept: KeptDie | KeptCoin
    shown: Iterable[tuple[str, BgrImage]]
    if kind.strip().lower() == COIN:
        shown = _from_files(faces or []) if camera is None else _from_camera(camera, "a coin", SIDES)
        kept = learn_coin(name, shown)
        missing = [side for side in SIDES if side not in kept.sides]
    else:
        die_kind = _kind(kind)
        numbers = [str(number) for number in die_kind.numbers]
        shown = _from_files(faces or []) if camera is None else _from_camera(camera, die_kind.some(1), numbers)
        kept, refused = learn_die(name, die_kind, ((_number(face), picture) for face, picture in shown))
        missing = missing_faces(kept)
        for reason in refused:
            warn(f"left out: {reason}")
    if as_json:
        write_json({**_about(kept), "missing": missing})
        return 0
    say(_line(kept))
    if missing:
        say(f"Not shown yet: {', '.join(map(str, missing))}.")
    return 0


@app.command("list", cls=Command, epilog="loom dice list")
def list_(as_json: AsJson = False) -> int:
    """List the dice and coins that this machine knows."""
    from loomtable.vision.dice.enrolment.coins import known_coins
    from loomtable.vision.dice.enrolment.dice import known_dice

    dice: list[KeptDie | KeptCoin] = [*known_dice(), *known_coins()]
    if as_json:
        write_json([_about(die) for die in dice])
    elif not dice:
        say("No dice or coins have been learned yet; loom dice learn NAME shows how.")
    else:
        say(*(_line(die) for die in dice))
    return 0


@app.command("forget", cls=Command, epilog="loom dice forget ruby")
def forget(
    name: Annotated[str, argument("The die to forget.", "NAME", completion.own_dice)],
    as_json: AsJson = False,
) -> int:
    """Forget a die or coin and everything that was shown of it."""
    from loomtable.vision.dice.enrolment.dice import forget as forget_die

    forget_die(name)
    write_json({"name": name, "forgotten": True}) if as_json else say(f"{name} is forgotten.")
    return 0


@app.command("rolls", cls=Command, epilog="loom dice rolls\nloom dice rolls --off")
def rolls(
    learn: Annotated[bool | None, option("--on/--off", "Learn from confirmed rolls, or no longer.")] = None,
    forget: Annotated[bool, option("--forget", "Forget what was learned from rolls.")] = False,
    draw: Annotated[
        Path | None, option("--draw", "Write the crops into this folder, to look at.", "FOLDER")
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Look at what was learned from rolls that you confirmed at the table; forget it, or switch it off."""
    from loomtable.vision.dice.enrolment.rolls import (
        confirmed_rolls,
        contact_sheet,
        forget_rolls,
        learn_from_rolls,
        learns_from_rolls,
    )
    from loomtable.vision.pictures import write_picture

    if learn is not None:
        learn_from_rolls(learn)
    if forget:
        forget_rolls()
    kinds = confirmed_rolls()
    if draw is not None:
        for kept in kinds:
            write_picture(draw / f"confirmed-{kept.kind.value}.png", contact_sheet(kept))
    if as_json:
        about = [{"kind": k.kind.value, "shots": len(k.shots), "faces": k.faces} for k in kinds]
        write_json({"learns": learns_from_rolls(), "kinds": about})
        return 0
    say(f"Learning from your rolls is {'on' if learns_from_rolls() else 'off'}.")
    for k in kinds:
        say(f"{k.kind.label}: {_looks(len(k.shots))} at {len(k.faces)} of {len(k.kind.numbers)} faces")
    if not kinds:
        say("Nothing has been learned from rolls yet.")
    return 0


def _kind(name: str) -> Kind:
    from loomtable.vision.dice import Kind

    try:
        return Kind(name.strip().lower())
    except ValueError:
        raise UnknownKind(f"{name!r} is no kind of dice; there are {', '.join(Kind)} and coin") from None


def _from_files(given: list[str]) -> list[tuple[str, BgrImage]]:
    from loomtable.vision.camera import PictureFiles

    shown: list[tuple[str, BgrImage]] = []
    for text in each("Reading", given):
        face, equals, place = text.partition("=")
        if not equals or not face.strip() or not place:
            raise NoFaceGiven(f"{text!r} does not say which face it shows; write it like 4=four.jpg")
        shown += [(face.strip().lower(), picture) for picture in PictureFiles(Path(place))]
    return shown


def _from_camera(camera: str, what: str, faces: Sequence[str]) -> Iterator[tuple[str, BgrImage]]:
    from loomtable.table.reading.pictures import settled_frame
    from loomtable.vision.camera import open_source

    open_source(camera).close()  # nobody is asked to lay anything before a camera that is not there
    say(f"Lay {what} before the camera, alone, and turn it a little each time.")
    for face in faces:
        for shot in range(1, SHOTS + 1):
            input(f"  {face} up ({shot} of {SHOTS}), then press Enter. ")
            yield face, settled_frame(camera)


def _number(face: str) -> int:
    if not face.isdecimal():
        raise NoFaceGiven(f"{face!r} is not a number on a die; write pictures like 4=four.jpg")
    return int(face)


def _about(one: KeptDie | KeptCoin) -> dict[str, object]:
    from loomtable.vision.dice.enrolment.coins import KeptCoin

    if isinstance(one, KeptCoin):
        return {"name": one.name, "kind": COIN, "shots": len(one.looks), "faces": one.sides}
    faces = sorted({shot.number for shot in one.shots})
    return {"name": one.name, "kind": one.kind.value, "shots": len(one.shots), "faces": faces}


def _line(one: KeptDie | KeptCoin) -> str:
    from loomtable.vision.dice.enrolment.coins import KeptCoin

    if isinstance(one, KeptCoin):
        return f"{one.name}: a coin, {_looks(len(one.looks))} at {' and '.join(one.sides)}"
    shown = len({shot.number for shot in one.shots})
    return f"{one.name}: {one.kind.some(1)}, {_looks(len(one.shots))} at {shown} of {len(one.kind.numbers)} faces"


def _looks(count: int) -> str:
    return "one look" if count == 1 else f"{count} looks"
