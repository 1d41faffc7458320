"""Why a die is doubted, in words for people: one table of rules that no confidence outweighs, and the sentence for
whatever takes most of a confidence away that is too low.

Of dice with numerals too few photographs are at hand that the networks have not learned from to measure what an
objection weighs, so each of theirs is a rule. Limits that are chosen on the folds were chosen on photographers
left out of the training (``models/dice_reader.md``, ``models/dice_numerals.md``). Numbers here are set by hand.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from loomtable.vision.dice.evidence import NUMERAL_KINDS, PRINTED_KINDS
from loomtable.vision.dice.fusion.features import log_odds
from loomtable.vision.dice.fusion.weigh import Decision, may_be_d4
from loomtable.vision.dice.layouts import LAID_OUT_KINDS, MIN_SURE_LEAD
from loomtable.vision.die_kinds import KINDS, Kind

CUT_OFF = "is half out of the picture: move it in"
OTHER_SIZE = "is of quite another size than the rest"
TOO_CLOSE = "is on another die, or too close to it: move them apart"
NO_DIE = "hardly looks like a die, or shows no upper face"
TOP_OR_SIDE = "is seen so far from the side that two faces may be up: move it to the middle of the picture"
TOO_LOW = "is seen from too low to tell which face is up: raise the camera"
MORE_FACES = "shows more than one face, at its side or shining through: it is not clear which is up"
BURNT = "is so bright that the edges between its faces are lost: turn down the light, or move the lamp"
UNREAD_D4 = "is a d4, whose number cannot be read surely"
COULD_BE = "could be {} or {}"

FLAT_TOPPED = tuple(kind for kind in NUMERAL_KINDS if kind is not Kind.D4)

MIN_TRUNCATION = 0.5
"""Truncation from which a die is not whole in the picture."""
MAX_OVERHANG, MIN_CONFIDENCE_CUT_OFF = 0.15, 0.99
"""Share of its side up to which a d6 may reach over the border and still be believed, and from which confidence:
its pips keep away from the edges. Doubt ``cut off``."""
MAX_NEIGHBOUR_IOU = 0.3
"""Intersection over union with a neighbour's box from which a die may lie on another. Doubt ``too close``."""
MAX_RIVAL_PROBABILITY = 0.1
"""Probability that another number is up, since the camera stands otherwise or a face beside the top was read, from
which the die is asked about. Doubt ``rival camera``."""
MIN_DIE = 0.85
"""Probability of being a die under which it may be a card, a domino or a tile. Doubt ``no die``."""
MAX_BURNT = 0.15
"""Share of a die with numerals that is burnt out from which edges between faces are lost. Doubt ``burnt``."""
MAX_RIVAL_KIND_RATIO = 2.0
"""How many times likelier another kind must be than one that was asked for. Doubt ``other kind``."""
MIN_D4_SCORE, MAX_D4_RIVAL_RATIO = 0.35, 0.5
"""Score from which a d4's number is believed, and another number's against it. Doubt ``rival of a d4``."""
MIN_UNANIMOUS_PROBABILITY = 0.5
"""Probability that each network has to give a number that every reader must read. Doubt ``other number``."""
MIN_TOP_ALONE = 0.9
"""Probability from which a d8 or d10 that fits no known layout is believed by its top, laid flat, if the networks
read the same. Doubt ``other number``."""
MIN_OPEN_KIND_PROBABILITY = 0.73
"""Probability of its kind from which a die with a numeral is believed that nobody named. Doubt ``other kind``."""

Words = bool | tuple[str, ...]
"""Whether there is something to doubt; where the sentence names something, the words for it."""


@dataclass(frozen=True)
class Doubt:
    """One reason why a die is asked about."""

    name: str
    test: Callable[[Decision], Words]
    sentence: str
    """The end of one about the die, with places for the words of the test."""
    source: str
    """Where its limits come from."""
    kinds: tuple[Kind, ...] = KINDS
    """Which dice it is about."""
    also_shown: bool = False
    """Whether it holds of a die that a person has shown, too."""


def doubt_of(die: Decision) -> str:
    """Why a die is asked about: the first reason of ``DOUBTS``, in words; empty where it is believed."""
    for doubt in DOUBTS:
        if die.kind in doubt.kinds and (doubt.also_shown or not die.shown) and (words := doubt.test(die)):
            return doubt.sentence.format(*(words if isinstance(words, tuple) else ()))
    return ""


def _is_cut_off(die: Decision) -> Words:
    sure = (
        die.kind is Kind.D6
        and die.conditions.overhang <= MAX_OVERHANG
        and die.confidence >= MIN_CONFIDENCE_CUT_OFF
    )
    return die.conditions.truncation >= MIN_TRUNCATION and not sure


