"""``loom scan``: the cards in pictures or before a camera."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loomtable.table.commands.output import DEFAULT_STORE, AsJson, StoreAt, say, warn, write_json

if TYPE_CHECKING:
    from loomtable.table.reading.card_setup import ScanFlow
    from loomtable.vision.cards import CardScan

NO_CARDS = 1
REFUSED = 2


def scan(
    images: Annotated[list[Path] | None, typer.Argument(help="Pictures of cards.", show_default=False)] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="Use this camera instead.")] = None,
    draw: Annotated[Path | None, typer.Option("--draw", help="Write pictures with what was seen here.")] = None,
    as_json: AsJson = False,
    purpose: Annotated[
        str | None,
        typer.Option(
            "--for", help="Set up a step of Weave: episode, character, level-up, location, hand or challenge."
        ),
    ] = None,
    session: Annotated[str, typer.Option("--session", help="With --for: the session it is for.")] = "weave",
    store: StoreAt = DEFAULT_STORE,
    who: Annotated[str | None, typer.Option("--who", help="The character of a level-up or challenge.")] = None,
    player: Annotated[str | None, typer.Option("--player", help="Whose character it is.")] = None,
    playset: Annotated[str | None, typer.Option("--playset", help="The playset of a new season.")] = None,
) -> int:
    """Find the cards in pictures, in the order in which they lie; with --for, set up a step of Weave by them."""
    if purpose is not None:
        from loomtable.table.commands.scan_flow import purpose_named, scan_for

        if as_json:
            raise typer.BadParameter("--for is talked through in the terminal; it has no --json")
        wanted = purpose_named(purpose)
        with closing(_Looking(images or [], camera)) as looking:
            return scan_for(wanted, session, store, looking.look, who=who, player=player, playset=playset)
    from loomtable.table.reading.pictures import cards_in, draw_cards, pictures_from

    results: list[dict[str, Any]] = []
    code = 0
    for name, picture in pictures_from(images or [], camera):
        seen = cards_in(picture, tags=True)
        results.append(_result(name, seen))
        if not as_json:
            _tell(name, seen)
        for refused in seen.refused:
            x, y = (round(v) for v in refused.quad[0])
            warn(f"{name}: at {x}, {y}: {refused.reason}")
        if seen.refused:
            code = REFUSED
        elif not seen.cards:
            code = max(code, NO_CARDS)
        if draw is not None:
            draw_cards(picture, seen, draw, name)
    if as_json:
        write_json(results)
    return code


class _Looking:
    """Where a flow looks: at each picture in turn, or through a camera; with neither, its cards are typed."""

    def __init__(self, images: list[Path], camera: str | None) -> None:
        from loomtable.table.reading.pictures import CardTable, NothingToLookAt

        if images and camera is not None:
            raise NothingToLookAt("give either pictures or a camera, not both")
        self._images = images
        self._camera = CardTable(camera) if camera is not None else None

    def look(self, flow: ScanFlow) -> tuple[str, ...]:
        """Show the flow what lies there; a sentence for each card, and for whatever is none of ours."""
        if self._camera is not None:
            lying, said = self._camera.look()
            return (*flow.see(lying), *said)
        from loomtable.table.reading.pictures import cards_in
        from loomtable.vision.pictures import read_picture

        told: list[str] = []
        images, self._images = self._images, []
        for path in images:
            seen = cards_in(read_picture(path), tags=True)
            told += flow.see(seen.cards)
            told += [f"{path}: {words}" for words in (*(r.reason for r in seen.refused), seen.advice) if words]
        return tuple(told)

    def close(self) -> None:
        """Give the camera back."""
        if self._camera is not None:
            self._camera.close()


def _result(name: str, seen: CardScan) -> dict[str, Any]:
    from loomtable.table.reading.pictures import card_name

    return {
        "picture": name,
        "cards": [
            {
                "card": c.card.short,
                "name": card_name(c.card),
                "quad": c.quad,
                "turn": round(c.rotation, 1),
                "verdict": c.verdict,
                "doubt": c.doubt,
                "pixels_per_module": round(c.pixels_per_module, 2),
            }
            for c in seen.cards
        ],
        "refused": [{"trouble": r.kind, "reason": r.reason, "quad": r.quad} for r in seen.refused],
        "advice": seen.advice,
    }


def _tell(name: str, seen: CardScan) -> None:
    from loomtable.table.reading.pictures import card_name

    count = len(seen.cards)
    say(f"{name}: {'no cards' if not count else 'one card' if count == 1 else f'{count} cards'}")
    for card in seen.cards:
        x, y = (round(v) for v in card.centre)
        doubt = f"  ask: {card.doubt}" if card.doubt else ""
        turned = f"turned {card.rotation:+.0f}°{doubt}"
        say(f"  {card.card.short:<5} {card_name(card.card):<22} at {x:>4}, {y:>4}, {turned}")
    if seen.advice:
        say(f"  Note: {seen.advice}.")
