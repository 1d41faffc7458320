"""Keeping your own dice on this machine: one file for each, with what was shown of every face.

The crops themselves are kept, so that a die stays known when the networks are exchanged: its examples are then
found anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import numpy as np

from loomtable.engine.kernel.errors import ContentInvalid, Missing
from loomtable.engine.kernel.wording import dice_count, listed
from loomtable.vision.dice.enrolment.coins import KIND as COINS
from loomtable.vision.dice.enrolment.coins import known_coins, learned_coins
from loomtable.vision.dice.enrolment.embeddings import (
    TURNS_PER_EXAMPLE,
    as_png,
    crop_of_png,
    embeddings_of,
    fingerprint_of,
)
from loomtable.vision.dice.enrolment.recall import LearnedDie, OwnDice, learned_die
from loomtable.vision.dice.enrolment.rolls import KIND as CONFIRMED
from loomtable.vision.dice.enrolment.rolls import known_rolls
from loomtable.vision.dice.enrolment.storage import NothingToLearn, kept_file, kept_files, read_kept, write_kept
from loomtable.vision.dice.fusion.ensemble import Evidence
from loomtable.vision.dice.networks import Models, load_models
from loomtable.vision.dice.reader import gather_evidence
from loomtable.vision.die_kinds import Kind
from loomtable.vision.pictures import BgrImage

KIND = "dice"


class UnknownDie(Missing):
    """Nothing of one's own has this name; the message lists what there is."""


class FaceExample(msgspec.Struct, frozen=True):
    """One example of one face."""

    number: int
    """The printed number that lies up."""
    png: bytes
    """The crop, 96 pixels wide."""


class KeptDie(msgspec.Struct, frozen=True):
    """What the file of a die holds."""

    name: str
    kind: Kind
    shots: tuple[FaceExample, ...]
    network: str
    """Fingerprint of the network that made ``examples``."""
    examples: bytes
    """The ``TURNS_PER_EXAMPLE`` embeddings of each shot, float32."""


def own_dice(models: Models | None = None, folder: Path | None = None) -> OwnDice:
    """All dice and coins that were learned on this machine, shown or confirmed at the table; no dice where no
    networks are installed.

    Raises:
        ContentInvalid: a file is damaged.
    """
    coins = learned_coins(folder)
    files = kept_files(KIND, folder)
    networks = (models or load_models()) if files or kept_files(CONFIRMED, folder) else None
    if networks is None:
        return OwnDice((), coins)
    dice = tuple(_learned(read_kept(file, KeptDie), networks) for file in files)
    return OwnDice(dice, coins, known_rolls(networks, folder))


def learn(
    name: str,
    kind: Kind,
    shown: Iterable[tuple[int, BgrImage]],
    models: Models | None = None,
    folder: Path | None = None,
) -> tuple[KeptDie, tuple[str, ...]]:
    """Learn a die from pictures of single faces, each with the printed number that lies up; more may be added
    later.

    Returns:
        The die as it is now known, and why some pictures were left out: those without exactly one die.

    Raises:
        NothingToLearn: no networks, a name that cannot be kept, a number that the kind has not, or no picture that
            can be learned from.
        ContentInvalid: the die is known already as another kind.
    """
    networks = models or load_models()
    if networks is None:
        raise NothingToLearn("no networks are installed to learn dice with; install loomtable again")
    file = kept_file(name, KIND, folder)
    before = read_kept(file, KeptDie) if file.exists() else None
    if before is not None and before.kind is not kind:
        raise ContentInvalid(f"{name!r} is known as {before.kind.some(1)}; forget it first, or take another name")
    shots = list(before.shots) if before is not None else []
    refused: list[str] = []
    for number, picture in shown:
        if number not in kind.numbers:
            raise NothingToLearn(f"{kind.some(1)} has no {number}; it has {listed(map(str, kind.numbers))}")
        try:
            shots.append(FaceExample(number, as_png(_crop_of_only_die(picture, networks, number))))
        except NothingToLearn as error:
            refused.append(str(error))
    if not shots:
        raise NothingToLearn(refused[0] if refused else "nothing was shown; give pictures as NUMBER=PICTURE")
    kept = _with_embeddings(KeptDie(name, kind, tuple(shots), "", b""), networks)
    write_kept(file, kept)
    return kept, tuple(refused)


def known_dice(folder: Path | None = None) -> list[KeptDie]:
    """The dice that are kept, by name.

    Raises:
        ContentInvalid: a file is damaged.
    """
    return [read_kept(file, KeptDie) for file in kept_files(KIND, folder)]


def forget(name: str, folder: Path | None = None) -> None:
    """Forget a die or coin.

    Raises:
        UnknownDie: there is none of this name.
    """
    files = [file for kind in (KIND, COINS) if (file := kept_file(name, kind, folder)).exists()]
    if not files:
        known = [die.name for die in known_dice(folder)] + [coin.name for coin in known_coins(folder)]
        raise UnknownDie(f"nothing is known as {name!r}; known: {', '.join(known) or 'none yet'}")
    for file in files:
        file.unlink()


def missing_faces(die: KeptDie) -> tuple[int, ...]:
    """The printed numbers that were never shown."""
    return tuple(number for number in die.kind.numbers if number not in {shot.number for shot in die.shots})


MIN_SECOND_DIE_RATIO = 0.8
"""Share of the score and of the size of the clearest die from which something else in the picture is a die too.
Set by hand."""
MIN_NONE_PROBABILITY = 0.5
"""Probability of being no die from which the reader sees none."""


def _is_bare_table(one: Evidence, models: Models) -> bool:
    """Whether no die was found here and the reader sees none either: a bare table taken for a close-up."""
    return (
        one.detection.score <= models.calibration.detector.low
        and float(np.exp(one.reader.kind[0])) > MIN_NONE_PROBABILITY
    )


def _crop_of_only_die(picture: BgrImage, models: Models, number: int) -> BgrImage:
    """The crop of the one die that a picture shows.

    Networks that do not know the die yet take its marks for dice as well, so the largest detection with a high
    score is it.
    """
    found = gather_evidence(picture, None, models)
    if not found or all(_is_bare_table(one, models) for one in found):
        raise NothingToLearn(f"no die was found that shows a {number}; lay it on a plain ground, closer")
    best = max(found, key=lambda one: one.detection.score * one.detection.side)
    level = max(MIN_SECOND_DIE_RATIO * best.detection.score, models.calibration.detector.high)
    others = [
        one
        for one in found
        if one is not best
        and one.detection.score >= level
        and one.detection.side > MIN_SECOND_DIE_RATIO * best.detection.side
    ]
    if others:
        count = dice_count(1 + len(others))
        raise NothingToLearn(f"{count} are where one should show a {number}; show one at a time")
    return best.crop


def _learned(kept: KeptDie, models: Models) -> LearnedDie:
    if kept.network != fingerprint_of(models.reader.path):
        kept = _with_embeddings(kept, models)
    embeddings = np.frombuffer(kept.examples, np.float32).reshape(len(kept.shots), TURNS_PER_EXAMPLE, -1)
    return learned_die(
        kept.name, kept.kind, [(shot.number, place) for shot, place in zip(kept.shots, embeddings, strict=True)]
    )


def _with_embeddings(kept: KeptDie, models: Models) -> KeptDie:
    crops = [crop_of_png(shot.png) for shot in kept.shots]
    embeddings = embeddings_of(crops, models)
    return msgspec.structs.replace(kept, network=fingerprint_of(models.reader.path), examples=embeddings.tobytes())
