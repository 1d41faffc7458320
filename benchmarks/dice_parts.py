"""What each part of the dice reader brings: every picture is read with all of them, and without each.

Parts are the cues, the views of a die, the crops in which the OCR model reads a numeral, and the rules for which a
die is asked about. A part that changes nothing can go. Where the photographs are at hand, they are two of three
pictures, each source as often as the next; the rest are rendered: d6 and dice with numerals from 20 degrees above
the table on, and d6 in trays under a wide camera.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import msgspec
import numpy as np

from loomtable.vision.dice import numerals
from loomtable.vision.dice.cues import CUES, gather_evidence, without
from loomtable.vision.dice.fusion import doubts
from loomtable.vision.dice.fusion.calibration import AugmentedView
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.reader import resolve_tray
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import BgrImage, read_picture
from loomtable.vision.pool import Pool
from loomtable.vision.tray import TrayReading
from loomtable.vision.verdict import Verdict
from tests.vision.scenes.wide_trays import camera_over_tray, roll_in_tray
from training.develop import labels, photographed
from training.invent import make_scene
from training.photographs import EVERY_SOURCE, Labelled, load_photographs, photograph_folder
from training.raster import Rasteriser

NUMERALS = ("d8", "d10", "d12", "d20", "d6_numeral")
LOOKS = {
    "eight turns instead of ten": {"TURN_STEP": 45},
    "twelve turns instead of ten": {"TURN_STEP": 30},
}
"""Fewer crops of a numeral, as constants of ``numerals``."""
MIN_SEEN = 0.5
Lying = list[tuple[str, int]]


@cache
def _renderer() -> Rasteriser:
    return Rasteriser(finer=1.25)


@cache
def _models() -> Models:
    models = load_models()
    assert models is not None, "the networks are missing"
    return models


@cache
def _photographs() -> dict[str, tuple[Labelled, ...]]:
    """By source, in an order by chance."""
    of: dict[str, list[Labelled]] = defaultdict(list)
    for one in load_photographs(photograph_folder(), EVERY_SOURCE).pictures:
        of[one.source].append(one)
    chance = np.random.default_rng(1)
    return {source: tuple(of[source][k] for k in chance.permutation(len(of[source]))) for source in of}


def _photograph(number: int) -> tuple[str, BgrImage, Lying]:
    source = EVERY_SOURCE[number % len(EVERY_SOURCE)]
    every = _photographs()[source]
    taken = every[number // len(EVERY_SOURCE) % len(every)]
    lying = [(die.kind, die.value or 0) for die in taken.dice]
    group = "d6" if all(kind == "d6" for kind, _ in lying) else "numerals"
    return f"photographs, {group}", read_picture(photograph_folder() / taken.image), lying


def _scene(number: int) -> tuple[str, BgrImage, Lying]:
    """A picture, the group in which it counts, and what lies there; nothing where that is not known."""
    if number % 3 and photograph_folder().exists():
        return _photograph(2 * (number // 3) + number % 3 - 1)
    number //= 3
    if number % 3 == 2:
        shot = roll_in_tray(camera_over_tray(number), number, 1 + number % 5)
        return "trays", shot.picture, [("d6", die.value) for die in shot.truth.dice]
    group, kinds = (("d6", ("d6",)), ("numerals", NUMERALS))[number % 3]
    drawn = _renderer()
    scene = make_scene(
        number,
        typefaces=drawn.typefaces,
        size=(480, 360),
        kinds=kinds,
        elevations=(20 if group == "d6" else 45, 90),
    )
    light = drawn.draw(scene)
    dice = labels(scene, light.which)
    clear = all(die.value is not None and die.seen >= MIN_SEEN for die in dice)
    return group, photographed(scene, light), [(die.kind, die.value or 0) for die in dice] if clear else []


def parts_of_reading(number: int) -> Iterator[tuple[str, str]]:
    """Of one picture, in which row of the table its dice count, and whether they were believed and right."""
    group, picture, lying = _scene(number)
    if not lying:
        return
    models, pool = _models(), Pool.lying(Kind(kind).die for kind, _ in lying)

    def read(evidence: tuple[str, ...] = (), models: Models = models) -> TrayReading:
        dice = gather_evidence(picture, pool, models, cues=without(*evidence)).dice
        return resolve_tray(dice, picture, pool, models.calibration)

    def told(what: str, tray: TrayReading) -> tuple[str, str]:
        right = sorted((die.name, str(die.value)) for die in tray.dice) == sorted((k, str(n)) for k, n in lying)
        if tray.verdict is not Verdict.ACCEPTED:
            return f"{group}: {what}", "asked, right" if right else "asked"
        return f"{group}: {what}", "believed" if right else "wrong"

    yield told("everything", read())
    for cue in CUES[1:]:
        yield told(f"without cue {cue.name}", read((cue.name,)))
    for count in (1, 3):
        views = (*models.calibration.views, AugmentedView(-10.0, 0.92))[:count]
        fewer = replace(models, calibration=msgspec.structs.replace(models.calibration, views=views))
        yield told(f"with {count} of the views of a die", read(models=fewer))
    whole = gather_evidence(picture, pool, models).dice
    for doubt in doubts.DOUBTS:
        with patch.object(doubts, "DOUBTS", tuple(other for other in doubts.DOUBTS if other is not doubt)):
            yield told(f"without rule {doubt.name}", resolve_tray(whole, picture, pool, models.calibration))
    for name, crops in LOOKS.items() if "numerals" in group else ():
        with patch.multiple(numerals, **crops):
            yield told(f"without crops: {name}", read())
