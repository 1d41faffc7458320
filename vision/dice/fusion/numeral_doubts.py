"""Why a die with numerals is doubted, however high its confidence, in words for people.

Of such dice too few photographs are at hand that the networks have not learned from to measure what an objection
weighs, so each of these is a rule. Limits that are chosen on the folds were chosen on photographers left out of
the training (``models/dice_reader.md``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from loomtable.vision.arrays import Float32Array
from loomtable.vision.dice.fusion.doubts import TOO_LOW, UNCLEAR, could_be
from loomtable.vision.dice.fusion.ensemble import Evidence, Prediction
from loomtable.vision.die_kinds import KINDS, Kind

MAX_RIVAL_SHAPE_RATIO = 2.0
"""How many times likelier a die must be a d20 or a d4 to be asked about, however surely its numeral is read.
Chosen on the folds (``models/dice_numerals.md``)."""
MAX_CUBE_RATIO = 4.0
"""The same for a d6, with numerals or pips. Chosen on the folds."""
MAX_RIVAL_FACE_PROBABILITY = 0.3
"""Probability of another numeral on the other side of the middle from which it is not clear which face lies up.
Chosen on the photographs of d10 (``models/dice_numerals.md``)."""
MIN_D4_SCORE, MAX_D4_RIVAL_RATIO = 0.35, 0.5
"""Score of a d4's number from which it is believed, and how large another number's may be against it. Chosen on
``ucffool-d4``, where the surest wrong number has 0.3 (``models/README.md``)."""
UNREAD_D4 = "is a d4, whose number cannot be read surely"
FACE_OF_D4 = "could be {kind} or one face of a d4"
"""Of a die on whose place something lies that looks like a d4: a box round one of its faces shows one numeral."""
UNANIMOUS_KINDS = (Kind.D4, Kind.D6_NUMERAL, Kind.D12, Kind.D20, Kind.D100)
"""Kinds whose number is believed only where every reader by itself reads it: of these too few photographers are at
hand to measure what the ensemble's confidence is worth (``models/README.md``)."""
MIN_UNANIMOUS_PROBABILITY = 0.5
"""Probability that each network by itself has to give such a number. Set by hand."""
MIN_CLEAR_PRINT = 0.25
"""Probability from which the OCR model reads a percentile d10 so clearly that one network may differ: it looks for
two digits of which the last is a 0, and no other numeral has these. Set by hand."""
MIN_SIX_OR_NINE_RATIO = 2.0
"""How many times likelier than a 9 a 6 must stand upright, by its bar or dot, to be believed, or a 9 than a 6. Set
by hand."""
MIN_OPEN_KIND_PROBABILITY = 0.73
"""Probability of its kind from which a die with a numeral is believed where nobody said what lies there. Chosen on
the folds."""


def numeral_doubt(evidence: Evidence, kind: Kind, number: int, kinds: Float32Array, asked: bool) -> str:
    """Why a die with numerals is asked about, in words; empty where no rule speaks against it.

    Args:
        evidence: the die.
        kind: the kind it is held to be.
        number: the number it is held to show, by place.
        kinds: (9,) log-probabilities of none and the kinds, fused.
        asked: whether it was said what lies there.
    """
    doubt = _rival_shape(kinds, kind)
    if doubt:
        return doubt
    if kind is Kind.D4:
        return _doubtful_d4(evidence, number, asked)
    pose = evidence.pose(kind)
    if kind not in UNANIMOUS_KINDS and pose is not None and pose.is_oblique and not pose.is_sure:
        return TOO_LOW
    printed = kind.numbers[number]
    return (
        ("" if asked else _rival_kind(kinds, kind))
        or _rival_face(evidence, kind, printed)
        or _not_unanimous(evidence, kind, number, asked)
        or _six_or_nine(evidence, kind, printed)
    )


def _rival_shape(kinds: Float32Array, kind: Kind) -> str:
    """Which other shape a die with a numeral has rather, in words; empty where it has its own kind's.

    However surely a numeral is read, a d20 and a d6 with numerals show the same ones: only the shape tells.
    """
    probability = {k: math.exp(float(kinds[1 + KINDS.index(k)])) for k in KINDS}
    cube = max((Kind.D6_NUMERAL, Kind.D6), key=probability.__getitem__)
    rivals = {
        Kind.D20: probability[Kind.D20] / MAX_RIVAL_SHAPE_RATIO,
        Kind.D4: probability[Kind.D4] / MAX_RIVAL_SHAPE_RATIO,
        cube: (probability[Kind.D6_NUMERAL] + probability[Kind.D6]) / MAX_CUBE_RATIO,
    }
    other = max(rivals, key=rivals.__getitem__)
    return f"could be {kind.some(1)} or {other.some(1)}" if rivals[other] > probability[kind] else ""


def _rival_kind(kinds: Float32Array, kind: Kind) -> str:
    """What else a die with a numeral may be, in words; empty where its kind is plain.

    Nobody said what lies there, and a 6 on a d10 is no 6 on a d8.
    """
    if math.exp(float(kinds[1 + KINDS.index(kind)])) >= MIN_OPEN_KIND_PROBABILITY:
        return ""
    likeliest = [KINDS[int(at)] for at in np.argsort(-kinds[1:])[:2]]
    other = next(k for k in likeliest if k is not kind)
    return f"could be {kind.some(1)} or {other.some(1)}"


