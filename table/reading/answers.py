"""Answering what is asked by looking: a picture of dice or cards, held against the open request."""

from __future__ import annotations

from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import CardReading, CoinReading, Reading, Source
from loomtable.engine.kernel.requests import Flip, Request, Roll, ShowCard
from loomtable.engine.systems import card_name
from loomtable.table.reading.pictures import cards_in
from loomtable.vision.dice import TrayReading, read_either
from loomtable.vision.dice.enrolment.rolls import own_dice
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker import read_poker
from loomtable.vision.verdict import Verdict


@dataclass(frozen=True)
class CameraAnswer:
    """What a look at the table brought: an answer where it is sure, the tray where a person has to help."""

    says: str
    answer: Reading | None = None
    tray: TrayReading | None = None
    """The dice, where a person has to help with them."""
    tray_after: TrayReading | None = None
    """The dice as they were read or put right, sure or not."""
    cards: tuple[ComponentId, ...] = ()
    """Where several cards could be meant and none is in doubt: all of them, as they lie."""


def look_at(asked: Request, picture: BgrImage) -> CameraAnswer:
    """Read what is asked for in a picture. Doubt is never turned into an answer.

    Raises:
        ReadingMisfit: what is asked cannot be read by a camera.
    """
    if isinstance(asked, Roll):
        # Where ordinary dice may stand in, either those lie there or the ones that were asked for.
        dice = (asked.die, Die.D6) if asked.stand_in else (asked.die,)
        return answer_of_tray(asked, read_either(picture, [(asked.count, die) for die in dice], own=own_dice()))
    if isinstance(asked, Flip):
        return answer_of_tray(asked, read_either(picture, [(1, Die.COIN)], own=own_dice()))
    if isinstance(asked, ShowCard):
        return _card(asked, picture)
    raise ReadingMisfit("only dice, coins and cards can be looked at; type the answer")


def answer_of_tray(asked: Roll | Flip, tray: TrayReading) -> CameraAnswer:
    """What a tray that was read brings for the roll or the flip that is asked."""
    return _dice(tray) if isinstance(asked, Roll) else _coin(tray)


def corrected(tray: TrayReading, place: int, face: str) -> CameraAnswer:
    """The tray after a person said what die ``place`` (from 1) shows.

    Raises:
        ReadingMisfit: there is no such die, or it has no such face.
    """
    if not 1 <= place <= len(tray.dice):
        raise ReadingMisfit(f"there is no die {place}; there are {len(tray.dice)}")
    return _dice(tray.corrected(place - 1, tray.dice[place - 1].die.parse_face(face)))


def _dice(tray: TrayReading) -> CameraAnswer:
    shown = ", ".join(f"{d.face}{' (?)' if d.doubt else ''}" for d in tray.dice)
    says = f"{tray.verdict}: {tray.reason}" + (f". They show {shown}" if shown else "")
    if tray.verdict is Verdict.ACCEPTED:
        return CameraAnswer(says, tray.rolled(), tray_after=tray)
    return CameraAnswer(says, None, tray if tray.verdict is Verdict.ASK else None, tray)


def _coin(tray: TrayReading) -> CameraAnswer:
    """A coin that is not sure is flipped again or typed; there is nothing on it to put right."""
    if tray.verdict is not Verdict.ACCEPTED:
        return CameraAnswer(f"{tray.verdict}: {tray.reason}; flip it again, or type the side", tray_after=tray)
    [coin] = tray.dice
    return CameraAnswer(
        f"accepted: {coin.face}", CoinReading(str(coin.face), Source.CAMERA, coin.confidence), tray_after=tray
    )


def _card(asked: ShowCard, picture: BgrImage) -> CameraAnswer:
    scan = cards_in(picture)
    fitting = [c for c in dict.fromkeys(scan.ids) if c.kind is asked.kind and c.number in asked.among]
    if len(fitting) == 1:
        return CameraAnswer(
            f"accepted: {fitting[0]} {card_name(fitting[0])}", CardReading(fitting[0], Source.CAMERA)
        )
    if fitting:
        unsure = scan.refused or scan.unread or any(seen.doubt for seen in scan.cards)
        return CameraAnswer(
            f"{len(fitting)} cards could be meant ({', '.join(map(str, fitting))}); show one, or type it",
            cards=() if unsure else tuple(fitting),
        )
    reasons = [refused.reason for refused in scan.refused] + ([scan.advice] if scan.advice else [])
    if asked.kind is Kind.POKER and not scan.ids:
        return _poker(asked, picture)
    others = f"only {', '.join(map(str, scan.ids))}" if scan.ids else "no card"
    return CameraAnswer("; ".join([f"{others} of those that can be shown now" if scan.ids else others, *reasons]))


def _poker(asked: ShowCard, picture: BgrImage) -> CameraAnswer:
    """A card of an ordinary deck, which bears no code: by the indices in its corners."""
    reading = read_poker(picture)
    if reading.verdict is Verdict.REJECTED:
        return CameraAnswer(f"{reading.reason}; show the card, or type it")
    fitting = [card for card in reading.sure if card.number in asked.among]
    if reading.verdict is Verdict.ACCEPTED and len(fitting) == 1 == len(reading.cards):
        [one] = reading.cards
        return CameraAnswer(
            f"accepted: {fitting[0].short} {fitting[0].name}",
            CardReading(ComponentId(Kind.POKER, fitting[0].number), Source.CAMERA, one.confidence),
        )
    if len(reading.cards) > 1:
        return CameraAnswer(f"{len(reading.cards)} cards are in the picture; show one, or type it")
    why = reading.reason or f"the {reading.sure[0].name} is not one of those that can be shown now"
    return CameraAnswer(f"{why}; show it again, or type it")
