"""On a laptop whatever is asked is answered without scrolling: all there is to press, and what sends it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from docs.site.page_pictures import evening
from loomtable.engine.kernel.requests import Choose, EnterNumber, EnterText, Flip, Request, Roll, ShowCard
from loomtable.table.hosting.devices import Role
from tests.playing import transcript
from tests.table.browsing import Served, serving
from tests.tiers import EVENINGS

BELOW = """() => {
  const box = (one) => one.getBoundingClientRect();
  const lies = (one) => box(one).top >= 0 && box(one).bottom <= innerHeight;
  const seen = (one) => one.checkVisibility() && !one.closest(".moves, .further, noscript");
  // A long list is the other way to say what is pressed on a tapestry, which is in sight then.
  const lists = [...document.querySelectorAll(".asked .options")];
  const long = lists.some((one) => one.scrollHeight > one.clientHeight + 2);
  const where = long ? ":is(.asked :not(.options *), .laying)" : ".asked *";
  const all = [...document.querySelectorAll(":is(button, input:not([type=hidden]), summary, .laying)")]
    .filter((one) => one.matches(where) && seen(one));
  const below = all.filter((one) => !lies(one)).map((one) => one.textContent.trim() || one.name);
  return { presses: all.length, below };
}"""
"""What of a question can be pressed or written in, and what of that lies outside the window."""


def shape(asked: Request) -> tuple[tuple[str, ...], int]:
    """What kind of question it is for the one who answers it, and how much there is to press."""
    match asked:
        case Roll(ticks=ticks, whose=whose, count=count, die=die):
            ticked = len(ticks.options) if ticks is not None else 0
            return ("roll", "ticks" if ticks else "", "several" if whose else ""), 4 * ticked + count + len(
                die.faces
            )
        case Flip():
            return ("flip",), 0
        case ShowCard(kind=kind):
            return ("card", kind.value), 0
        case Choose(options=options, at_most=most, about=about):
            told = sum(len(option.says) for option in options)
            return (
                "choose",
                "several" if most > 1 else "",
                "about" if about else "told" if told > 40 * len(options) else "",
            ), 100 * len(options) + told
        case EnterNumber(options=options):
            return ("number", "told" if options else ""), len(options)
        case EnterText(suggestions=suggestions):
            return ("text",), len(suggestions)


def fullest() -> dict[tuple[str, ...], tuple[str, int]]:
    """Of every kind of question in the evenings that travel with Loomtable, where it has most to press."""
    found: dict[tuple[str, ...], tuple[int, str, int]] = {}
    for name in EVENINGS:
        session = transcript(name)
        for played in session.played:
            if played.pending is not None:
                kind, size = shape(played.pending)
                found[kind] = max(found.get(kind, (-1, "", 0)), (size, name, played.step.seq))
    return {kind: (name, seq) for kind, (_, name, seq) in found.items()}


@pytest.fixture(scope="module")
def table(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with serving(browser, tmp_path_factory.mktemp("table")) as here:
        yield here


def test_all_there_is_to_press_lies_in_the_window_of_a_laptop(table: Served) -> None:
    asked = fullest()
    assert len(asked) >= 15, "every kind of question"
    page = table.page(Role.HOST, reads=True)
    wrong = {}
    for at, (kind, (name, seq)) in enumerate(asked.items()):
        evening(table.host, f"kind {at}", name, lambda line, _, seq=seq: line >= seq)  # type: ignore[misc]
        page.goto(f"{table.base}/table/kind%20{at}")
        found = page.evaluate(BELOW)
        assert found["presses"] >= 2, kind
        if found["below"]:
            wrong[kind] = (name, seq, found["below"])
    assert not wrong


def test_twelve_dice_and_four_targets_with_all_other_moves_lie_in_the_window(table: Served) -> None:
    live = table.host.begin_ready("spellwoven", seed="pictures")
    page = table.page(Role.HOST, reads=True)
    page.goto(f"{table.base}/table/{live.name}")
    page.locator("#act-form button.large").click()
    page.get_by_role("heading", name="Roll twelve d10s").wait_for()
    assert page.locator("[data-slot]").count() == 12
    assert page.evaluate(BELOW)["below"] == []