def _not_unanimous(evidence: Evidence, kind: Kind, number: int, asked: bool) -> str:
    """What one reader by itself takes a die for instead, in words; empty where all read the same.

    However surely its numeral is read, each network has to hold it for its kind: asked for a d8, the reader would
    believe a d10. Of kinds of which few photographs are at hand each has to read its number, too; of others it is
    asked about only where all networks surely read the same other one.
    """
    networks = evidence.networks
    for prediction in networks:
        other = _other_kind(prediction, kind, asked)
        if other is not None:
            return f"could be {kind.some(1)} or {other.some(1)}"
    if kind not in UNANIMOUS_KINDS:
        return _outvoted(networks, kind, number)
    if evidence.numerals is None:
        return UNCLEAR
    rivals = [rival for one in networks if (rival := _other_number(one, kind, number)) is not None]
    clear, printed = _other_print(evidence, kind, number)
    if printed is not None:
        return could_be(kind.numbers[number], printed)
    return could_be(kind.numbers[number], rivals[0]) if len(rivals) > (kind is Kind.D100 and clear) else ""


def _other_kind(prediction: Prediction, kind: Kind, asked: bool) -> Kind | None:
    """The other kind that one network takes a die for; nothing where it may well be of this one."""
    probability = {k: math.exp(float(prediction.kind[1 + KINDS.index(k)])) for k in KINDS}
    same = sum(p for k, p in probability.items() if k.die is kind.die)
    other = max((k for k in KINDS if k.die is not kind.die), key=probability.__getitem__)
    limit = probability[other] / MAX_RIVAL_SHAPE_RATIO if asked else MIN_UNANIMOUS_PROBABILITY
    return other if same < limit else None


def _outvoted(networks: Sequence[Prediction], kind: Kind, number: int) -> str:
    """The other number that all of several networks surely read, in words; empty where they do not.

    Then the OCR model alone has read this one. Measured on 343 accepted d8 and d10 that the networks know: it asks
    about no right one, and about one of 170 that they do not know (``models/CHANGELOG.md``).
    """
    others = {_other_number(one, kind, number) for one in networks}
    sure = all(math.exp(float(one.numbers(kind).max())) >= MIN_UNANIMOUS_PROBABILITY for one in networks)
    if len(networks) < 2 or not sure or len(others) > 1 or (other := others.pop()) is None:
        return ""
    return could_be(kind.numbers[number], other)


def _other_number(prediction: Prediction, kind: Kind, number: int) -> int | None:
    """The other number that one network reads; nothing where it reads this one."""
    logs = prediction.numbers(kind)
    if kind is Kind.D100:  # ten faces that they have hardly seen: the likeliest is seldom likely
        return None if logs.argmax() == number else kind.numbers[int(logs.argmax())]
    if math.exp(float(logs[number])) >= MIN_UNANIMOUS_PROBABILITY:
        return None
    return next(kind.numbers[int(at)] for at in np.argsort(-logs) if at != number)


def _other_print(evidence: Evidence, kind: Kind, number: int) -> tuple[bool, int | None]:
    """Whether the OCR model reads a number clearly, and the other that it reads; nothing where it reads none.

    Half of a number of two digits is no other number: from beside its middle it sees no more.
    """
    assert evidence.numerals is not None
    chances = np.exp(evidence.numerals.numbers(kind))
    printed = str(kind.numbers[number])
    alike = np.array([kind is not Kind.D100 and str(other) in printed for other in kind.numbers])
    alike[number] = True
    same, rival = float(chances[alike].max()), float(chances[~alike].max())
    if rival > same:
        return False, kind.numbers[int(np.where(alike, 0, chances).argmax())]
    return bool(chances[number] >= MIN_CLEAR_PRINT), None


def _doubtful_d4(evidence: Evidence, number: int, asked: bool) -> str:
    """Why a d4's number is not believed, in words; empty where three numerals of one face say it plainly, or every
    reader by itself reads the same one on top."""
    if evidence.d4 is None:
        return UNREAD_D4 if _not_unanimous(evidence, Kind.D4, number, asked) else ""
    chances = np.exp(evidence.d4)
    rival = int(np.argsort(-chances)[1])
    if chances[number] > MIN_D4_SCORE and chances[rival] < MAX_D4_RIVAL_RATIO * chances[number]:
        return ""
    return could_be(1 + number, 1 + rival)


def _six_or_nine(evidence: Evidence, kind: Kind, printed: int) -> str:
    """That no bar or dot tells a 6 from a 9, in words; empty where one does, or it is neither."""
    if evidence.numerals is None or printed not in (6, 9) or not {6, 9} <= set(kind.numbers):
        return ""
    chances = np.exp(evidence.numerals.numbers(kind))
    this, other = (float(chances[kind.numbers.index(n)]) for n in (printed, 15 - printed))
    return "" if this >= MIN_SIX_OR_NINE_RATIO * other else "could be a 6 or a 9: no bar or dot tells"


def _rival_face(evidence: Evidence, kind: Kind, printed: int) -> str:
    """Which two numbers stand on either side of the middle, in words; empty where one face is plainly up."""
    if evidence.numerals is None:
        return ""
    other, probability = evidence.numerals.rival_face(kind, printed)
    if probability <= MAX_RIVAL_FACE_PROBABILITY:
        return ""
    return f"shows two faces nearly alike: it {could_be(printed, other)}"