def _which_face(die: Decision) -> str:
    """What makes it unclear which face is up: nobody can raise a camera that looks down, or move a die to the
    middle that lies there."""
    aside = die.evidence.misread > MAX_MISREAD and die.conditions.aside > MIN_ASIDE
    return TOO_LOW if die.low > MIN_LOW else TOP_OR_SIDE if aside else MORE_FACES


def _is_unread_d4(die: Decision) -> Words:
    """Three numerals of one face are not seen, and not every reader by itself reads the same one on top."""
    return die.evidence.d4 is None and bool(_other_kind(die) or _other_number(die))


def _rival_of_d4(die: Decision) -> Words:
    if die.evidence.d4 is None:
        return False
    chances = np.exp(die.evidence.d4)
    rival = int(np.argsort(-chances)[1])
    clear = chances[die.place] > MIN_D4_SCORE and chances[rival] < MAX_D4_RIVAL_RATIO * chances[die.place]
    return not clear and two_numbers(1 + die.place, 1 + rival)


def _other_number(die: Decision) -> Words:
    """The networks surely read another number than its layout says; or no layout says any, and not every reader by
    itself reads the same on top."""
    rival, first = np.argsort(die.numbers)[-2:].tolist()
    if die.laid_out is not None:
        surely = first == die.place and float(die.numbers[first] - die.numbers[rival]) >= MIN_SURE_LEAD
        return not surely and (could_be(die),)
    pose, top = die.evidence.pose(die.kind), die.evidence.printed(die.kind)
    if die.kind in LAID_OUT_KINDS or top is None:
        return (could_be(die),)
    if die.kind not in PRINTED_KINDS and pose is not None and pose.is_oblique:
        return (TOO_LOW,)
    chances = [math.exp(network.numbers(die.kind)[die.place]) for network in die.evidence.networks]
    least = 0.0 if die.kind in PRINTED_KINDS else MIN_TOP_ALONE
    alike = top.argmax() == die.place and math.exp(top[die.place]) >= least
    return not (alike and min(chances) >= MIN_UNANIMOUS_PROBABILITY) and (could_be(die),)


def could_be(die: Decision) -> str:
    """The two numbers that it most likely shows, as the end of a sentence."""
    return COULD_BE.format(*two_numbers(die.number, _another(die)))


def _another(die: Decision) -> int:
    """The likeliest number but the one it is held to show."""
    return next(die.kind.numbers[int(at)] for at in np.argsort(-die.numbers) if at != die.place)


def _other_kind(die: Decision) -> Words:
    """However surely its numeral is read, each network has to hold it for its kind, and both together if nobody
    said what was rolled: a 6 on a d10 is no 6 on a d8."""
    others = [kind for kind in (Kind.D8, Kind.D12, Kind.D20) if die.asked and die.asked.count(kind.die)]
    if others and die.laid_out is not None and not die.laid_out.is_plain:
        return _two_kinds(die.kind, others[0])  # one face of it alone is read, and fits that kind's layout badly
    may_be = [kind for kind in KINDS if kind is die.kind or kind is not Kind.D4 or may_be_d4(die.asked)]
    said = [(network.kind, MIN_UNANIMOUS_PROBABILITY) for network in die.evidence.networks]
    for kinds, least in (*said, (die.kinds, MIN_OPEN_KIND_PROBABILITY)):
        chance = {kind: math.exp(float(kinds[1 + KINDS.index(kind)])) for kind in may_be}
        same = sum(share for kind, share in chance.items() if kind.die is die.kind.die)
        other = max((kind for kind in chance if kind.die is not die.kind.die), key=chance.__getitem__)
        if same < (chance[other] / MAX_RIVAL_KIND_RATIO if die.asked else least):
            return _two_kinds(die.kind, other)
    return False


def _is_unsure(die: Decision) -> Words:
    return die.confidence < die.level and (reason_in_words(die),)


def _is_on_d4(die: Decision) -> Words:
    """A box round one face of a d4 shows one numeral."""
    return die.conditions.on_d4 and (die.kind.some(1),)


def _two_kinds(kind: Kind, other: Kind) -> tuple[str, ...]:
    return kind.some(1), other.some(1)


def two_numbers(number: int, other: int) -> tuple[str, ...]:
    """Two numbers between which a reader is torn, as words for ``COULD_BE``."""
    return tuple(map(some, sorted((number, other))))


def some(number: int) -> str:
    """A number as something that lies up: ``"an 8"``."""
    return f"an {number}" if number in (8, 11, 18, 80) else f"a {number}"


