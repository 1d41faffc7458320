"""The demo's page: the evening in pictures, with what was read drawn on them. One HTML file and its pictures."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import fontpkg_marcellus
import fontpkg_spectral

from loomtable.engine.kernel.journal import Answered, Line
from loomtable.engine.weave.decks import name_of
from loomtable.engine.weave.state import MOST_WOUNDS, STRIKE_TRACK, Character
from loomtable.engine.weave.suits import Suit
from loomtable.table.demo.evening import Evening, ReadFrame
from loomtable.table.journal_words import line_in_words, reading_in_words

_FONTS = (
    (fontpkg_marcellus, "Marcellus-Regular.ttf"),
    (fontpkg_spectral, "Spectral-Regular.ttf"),
    (fontpkg_spectral, "Spectral-Italic.ttf"),
    (fontpkg_spectral, "Spectral-SemiBold.ttf"),
)


def write_page(path: Path, evening: Evening, sheets: Sequence[tuple[str, Path]]) -> None:
    """Write the page; ``sheets`` are pictures of printed pages with their titles. Written beside and renamed."""
    season = evening.session.state
    body = [
        f"<header><p class=over>An evening of Weave</p><h1>{escape(season.name)}</h1></header>",
        _section("Printed", _sheets(sheets, path.parent)),
        _section("Seen", f"<div class=pictures>{''.join(_seen(s, path.parent) for s in evening.seen)}</div>"),
        _section("The character", "".join(_sheet(c) for c in season.characters.values())),
        _section("The story", _list("story", evening.session.story())),
        _section("The journal", _journal(evening.session.lines())),
    ]
    text = _PAGE.replace("{title}", escape(season.name)).replace("{body}", "\n".join(body))
    _bring_fonts(path.parent / "fonts")
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)  # noqa: PTH105 - the one call that renames over an existing file on every system


def _bring_fonts(folder: Path) -> None:
    """The page's own fonts beside it, so that it looks the same on any machine and without a network."""
    folder.mkdir(parents=True, exist_ok=True)
    for package, name in _FONTS:
        shutil.copyfile(Path(package.ROOT) / "files" / name, folder / name)


