"""The demo's page: an evening told from the first card to the last die. One HTML file and its pictures.

The raw frames and those with what was read drawn on them stand beside it, with cards and dice as they are printed.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

import fontpkg_marcellus
import fontpkg_spectral

from loomtable.engine.kernel.action_rules import STORYTELLER
from loomtable.engine.kernel.journal import Answered, Line
from loomtable.engine.kernel.results import RollResult, Throw, Tone, roll_results
from loomtable.engine.odds.exact import percent
from loomtable.engine.weave.decks import name_of
from loomtable.engine.weave.playset import playset
from loomtable.engine.weave.state import MOST_WOUNDS, STRIKE_TRACK, Character, ScannedQuality
from loomtable.engine.weave.suits import Suit
from loomtable.table.games.weave.demo.evening import Before, Evening, ReadFrame
from loomtable.table.games.weave.demo.printed import card_picture, die_picture
from loomtable.table.journal_words import line_in_words, reading_in_words

_FONTS = (
    (fontpkg_marcellus, "Marcellus-Regular.ttf"),
    (fontpkg_spectral, "Spectral-Regular.ttf"),
    (fontpkg_spectral, "Spectral-Italic.ttf"),
    (fontpkg_spectral, "Spectral-SemiBold.ttf"),
)
_STYLE = Path(__file__).with_name("page.css")
_RENDERED = (
    "No camera was needed: the pictures are rendered, of the very pages that were printed, on a table that is not "
    "there. They are read just as photographs are."
)


def write_page(path: Path, evening: Evening, sheets: Sequence[tuple[str, Path]], *, rendered: bool) -> None:
    """Write the page; ``sheets`` are pictures of printed pages with their titles. Written beside and renamed.

    ``rendered`` is whether the frames come from the virtual camera, which the page then says.
    """
    session, home = evening.session, path.parent
    season = session.state
    [character] = season.characters.values()
    body = [
        _header(evening, rendered),
        _section(
            "Three cards begin a season",
            "The first card is the Theme, the second the Location, the third the Boss. The playset says what each "
            "of them means; where it offers a choice, you make it.",
            _drawn(season.foundation, home),
        ),
        _section(
            "Four cards make a character",
            f"{character.player} plays {character.name}.",
            _frames(evening.seen[1:2], home) + _sheet(character),
        ),
        _section("A Challenge", _challenge(evening), _rolls(evening, home)),
        _section("What to do next", "", _next(evening)),
        _folded("Everything that happened", _list("story", session.story())),
        _folded("The journal, with where each line comes from", _journal(session.lines())),
        _folded("The kit that was printed", _sheets(sheets, home)),
    ]
    page = _PAGE.replace("{title}", escape(season.name)).replace("{style}", _STYLE.read_text("utf-8"))
    text = page.replace("{body}", "\n".join(body))
    _bring_fonts(home / "fonts")
    beside = path.with_name(path.name + ".part")
    beside.write_text(text, encoding="utf-8")
    os.replace(beside, path)  # noqa: PTH105 - the one call that renames over an existing file on every system


def _header(evening: Evening, rendered: bool) -> str:
    season = evening.session.state
    chosen = playset(season.playset)
    said = f'<p class="rendered">{escape(_RENDERED)}</p>' if rendered else ""
    return (
        f"<header><p class=over>An evening of Weave</p><h1>{escape(season.name)}</h1>"
        "<p>Weave is a story game for a few people, a deck of Story cards and a handful of dice with symbols. "
        "Loomtable printed the cards and dice, looked at them through a camera, and played what it saw by the "
        "rules. This is that evening, card by card and roll by roll.</p>"
        f"<p>{escape(chosen.title)}: {escape(chosen.mood)}</p>{said}</header>"
        + _frames(evening.seen[:1], evening.folder, "hero")
    )


def _section(title: str, says: str, inside: str) -> str:
    under = f"<small>{escape(says)}</small>" if says else ""
    return f"<section><h2>{escape(title)}{under}</h2>{inside}</section>"


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{escape(title)}</summary>{inside}</details>"


def _frames(seen: Sequence[ReadFrame], home: Path, kind: str = "seen") -> str:
    return "".join(_frame(one, home, kind) for one in seen)


def _frame(seen: ReadFrame, home: Path, kind: str = "seen") -> str:
    source, raw = (escape(p.relative_to(home).as_posix()) for p in (seen.picture, seen.frame))
    return (
        f'<figure class={kind}><img src="{source}" alt="{escape(seen.title)}: {escape(seen.says)}">'
        f"<figcaption><b>{escape(seen.title)}</b> {escape(seen.says)} "
        f'(<a href="{raw}">the picture as it was taken</a>)</figcaption></figure>'
    )


def _drawn(qualities: Iterable[ScannedQuality], home: Path) -> str:
    """Cards with what they mean: picture, name, text, and what the rules make of it."""
    told = (
        f'<article><img src="{escape(card_picture(q.card, home))}" alt="{escape(name_of(q.card))}" loading=lazy>'
        f"<p class=label>{q.kind.label} · {escape(name_of(q.card))}</p><h3>{escape(q.quality.name)}</h3>"
        f"<div><p>{escape(q.quality.text)}</p>{_does(q.quality.mechanic)}</div></article>"
        for q in qualities
    )
    return f"<div class=drawn>{''.join(told)}</div>"


def _does(mechanic: object) -> str:
    says = getattr(mechanic, "says", "")
    return f"<p class=does>{escape(says)}</p>" if says else ""


def _sheet(character: Character) -> str:
    suits = "".join(
        f"<td>{suit.label}<b>{'+' if character.dice_bonus(suit) else ''}{character.dice_bonus(suit)}</b></td>"
        for suit in Suit
    )
    strikes = _track("Strikes", character.strikes, STRIKE_TRACK)
    wounds = _track("Wounds", character.wounds, MOST_WOUNDS)
    qualities = "".join(
        f"<dt><small>{q.kind.label} · {escape(name_of(q.card))}</small>{escape(q.quality.name)}</dt>"
        f"<dd>{escape(q.quality.text)}{_does(q.quality.mechanic)}</dd>"
        for q in character.qualities
    )
    return (
        f"<article class=sheet><h3>{escape(character.name)}</h3>"
        f"<p>Core Suit {character.core_suit.label}, level {character.level}. The dice that each suit adds, and "
        "the state of things when the evening ends:</p>"
        f"<table><tr>{suits}</tr></table>{strikes}{wounds}<dl>{qualities}</dl></article>"
    )


def _track(name: str, marked: int, length: int) -> str:
    boxes = "".join(f"<i{' class=marked' if n < marked else ''}></i>" for n in range(length))
    return f'<p class=track aria-label="{name}: {marked} of {length}"><span>{name}</span>{boxes}</p>'


def _challenge(evening: Evening) -> str:
    """What the Challenge asks for, in a sentence."""
    first = next(iter(evening.before.values()), None)
    asked = f"{first.asked.purpose}: roll {first.asked.dice}. " if first else ""
    return (
        f"A Challenge card joins the three cards and says which suit is tested. {asked}"
        "A symbol of the suit is a success; a Weave counts for any suit and may be rolled again for more; "
        "a Strike hurts."
    )


def _rolls(evening: Evening, home: Path) -> str:
    """The Challenge card, then every throw: the odds before it, what was seen, and what each die counted for."""
    looked = {frame.line: frame for frame in evening.seen if frame.line}
    cards = [frame for frame in evening.seen[2:] if not frame.line][:1]
    parts = [_frames(cards, home)]
    for result in roll_results(evening.session, STORYTELLER):
        for place, (line, throw) in enumerate(zip(result.lines, result.throws, strict=True)):
            last = place == len(result.throws) - 1
            parts.append(_throw(throw, evening.before[line], looked.get(line), home, result if last else None))
    return "".join(parts)


def _throw(throw: Throw, before: Before, frame: ReadFrame | None, home: Path, result: RollResult | None) -> str:
    seen = _frame(frame, home) if frame else ""
    return (
        f"<article class=roll><h3>{escape(throw.purpose)}: {escape(before.asked.dice)}</h3>{seen}"
        f"<div>{_odds(before)}{_dice(throw, home)}{_reckoned(result) if result else ''}</div></article>"
    )


def _odds(before: Before) -> str:
    lines = "".join(
        f"<li><b>{percent(line.chance)}</b>{escape(line.says)}"
        f'<i><span style="width:{float(100 * line.chance):.1f}%"></span></i></li>'
        for line in before.odds
    )
    return f"<p class=label>Before the roll</p><ul class=odds>{lines}</ul>" if lines else ""


def _dice(throw: Throw, home: Path) -> str:
    meanings = throw.meanings or (None,) * len(throw.faces)
    shown = "".join(
        f'<li class="{meaning.tone if meaning else Tone.PLAIN}"><img src="{die_picture(throw.die, face, home)}" '
        f'alt=""><b>{escape(str(face).capitalize())}</b>{escape(meaning.says if meaning else "")}</li>'
        for face, meaning in zip(throw.faces, meanings, strict=True)
    )
    return f"<p class=label>What each die counts for</p><ul class=dice>{shown}</ul>"


def _reckoned(result: RollResult) -> str:
    counted = f"<p>{escape('; '.join(result.counted))}</p>" if result.counted else ""
    effects = "".join(f"<p>{escape(effect)}</p>" for effect in result.effects)
    return f"<p class=verdict>{escape(result.verdict)}</p>{counted}{effects}"


def _next(evening: Evening) -> str:
    session, store = evening.name, evening.session_store
    where = f" --store {store}" if store else ""
    return (
        "<ul class=next>"
        f"<li><b>Continue this evening</b> in the browser: "
        f"<code>loom table{where} --session &quot;{escape(session)}&quot;</code></li>"
        "<li><b>Print a kit</b> of your own: <code>loom print weave</code>, or one page to start with: "
        "<code>loom print weave-quick-start</code></li>"
        "<li><b>Begin an evening</b> of one of five games: <code>loom table</code>, or in the terminal: "
        "<code>loom play weave</code></li>"
        "<li><b>Use your own camera</b>: <code>loom cameras</code> lists those there are, "
        "<code>loom demo --camera 0</code> plays this demo before one</li></ul>"
    )


def _list(kind: str, lines: Iterable[str]) -> str:
    return f"<ol class={kind}>" + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ol>"


def _sheets(sheets: Sequence[tuple[str, Path]], home: Path) -> str:
    figures = (
        f'<figure><img src="{escape(p.relative_to(home).as_posix())}" alt="{escape(title)}" loading=lazy>'
        f"<figcaption>{escape(title)}</figcaption></figure>"
        for title, p in sheets
    )
    return f"<div class=sheets>{''.join(figures)}</div>"


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


def _bring_fonts(folder: Path) -> None:
    """The page's own fonts beside it, so that it looks the same on any machine and without a network."""
    folder.mkdir(parents=True, exist_ok=True)
    for package, name in _FONTS:
        shutil.copyfile(Path(package.ROOT) / "files" / name, folder / name)


_PAGE = """<!doctype html>
<html lang=en>
<meta charset=utf-8>
<meta name=viewport content="width=device-width, initial-scale=1">
<title>{title} - Loomtable</title>
<style>
{style}</style>
<body>
{body}
</body>
</html>
"""