DOUBTS = (
    Doubt(
        "cut off",
        _is_cut_off,
        CUT_OFF,
        "1,440 photographs of nine sources cut through a d6 that had been read rightly, most of which the networks"
        " know: of those that reach over by 2.5 to 15 % 387 of 387 of this confidence show the number that was"
        " read, 673 of all 679 that would be believed elsewhere; one that reaches over by more may have lost pips",
        also_shown=True,
    ),
    Doubt(
        "too close",
        lambda die: die.conditions.max_neighbour_iou > MAX_NEIGHBOUR_IOU,
        TOO_CLOSE,
        "set by hand",
        also_shown=True,
    ),
    Doubt(
        "rival camera",
        lambda die: die.features["rival_camera"] > MAX_RIVAL_PROBABILITY and (_which_face(die),),
        "{}",
        "rendered pictures, as in elevation.py: to 0.2 no more are accepted wrongly, and hardly more rightly",
        also_shown=True,
    ),
    Doubt("no die", lambda die: die.looks < MIN_DIE, NO_DIE, "drawn things and photographs (benchmarks/looks.py)"),
    Doubt(
        "burnt",
        lambda die: die.conditions.burnt > MAX_BURNT,
        BURNT,
        "white paper d10 drawn overexposed have 0.2 to 0.5, 254 photographs of dice with numerals at most 0.02",
        FLAT_TOPPED,
    ),
    Doubt("unread d4", _is_unread_d4, UNREAD_D4, "as for other kinds", (Kind.D4,)),
    Doubt("rival of a d4", _rival_of_d4, COULD_BE, "ucffool-d4: its surest wrong number has 0.3", (Kind.D4,)),
    Doubt("other kind", _other_kind, COULD_BE, "set by hand", FLAT_TOPPED),
    Doubt("other number", _other_number, "{}", "see layouts.py and pose.py", FLAT_TOPPED),
    Doubt("unsure", _is_unsure, "{}", "measured (calibration.py)", also_shown=True),
    Doubt(
        "confirmed otherwise",
        lambda die: die.confirmed not in (None, die.number) and (some(die.confirmed or 0),),
        "looks more like {} that you confirmed",
        "see enrolment/confirmed.py",
        also_shown=True,
    ),
    Doubt("on a d4", _is_on_d4, "could be {} or one face of a d4", "no limit", FLAT_TOPPED, also_shown=True),
)
"""Every reason for which one die is asked about, in the order in which they are looked at. What speaks against a
whole tray is said in ``select.py``."""


# From here on a reason is given: these limits say what a person reads of a doubted die, never whether it is one.
SMALL_SIDE = 14
"""Pixels: a smaller die is too small."""
SAID_BY = {
    **dict.fromkeys(("value", "reader", "second", "number_objection"), "number"),
    **dict.fromkeys(("print_agrees", "print_differs", "learned"), "number"),
    "kind_objection": "kind",
    "score": "none",
}
"""What says the same as other features is added up."""
SENTENCES = {
    "none": NO_DIE,
    "size_deviation": OTHER_SIZE,
    "smallness": "is small in the picture: bring the camera closer",
    "blur": "is blurred: focus the camera, or hold it still",
    "glare": "has a gleam on it: move the lamp",
    "truncation": CUT_OFF,
    "max_neighbour_iou": TOO_CLOSE,
}
GLARE_SHARE = 0.08
"""Share of a die that is burnt out from which that is given as the reason why a number is not read."""
MIN_LOW = 0.8
"""Probability of a low camera from which a person is told to raise it: clear dice, through which the lower face's
pips shine, look as from low to a reader that is less sure."""
MAX_MISREAD, MIN_ASIDE = 0.05, 0.35
"""Probability of a misread, and how far aside a die lies, above which a person is told to move it."""


def reason_in_words(die: Decision) -> str:
    """Why a die is not believed: the sentence for what takes most of its confidence away, if it would be believed
    once that is mended; else what it could be."""
    lost: dict[str, float] = {}
    for feature, loss in die.against.items():
        said = SAID_BY.get(feature, feature)
        lost[said] = lost.get(said, 0.0) + loss
    most = max(lost, key=lost.__getitem__, default="number")
    if die.conditions.side < SMALL_SIDE:
        return SENTENCES["smallness"]
    mended = log_odds(math.log(max(die.confidence, 1e-6))) + lost.get(most, 0.0)
    if most in ("none", "size_deviation") or (most in SENTENCES and mended >= log_odds(math.log(die.level))):
        return SENTENCES[most]
    if most == "rival_camera":
        return _which_face(die)
    # What makes a number or a kind unclear is named, where it can be seen.
    if die.conditions.glare > GLARE_SHARE:
        return SENTENCES["glare"]
    if most == "kind":
        other = next(KINDS[int(at)] for at in np.argsort(-die.kinds[1:]) if KINDS[int(at)] is not die.kind)
        return COULD_BE.format(*_two_kinds(die.kind, other))
    return could_be(die)
