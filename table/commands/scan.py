"""``loom scan``: the cards in pictures or before a camera."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from loomtable.engine.kernel.errors import IllegalAction, LoomtableError
from loomtable.engine.kernel.wording import listed
from loomtable.table.commands import completion
from loomtable.table.commands.options import AsLines, CameraAt, Draw, Images, camera_or_set, grouped
from loomtable.table.commands.output import DEFAULT_STORE, StoreAt, each, say, warn, write_line

if TYPE_CHECKING:
    from loomtable.vision.cards import CardScan, SeenCard
    from loomtable.vision.verdict import Verdict

NO_CARDS = 1
REFUSED = 2


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

        if as_json:
            why = "--for is talked through in the terminal and has no --json; leave one of the two out"
            raise LoomtableError(why)
        steps = {name: steps.set_up for steps in card_steps() for name in steps.names}
        if step.for_ not in steps:
            raise IllegalAction(f"cards are scanned for {listed(steps)}, not for {step.for_!r}")
        with closing(_Looking(files, camera_or_set(files, camera))) as looking:
            return steps[step.for_](
                step.for_,
                step.session,
                store,
                looking.scan,
                who=step.who,
                player=step.player,
                playset=step.playset,
            )
    from loomtable.table.reading.looking import cards_at
    from loomtable.table.reading.pictures import draw_cards

    code = 0
    for look in each("Reading", cards_at(files, camera_or_set(files, camera))):
        name, scanned = look.name, look.seen
        if isinstance(scanned, LoomtableError):
            warn(str(scanned))
            code = REFUSED
            if as_json:
                write_line(_unread(name, str(scanned)))
            continue
        if as_json:
            write_line(_result(name, scanned))
        else:
            _tell(name, scanned)
        for refused in scanned.refused:
            x, y = (round(v) for v in refused.quad[0])
            warn(f"{name}: at {x}, {y}: {refused.reason}")
        if scanned.refused:
            code = REFUSED
        elif not scanned.cards:
            code = max(code, NO_CARDS)
        if draw is not None and look.picture is not None:
            draw_cards(look.picture, scanned, draw, look.title)
    return code


class _Looking:
    """Where a flow looks: at each picture in turn, or through a camera; with neither, its cards are typed."""

    def __init__(self, images: list[Path], camera: str | None) -> None:
        from loomtable.table.reading.looking import CardTable, NothingToLookAt

        if images and camera is not None:
            raise NothingToLookAt("give either pictures or a camera, not both")
        self._images = images
        self._camera = CardTable(camera) if camera is not None else None

    def scan(self, see: Callable[[Sequence[SeenCard]], tuple[str, ...]]) -> tuple[str, ...]:
        """Hand over what lies there; a sentence for each card, and for whatever is none of ours."""
        if self._camera is not None:
            lying, said = self._camera.scan()
            return (*see(lying), *said)
        from loomtable.table.reading.looking import cards_at

        told: list[str] = []
        images, self._images = self._images, []
        for look in cards_at(images, None) if images else ():
            scanned = look.seen
            if isinstance(scanned, LoomtableError):
                raise scanned
            told += see(scanned.cards)
            reasons = (*(refused.reason for refused in scanned.refused), scanned.advice)
            told += [f"{look.name}: {reason}" for reason in reasons if reason]
        return tuple(told)

    def close(self) -> None:
        """Give the camera back."""
        if self._camera is not None:
            self._camera.close()


def _verdict(scan: CardScan) -> tuple[Verdict, str]:
    """The whole picture's: refused codes first, then doubts, then whether there is anything."""
    from loomtable.vision.verdict import Verdict

    if scan.refused:
        return Verdict.REJECTED, scan.refused[0].reason
    doubtful = [card for card in scan.cards if card.doubt]
    if doubtful:
        return Verdict.ASK, f"{doubtful[0].card.short}: {doubtful[0].doubt}"
    if not scan.cards:
        return Verdict.REJECTED, scan.advice or "no cards were seen"
    return Verdict.ACCEPTED, ""


def _unread(name: str, reason: str) -> dict[str, Any]:
    from loomtable.vision.verdict import Verdict

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
