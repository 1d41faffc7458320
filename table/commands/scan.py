"""``loom scan``: the cards in pictures or before a camera."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from table.commands.output import AsJson, say, warn, write_json

if TYPE_CHECKING:
    from vision.cards import CardScan

NO_CARDS = 1
REFUSED = 2


def scan(
    images: Annotated[list[Path] | None, typer.Argument(help="Pictures of cards.", show_default=False)] = None,
    camera: Annotated[str | None, typer.Option("--camera", help="Use this camera instead.")] = None,
    draw: Annotated[Path | None, typer.Option("--draw", help="Write pictures with what was seen here.")] = None,
    as_json: AsJson = False,
) -> int:
    """Find the cards in pictures, with their places, in the order in which they lie."""
    from table.seeing import cards_in, draw_cards, pictures_from

    results: list[dict[str, Any]] = []
    code = 0
    for name, picture in pictures_from(images or [], camera):
        seen = cards_in(picture)
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


def _result(name: str, seen: CardScan) -> dict[str, Any]:
    from table.seeing import card_name

    return {
        "picture": name,
        "cards": [
            {
                "card": c.card.short,
                "name": card_name(c.card),
                "quad": c.quad,
                "turn": round(c.turn, 1),
                "pixels_per_module": round(c.pixels_per_module, 2),
            }
            for c in seen.cards
        ],
        "refused": [{"trouble": r.trouble, "reason": r.reason, "quad": r.quad} for r in seen.refused],
        "advice": seen.advice,
    }


def _tell(name: str, seen: CardScan) -> None:
    from table.seeing import card_name

    count = len(seen.cards)
    say(f"{name}: {'no cards' if not count else 'one card' if count == 1 else f'{count} cards'}")
    for card in seen.cards:
        x, y = (round(v) for v in card.centre)
        say(f"  {card.card.short:<5} {card_name(card.card):<22} at {x:>4}, {y:>4}, turned {card.turn:+.0f}°")
    if seen.advice:
        say(f"  Note: {seen.advice}.")
