"""``loom scan``: the cards in pictures or before a camera."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.table.commands import completion
from loomtable.table.commands.options import AsLines, CameraAt, Draw, Images, camera_or_set, grouped
from loomtable.table.commands.output import DEFAULT_STORE, UNOPENED, StoreAt, each_look, say, warn, write_line
from loomtable.vision.verdict import Verdict

if TYPE_CHECKING:
    from loomtable.vision.cards import CardScan

NO_CARDS, REFUSED = 1, 2
CARD = ("card", "cards")


@dataclass(frozen=True)
class SetUpStep:
    """Set up a step of Weave."""

    for_: Annotated[
        str | None, "episode, character, level-up, location, hand or challenge.", "STEP", completion.scan_steps
    ] = None
    session: Annotated[str, "The session it is for.", "NAME", completion.sessions] = "weave"
    who: Annotated[str | None, "The character of a level-up or challenge.", "NAME"] = None
    player: Annotated[str | None, "Whose character it is.", "NAME"] = None
    playset: Annotated[str | None, "The playset of a new season.", "NAME", completion.playsets] = None


@grouped
def scan(
    images: Images = None,
    camera: CameraAt = None,
    draw: Draw = None,
    as_json: AsLines = False,
    *,
    step: SetUpStep,
    store: StoreAt = DEFAULT_STORE,
) -> int:
    """Read printed cards, in their order on the table; with --for, set up a step of Weave with them."""
    files = images or []
    if step.for_ is not None:
        from loomtable.table.reading.card_trial import card_steps
        from loomtable.table.reading.looking import CardTable

        if as_json:
            why = "--for is talked through in the terminal and has no --json; leave one of the two out"
            raise LoomtableError(why)
        steps = {name: steps.set_up for steps in card_steps() for name in steps.names}
        if step.for_ not in steps:
            raise IllegalAction(f"cards are scanned for {listed(steps)}, not for {step.for_!r}")
        with closing(CardTable(files, camera_or_set(files, camera))) as cards:
            return steps[step.for_](
                step.for_, step.session, store, cards.scan, who=step.who, player=step.player, playset=step.playset
            )
    from loomtable.printkit.import_sum import ImportSum
    from loomtable.table.reading.looking import cards_at
    from loomtable.table.reading.pictures import draw_cards

    code, told = 0, ImportSum("", begun="Read", left="not read")
    looks = cards_at(files, camera_or_set(files, camera))
    for look, scanned in each_look(looks, told, CARD, _sure, _unread if as_json else None):
        if as_json:
            write_line(_result(look.name, scanned))
        else:
            _tell(look.name, scanned)
        for refused in scanned.refused:
            x, y = (round(v) for v in refused.quad[0])
            warn(f"{look.name}: at {x}, {y}: {refused.reason}")
        told.lose(len(scanned.cards) - _sure(scanned), *CARD, "in doubt")
        told.lose(scanned.blurred, *CARD, "or so out of focus")
        told.lose(len(scanned.refused), "code that is not one of our cards", "codes that are not our cards")
        told.lose(len(scanned.unread), "place that may be a code", "places that may be codes")
        if scanned.refused:
            code = REFUSED
        elif not scanned.cards:
            code = max(code, NO_CARDS)
            told.lose(not scanned.advice, "file", "files", "without cards")
        if draw is not None and look.picture is not None:
            draw_cards(look.picture, scanned, draw, look.title)
    return REFUSED if told.losses[UNOPENED] else code


def _sure(scan: CardScan) -> int:
    return sum(not card.doubt for card in scan.cards)


def _verdict(scan: CardScan) -> tuple[Verdict, str]:
    """The whole picture's: refused codes first, then doubts, then whether there is anything."""
    if scan.refused:
        return Verdict.REJECTED, scan.refused[0].reason
    if doubtful := [card for card in scan.cards if card.doubt]:
        return Verdict.ASK, f"{doubtful[0].card.short}: {doubtful[0].doubt}"
    if not scan.cards:
        return Verdict.REJECTED, scan.advice or "no cards were seen"
    return Verdict.ACCEPTED, ""


def _unread(name: str, reason: str) -> dict[str, Any]:
    told = {"image": name, "status": Verdict.REJECTED, "reason": reason}
    return {**told, "cards": [], "refused": [], "advice": None}


def _result(name: str, scanned: CardScan) -> dict[str, Any]:
    from loomtable.engine.systems import card_name

    status, reason = _verdict(scanned)
    return {
        "image": name,
        "status": status,
        "reason": reason,
        "cards": [
            {
                "card": c.card.short,
                "name": card_name(c.card),
                "quad": c.quad,
                "turn": round(c.rotation, 1),
                "status": c.verdict,
                "doubt": c.doubt,
                "pixels_per_module": round(c.pixels_per_module, 2),
            }
            for c in scanned.cards
        ],
        "refused": [{"trouble": r.kind, "reason": r.reason, "quad": r.quad} for r in scanned.refused],
        "advice": scanned.advice,
    }


def _tell(name: str, scanned: CardScan) -> None:
    from loomtable.engine.systems import card_name

    count = len(scanned.cards)
    say(f"{name}: {'no cards' if not count else 'one card' if count == 1 else f'{count} cards'}")
    for card in scanned.cards:
        x, y = (round(v) for v in card.centre)
        doubt = f"  ask: {card.doubt}" if card.doubt else ""
        turned = f"turned {card.rotation:+.0f}°{doubt}"
        say(f"  {card.card.short:<5} {card_name(card.card):<22} at {x:>4}, {y:>4}, {turned}")
    if scanned.advice:
        say(f"  Note: {scanned.advice}.")
