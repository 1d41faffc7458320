"""Answering what is asked by looking: a picture of dice or cards, held against the open request."""

from __future__ import annotations

from dataclasses import dataclass

from engine.kernel.dice import Die
from engine.kernel.errors import ReadingMisfit
from engine.kernel.readings import Flipped, How, Reading, Shown
from engine.kernel.requests import Flip, Request, Roll, ShowCard
from table.seeing import card_name, cards_in
from vision.dice import TrayReading, read_either
from vision.dice.own import own_dice
from vision.pictures import Picture
from vision.verdict import Verdict


@dataclass(frozen=True)
class Seen:
    """What a look at the table brought: an answer where it is sure, the tray where a person has to help."""

    says: str
    answer: Reading | None = None
    tray: TrayReading | None = None


def look_at(asked: Request, picture: Picture) -> Seen:
    """Read what is asked for in a picture. Doubt is never turned into an answer.

    Raises:
        ReadingMisfit: what is asked cannot be read by a camera.
    """
    if isinstance(asked, Roll):
        # Where ordinary dice may stand in, either those lie there or the ones that were asked for.
        dice = (asked.die, Die.D6) if asked.stand_in else (asked.die,)
        return _dice(read_either(picture, [(asked.count, die) for die in dice], own=own_dice()))
    if isinstance(asked, Flip):
        return _coin(read_either(picture, [(1, Die.COIN)], own=own_dice()))
    if isinstance(asked, ShowCard):
        return _card(asked, picture)
    raise ReadingMisfit("only dice, coins and cards can be looked at; type the answer")


def corrected(tray: TrayReading, place: int, face: str) -> Seen:
    """The tray after a person said what die ``place`` (from 1) shows.

    Raises:
        ReadingMisfit: there is no such die, or it has no such face.
    """
    if not 1 <= place <= len(tray.dice):
        raise ReadingMisfit(f"there is no die {place}; there are {len(tray.dice)}")
    return _dice(tray.corrected(place - 1, tray.dice[place - 1].die.parse_face(face)))


def _dice(tray: TrayReading) -> Seen:
    shown = ", ".join(f"{d.face}{' (?)' if d.doubt else ''}" for d in tray.dice)
    says = f"{tray.verdict}: {tray.reason}" + (f". They show {shown}" if shown else "")
    if tray.verdict is Verdict.ACCEPTED:
        return Seen(says, tray.rolled())
    return Seen(says, None, tray if tray.verdict is Verdict.ASK else None)


def _coin(tray: TrayReading) -> Seen:
    """A coin that is not sure is flipped again or typed; there is nothing on it to put right."""
    if tray.verdict is not Verdict.ACCEPTED:
        return Seen(f"{tray.verdict}: {tray.reason}; flip it again, or type the side")
    [coin] = tray.dice
    return Seen(f"accepted: {coin.face}", Flipped(str(coin.face), How.CAMERA, coin.confidence))


def _card(asked: ShowCard, picture: Picture) -> Seen:
    scan = cards_in(picture)
    fitting = [c for c in dict.fromkeys(scan.ids) if c.kind is asked.kind and c.number in asked.among]
    if len(fitting) == 1:
        return Seen(f"accepted: {fitting[0]} {card_name(fitting[0])}", Shown(fitting[0], How.CAMERA))
    if fitting:
        return Seen(f"{len(fitting)} cards could be meant ({', '.join(map(str, fitting))}); show one, or type it")
    reasons = [refused.reason for refused in scan.refused] + ([scan.advice] if scan.advice else [])
    others = f"only {', '.join(map(str, scan.ids))}" if scan.ids else "no card"
    return Seen("; ".join([f"{others} of those that can be shown now" if scan.ids else others, *reasons]))