def _section(title: str, inside: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{inside}</section>"


def _list(kind: str, lines: Iterable[str]) -> str:
    return f"<ol class={kind}>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ol>"


def _sheets(sheets: Sequence[tuple[str, Path]], home: Path) -> str:
    figures = (
        f'<figure><img src="{escape(p.relative_to(home).as_posix())}" alt="{escape(title)}" loading=lazy>'
        f"<figcaption>{escape(title)}</figcaption></figure>"
        for title, p in sheets
    )
    return f"<div class=sheets>{''.join(figures)}</div>"


def _seen(seen: ReadFrame, home: Path) -> str:
    source = escape(seen.picture.relative_to(home).as_posix())
    return (
        f'<figure class=seen><img src="{source}" alt="{escape(seen.title)}: {escape(seen.says)}" loading=lazy>'
        f"<figcaption><b>{escape(seen.title)}</b> {escape(seen.says)}</figcaption></figure>"
    )


def _sheet(character: Character) -> str:
    suits = "".join(
        f"<td>{suit.label}<b>{'+' if character.dice_bonus(suit) else ''}{character.dice_bonus(suit)}</b></td>"
        for suit in Suit
    )
    strikes = _track("Strikes", character.strikes, STRIKE_TRACK)
    wounds = _track("Wounds", character.wounds, MOST_WOUNDS)
    qualities = "".join(
        _quality(q.kind.label, name_of(q.card), q.quality.name, q.quality.text, q.quality.mechanic)
        for q in character.qualities
    )
    return (
        f"<article class=sheet><h3>{escape(character.name)}</h3>"
        f"<p>Core Suit {character.core_suit.label}, level {character.level}</p>"
        f"<table><tr>{suits}</tr></table>{strikes}{wounds}<dl>{qualities}</dl></article>"
    )


def _track(name: str, marked: int, length: int) -> str:
    boxes = "".join(f"<i{' class=marked' if n < marked else ''}></i>" for n in range(length))
    return f'<p class=track aria-label="{name}: {marked} of {length}"><span>{name}</span>{boxes}</p>'


def _quality(kind: str, card: str, name: str, text: str, mechanic: object) -> str:
    says = getattr(mechanic, "says", "")
    effect = f"<em>{escape(says)}</em>" if says else ""
    return f"<dt><small>{kind} - {escape(card)}</small>{escape(name)}</dt><dd>{escape(text)} {effect}</dd>"


def _journal(lines: Sequence[Line]) -> str:
    rows = "".join(f"<tr><td>{line.seq}</td>{_entry(line)}</tr>" for line in lines)
    return f"<div class=scroll><table class=journal><tbody>{rows}</tbody></table></div>"


def _entry(line: Line) -> str:
    match line.entry:
        case Answered(reading=reading, request=request):
            said, how = reading_in_words(reading)
            asked = f"{escape(request.purpose)} <small>{escape(request.rule)}</small>"
            return f"<td>{asked}</td><td>{escape(said)}</td><td>{how}</td>"
        case _:
            return f"<td colspan=3><b>{escape(line_in_words(line))}</b></td>"


_PAGE = """<!doctype html>
<html lang=en>
<meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1">
<title>{title} - Loomtable</title>
<style>
@font-face { font-family: Marcellus; src: url(fonts/Marcellus-Regular.ttf); }
@font-face { font-family: Spectral; src: url(fonts/Spectral-Regular.ttf); }
@font-face { font-family: Spectral; font-style: italic; src: url(fonts/Spectral-Italic.ttf); }
@font-face { font-family: Spectral; font-weight: 600; src: url(fonts/Spectral-SemiBold.ttf); }
:root { color-scheme: light dark; --ground: #f7f2e8; --ink: #2b2620; --soft: #6d6255; --line: #d9cdb8;
  --card: #fffdf8; --accent: #a03d2a; }
@media (prefers-color-scheme: dark) { :root { --ground: #1b1916; --ink: #ece4d6; --soft: #a99d8b; --line: #403a31;
  --card: #25221d; --accent: #e58a6f; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem clamp(1rem, 4vw, 3rem) 4rem; max-width: 78rem; background: var(--ground);
  color: var(--ink); font: 1.05rem/1.55 Spectral, Georgia, "Times New Roman", serif; }
header { padding: 3rem 0 1rem; text-align: center; }
h1, h2, h3 { font-family: Marcellus, Optima, Georgia, serif; font-weight: 400; line-height: 1.15; margin: 0; }
h1 { font-size: clamp(2.2rem, 6vw, 3.6rem); }
h2 { font-size: 1.6rem; padding: 2.2rem 0 .8rem; border-top: 1px solid var(--line); margin-top: 2.4rem; }
.over, small { color: var(--soft); letter-spacing: .06em; }
.over { text-transform: uppercase; font-size: .85rem; margin: 0 0 .4rem; }
figure { margin: 0; }
img { display: block; max-width: 100%; height: auto; border-radius: 6px; }
figcaption { color: var(--soft); padding: .5rem .1rem 1.6rem; }
figcaption b { color: var(--ink); font-weight: 600; margin-right: .6em; }
.sheets { display: grid; gap: 1rem 1.4rem;
  grid-template-columns: repeat(auto-fit, minmax(min(16rem, 42vw), 1fr)); }
.pictures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(34rem, 100%), 1fr)); gap: 0 1.4rem; }
.sheets img { border: 1px solid var(--line); background: #fff; }
.sheet { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 1.6rem 1.8rem; }
.sheet h3 { font-size: 2rem; }
.sheet p { margin: .3rem 0 .9rem; color: var(--soft); }
table { border-collapse: collapse; width: 100%; }
.sheet td { border: 1px solid var(--line); text-align: center; padding: .4rem; width: 25%; }
.sheet td b { display: block; font-size: 1.5rem; font-weight: 500; }
.track { display: flex; gap: clamp(.18rem, 1vw, .35rem); align-items: center; flex-wrap: wrap; }
.track span { min-width: clamp(3.9rem, 14vw, 5.2rem); }
.track i { width: clamp(.8rem, 3.4vw, 1.1rem); height: clamp(.8rem, 3.4vw, 1.1rem);
  border: 1.5px solid var(--ink); border-radius: 3px; }
.track i.marked { background: var(--accent); border-color: var(--accent);
  clip-path: polygon(0 0, 100% 0, 100% 100%, 0 100%); }
dt { font-family: Marcellus, Georgia, serif; font-size: 1.15rem; margin-top: 1rem; }
dt small { display: block; font: .8rem Spectral, Georgia, serif; }
dd { margin: .15rem 0 0; }
dd em { display: block; color: var(--accent); }
.story { padding-left: 1.4rem; }
.story li { padding: .12rem 0; }
.scroll { overflow-x: auto; }
.journal td { border-bottom: 1px solid var(--line); padding: .35rem .6rem; vertical-align: top; }
.journal td:first-child { color: var(--soft); text-align: right; }
.journal td:last-child { color: var(--soft); }
</style>
<body>
{body}
</body>
</html>
"""
