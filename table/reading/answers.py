"""Answering what is asked by looking: a picture or a scene of dice and cards, held against the open request."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die
from loomtable.engine.kernel.errors import ReadingMisfit
from loomtable.engine.kernel.readings import CardReading, CoinReading, Reading, Source
from loomtable.engine.kernel.requests import Flip, Request, Roll, ShowCard
from loomtable.engine.systems import card_name
from loomtable.table.reading.pictures import card_marks, cards_in, dice_marks, poker_marks
from loomtable.table.reading.scene import NOTHING, Scene, Wanted, known_dice
from loomtable.vision.cards import CardScan
from loomtable.vision.dice import Pool, TrayReading, read_either
from loomtable.vision.overlay import Mark
from loomtable.vision.pictures import BgrImage
from loomtable.vision.poker import read_poker
from loomtable.vision.verdict import Verdict


@dataclass(frozen=True)
class CameraAnswer:
    """What a look at the table brought: an answer where it is sure."""

    says: str
    answer: Reading | None = None
    tray: TrayReading | None = None
    """The dice as they were read or put right, sure or not."""
    cards: tuple[ComponentId, ...] = ()
    """Where several cards could be meant and none is in doubt: all of them, as they lie."""
    marks: tuple[Mark, ...] = ()
    """What was read, to be drawn on the picture."""

    @property
    def in_doubt(self) -> TrayReading | None:
        """The dice, where a person has to say what some of them show."""
        return self.tray if self.tray is not None and self.tray.verdict is Verdict.ASK else None


def wanted_for(asked: Request | None) -> Wanted:
    """What has to be looked for to answer this."""
    match asked:
        case Roll():
            # Where ordinary dice may stand in, either those lie there or the ones that were asked for.
            dice = (asked.die, Die.D6) if asked.stand_in else (asked.die,)
            return Wanted(pools=tuple(Pool(((die, asked.count),)) for die in dice))
        case Flip():
            return Wanted(pools=(Pool(((Die.COIN, 1),)),))
        case ShowCard():
            return Wanted(cards=True, playing_cards=asked.kind is Kind.POKER)
        case _:
            return NOTHING


def look_at(asked: Request, picture: BgrImage) -> CameraAnswer:
    """Read what is asked for in a picture. Doubt is never turned into an answer.

    Raises:
        ReadingMisfit: what is asked cannot be read by a camera.
    """
    if isinstance(asked, Roll | Flip):
        return answer_of_tray(asked, read_either(picture, wanted_for(asked).pools, own=known_dice()))
    if isinstance(asked, ShowCard):
        return _card(asked, picture)
    raise ReadingMisfit("only dice, coins and cards can be looked at; type the answer")


def answer_of_tray(asked: Roll | Flip, tray: TrayReading) -> CameraAnswer:
    """What a tray that was read or put right brings for the roll or the flip that is asked."""
    marks = tuple(dice_marks(tray))
    says, sure = f"{tray.verdict}: {tray.reason}", tray.verdict is Verdict.ACCEPTED
    if isinstance(asked, Roll):
        shown = ", ".join(" or ".join(map(str, d.likely or (d.face,))) + " (?)" * bool(d.doubt) for d in tray.dice)
        says += f". They show {shown}" if shown else ""
        return CameraAnswer(says, tray.rolled() if sure else None, tray, marks=marks)
    if not sure:
        return CameraAnswer(f"{says}; flip it again, or type the side", None, tray, marks=marks)
    [coin] = tray.dice
    reading = CoinReading(str(coin.face), coin.how, coin.confidence)
    return CameraAnswer(f"accepted: {coin.face}", reading, tray, marks=marks)


def corrected(asked: Roll | Flip, tray: TrayReading, place: int, face: str) -> CameraAnswer:
    """The tray after a person said what die ``place`` (from 1) shows.

    Raises:
        ReadingMisfit: there is no such die, or it has no such face.
    """
    if not 1 <= place <= len(tray.dice):
        raise ReadingMisfit(f"there is no die {place}; there are {len(tray.dice)}")
    return answer_of_tray(asked, tray.corrected(place - 1, tray.dice[place - 1].die.parse_face(face)))


def fits(asked: ShowCard, card: ComponentId) -> bool:
    """Whether a card can answer this."""
    return card.kind is asked.kind and card.number in asked.among


def cards_meant(asked: ShowCard, scene: Scene) -> tuple[ComponentId, ...]:
    """The sure cards of a scene that can be meant; what lay there before it was asked for is not what is shown,
    but in a row."""
    sure = scene.sure_cards
    fitting = tuple(card for card in sure if fits(asked, card))
    if len(fitting) < 2:
        return fitting
    laid = tuple(card for card in fitting if card in scene.laid)
    return laid if len(laid) == 1 or len(sure) < len(scene.cards) else laid or fitting


def answer_of_cards(cards: Sequence[ComponentId], scene: Scene) -> CameraAnswer:
    """What the cards of a scene that can be meant bring."""
    marks = tuple(card_marks(CardScan(scene.cards)))
    if len(cards) == 1:
        return _answer_of_card(cards[0], marks)
    says = "several cards could be meant; show one" if cards else "; ".join(scene.notes) or scene.disturbed
    return CameraAnswer(says or "looking for a card", cards=tuple(cards), marks=marks)


def _answer_of_card(card: ComponentId, marks: tuple[Mark, ...]) -> CameraAnswer:
    return CameraAnswer(f"accepted: {card} {card_name(card)}", CardReading(card, Source.CAMERA), marks=marks)


def _card(asked: ShowCard, picture: BgrImage) -> CameraAnswer:
    scan = cards_in(picture)
    marks = tuple(card_marks(scan))
    fitting = [card for card in dict.fromkeys(scan.ids) if fits(asked, card)]
    if len(fitting) == 1:
        return _answer_of_card(fitting[0], marks)
    if fitting:
        unsure = scan.refused or scan.unread or any(seen.doubt for seen in scan.cards)
        return CameraAnswer(
            f"{len(fitting)} cards could be meant ({', '.join(map(str, fitting))}); show one, or type it",
            cards=() if unsure else tuple(fitting),
            marks=marks,
        )
    reasons = [refused.reason for refused in scan.refused] + ([scan.advice] if scan.advice else [])
    if asked.kind is Kind.POKER and not scan.ids:
        return _poker(asked, picture)
    others = f"only {', '.join(map(str, scan.ids))} of those that can be shown now" if scan.ids else "no card"
    return CameraAnswer("; ".join([others, *reasons]), marks=marks)


def _poker(asked: ShowCard, picture: BgrImage) -> CameraAnswer:
    """A card of an ordinary deck, which bears no code: by the indices in its corners."""
    reading = read_poker(picture)
    marks, answer = tuple(poker_marks(reading)), None
    if reading.verdict is Verdict.REJECTED:
        says = f"{reading.reason}; show the card, or type it"
    elif len(reading.cards) > 1:
        says = f"{len(reading.cards)} cards are in the picture; show one, or type it"
    elif reading.verdict is not Verdict.ACCEPTED:
        says = f"{reading.reason}; show it again, or type it"
    elif (card := reading.sure[0]).number in asked.among:
        says = f"accepted: {card.short} {card.name}"
        answer = CardReading(ComponentId(Kind.POKER, card.number), Source.CAMERA, reading.cards[0].confidence)
    else:
        says = f"the {card.name} is not one of those that can be shown now; show it again, or type it"
    return CameraAnswer(says, answer, marks=marks)
