"""Gamebooks in Twee 3 (Twine) or ink as the skeleton of an adventure: passages as paragraphs, links as choices.

Only what both kinds share is understood. Everything else stays in the text as it was, and is listed with its line.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.wording import ended
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.engine.storm_weavers.adventure_reading import MOST_LETTERS, MOST_WORDS
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH

MOST_PASSAGES, _LONGEST, _LONGEST_LINE, _SHOWN = 2_000, 5_000_000, 20_000, 60
_BEGINNING, _UNWRITTEN = "the beginning", "Still to write"
_END = ("END", "DONE")
_Target = tuple[str, ...]
"""Names of passages, of which the first that exists is meant; the last is the one that was written."""


@dataclass
class Passage:
    """A scene: its text, each choice with its target and line, and where it leads without a choice."""

    name: str
    line: int
    text: list[str] = field(default_factory=list)
    exits: list[tuple[str, _Target, int]] = field(default_factory=list)
    onward: _Target = ()

    @property
    def words(self) -> str:
        """The text in one line; ink's glue joins what is left and right of it."""
        return " ".join(" ".join(self.text).replace("<>", " ").split())

    @property
    def leads_on(self) -> bool:
        """Whether it leads to another passage without a choice."""
        return bool(self.onward) and self.onward[-1] not in _END

    @property
    def loose(self) -> bool:
        """Whether nothing says where it leads."""
        return not self.exits and not self.onward


@dataclass
class Gamebook:
    """The passages of a file, and what is to be said about it, by line."""

    file: str
    title: str = ""
    start: str = ""
    passages: dict[str, Passage] = field(default_factory=dict)
    said: list[tuple[int, str]] = field(default_factory=list)

    def add(self, name: str, line: int, *text: str) -> Passage:
        """A new passage.

        Raises:
            ContentInvalid: there is one of this name, or there are too many.
        """
        if first := self.passages.get(name):
            trouble = f"{name[:_SHOWN]!r} is here again; it is first in line {first.line}, so rename one"
            raise ContentInvalid(f"{self.file} line {line}: {trouble}")
        if len(self.passages) == MOST_PASSAGES:
            raise ContentInvalid(f"{self.file}: has more than {MOST_PASSAGES} passages; import a part of it")
        self.passages[name] = Passage(name, line, [*text])
        return self.passages[name]

    def strange(self, line: int, what: str, *, kept: bool = True) -> None:
        """Something was not understood: it is ``kept`` in the text as it was, or left out."""
        cut = f"{what[:_SHOWN]} ..." if len(what) > _SHOWN else what
        self.said.append((line, f"not understood, {'kept as it is' if kept else 'left out'}: {cut}"))

    def goal(self, target: _Target, line: int) -> str:
        """The passage that a target means, or the one where an empty one leads; one that is missing is made."""
        passed = set[str]()
        while True:
            name = next((one for one in target if one in self.passages), target[-1])
            if name not in self.passages:
                self.said.append((line, f"{name!r} is not in the file; a paragraph waits for you to write it"))
                self.add(name, line, f"{_UNWRITTEN}: {name}")
            passage = self.passages[name]
            if passage.words or passage.exits or not passage.leads_on or name in passed:
                return name
            passed.add(name)
            target, line = passage.onward, passage.line

    def ways(self, name: str) -> list[tuple[str, str]]:
        """What each choice of a passage says, and the passage it leads to; ``""`` where there is none to make."""
        passage = self.passages[name]
        onward = [("Go on" if passage.exits else "", passage.onward, passage.line)] * passage.leads_on
        return [(says, self.goal(to, line)) for says, to, line in (*passage.exits, *onward)]


def adventure_of(path: Path, name: str, title: str) -> tuple[str, list[str]]:
    """An adventure's file made of a gamebook's, and everything to say about it, with file and line.

    Raises:
        FileUnreadable, ContentInvalid: bad input; the message names the file and the line.
    """
    text = read_text(path)
    if "\0" in text or len(text) > _LONGEST or max(map(len, text.splitlines()), default=0) > _LONGEST_LINE:
        most = f"more than {_LONGEST:,} letters, or {_LONGEST_LINE:,} in a line"
        raise ContentInvalid(f"{path.name}: is no text, or has {most}; export the story again")
    book = read_ink(text, path.name) if path.suffix.lower() == ".ink" else read_twee(text, path.name)
    if not book.passages:
        raise ContentInvalid(f"{path.name}: has no passage to begin with; export the story again")
    for passage in [*book.passages.values()]:
        _fit(book, passage)
    ways = _all_ways(book)
    numbers = {one: at + (at >= DEATH_PARAGRAPH) for at, one in enumerate(ways, start=1)}
    paragraphs = {numbers[way]: _paragraph(book.passages[way], ways[way], numbers) for way in ways}
    ends = [str(number) for number, page in paragraphs.items() if "ending" in page]
    paragraphs[DEATH_PARAGRAPH] = {"text": f"{_UNWRITTEN}: how Thymin dies.", "ending": "death"}
    unreached = [p for p in book.passages.values() if p.name not in ways and (p.words or p.exits)]
    book.said += [(p.line, f"no link leads to {p.name!r}; it is at the end, as a comment") for p in unreached]
    said = [_printable(f"{path.name} line {line}: {what}") for line, what in sorted(book.said)]
    said.append(f"Written as victories: {', '.join(ends)}; where Thymin dies, write 'ending: death'")
    said.append(f"Paragraph {DEATH_PARAGRAPH}, Thymin's death, was added")
    head = {
        "adventure": name,
        "title": book.title or title,
        "about": f"Imported from {path.name}.",
        "licence": "unknown; ask whoever wrote it",
        "paragraphs": dict(sorted(paragraphs.items())),
    }
    body = yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=110)
    kept = [f"{p.name}: {p.words} {' '.join(f'[{says}: {to[-1]}]' for says, to, _ in p.exits)}" for p in unreached]
    return "".join([*(f"# {one}\n" for one in said), body, *(f"# {_printable(one)}\n" for one in kept)]), said


def _printable(line: str) -> str:
    """What neither YAML nor a terminal takes for anything but text."""
    return "".join(letter if letter.isprintable() else " " for letter in line)


def _fit(book: Gamebook, passage: Passage) -> None:
    """Share a long text between paragraphs, each of which leads to the next, and cut long choices."""
    for at, (says, target, line) in enumerate(passage.exits):
        if len(ended(says)) > MOST_LETTERS:
            book.said.append((line, f"a choice is cut to {MOST_LETTERS} letters; it says: {says}"))
            passage.exits[at] = (f"{says[: MOST_LETTERS - 4]} ...", target, line)
    words, last = passage.words.split(), passage
    while len(words) > MOST_WORDS:
        ends = [at for at, word in enumerate(words[:MOST_WORDS], start=1) if word[-1] in '.!?"\u201d']
        much = ends[-1] if ends else MOST_WORDS
        more = book.add(f"{last.name}, more", passage.line)
        last.text, more.exits, more.onward = [" ".join(words[:much])], last.exits, last.onward
        last.exits, last.onward = [], (more.name,)
        words, last = words[much:], more
        last.text = [" ".join(words)]


def _all_ways(book: Gamebook) -> dict[str, list[tuple[str, str]]]:
    """Where each passage in reach leads, in the order of reading; a round without an end gets a way to one."""
    order = [book.goal((book.start,), 1)]
    ways: dict[str, list[tuple[str, str]]] = {}
    for name in order:
        ways[name] = book.ways(name)
        known = {*order}
        order += [to for to in dict.fromkeys(to for _, to in ways[name]) if to not in known]
    ending = {name for name, on in ways.items() if not on}
    added = False
    while True:
        while more := {n for n, on in ways.items() if n not in ending and any(to in ending for _, to in on)}:
            ending |= more
        endless = [name for name in order if name not in ending]
        if not endless:
            return _all_ways(book) if added else ways
        last, added = book.passages[endless[-1]], True
        last.exits.append((_UNWRITTEN, (f"an end, after {last.name!r}",), last.line))
        ending.add(last.name)


def _paragraph(passage: Passage, ways: list[tuple[str, str]], numbers: dict[str, int]) -> dict[str, Any]:
    text = passage.words or passage.name
    if not ways:
        return {"text": text, "ending": "victory"}
    if not passage.exits:
        return {"text": text, "then": numbers[ways[0][1]]}
    return {"text": text, "choices": [{"says": ended(says), "to": numbers[to]} for says, to in ways]}


# Twee

_HEADER = re.compile(
    r"::\s*(?P<name>(?:\\.|[^\[\]{}\\\s])(?:\\.|[^\[\]{}\\])*?)\s*(?:\[(?P<tags>(?:\\.|[^\]\\])*)\])?\s*(?P<data>\{.*\})?\s*"
)
_LINK = re.compile(r"\[\[([^\[\]]+)\](?:\[([^\[\]]*)\])?\]")
_LINKS_AT_THE_END = re.compile(rf"(?:(?<=[.!?:\"\u201d])\s+|^[\s*+|-]*)(?:{_LINK.pattern}[\s*+|-]*)+$")
_TWINES_OWN = re.compile(r"Story[A-Z]\w*|Passage(?:Header|Footer|Ready|Done)")
_UNSHOWN_TAGS = {"script", "stylesheet", "widget", "init", "Twine.private", "header", "footer", "startup"}
_TWEE_STRANGE = re.compile(
    r"""<<(?:(?!<<).)*?>> | <[/!]?[a-zA-Z][^<>]*>                 # SugarCube, HTML
    | \([a-zA-Z][\w-]*:(?:[^()]|\([^()]*\))*\)          # Harlowe
    | \[(?:if|unless|else|after|append|align|note|continue|img)\b[^\]]*\]+ | ^--$ | \{[^{}]*\}   # Chapbook
    | [$_][a-zA-Z]\w*(?:\.\w+)*""",
    re.VERBOSE,
)
_EMPHASIS = re.compile(r"''(.+?)''|(?<!:)//(.+?)//")


def read_twee(text: str, file: str) -> Gamebook:
    """The passages of a Twee 3 file."""
    book = Gamebook(file, start="Start")
    lines = text.splitlines()
    heads = [at for at, line in enumerate(lines) if line.startswith("::")]
    for at, end in zip(heads, [*heads[1:], len(lines)], strict=False):
        found = _HEADER.fullmatch(" ".join(lines[at].split()))
        if found is None:
            shown = f"a passage begins ':: Name [tags]', not {lines[at][:_SHOWN]!r}"
            raise ContentInvalid(f"{file} line {at + 1}: {shown}")
        name, body = re.sub(r"\\(.)", r"\1", found["name"]), [line.strip() for line in lines[at + 1 : end]]
        if name == "StoryTitle":
            book.title = " ".join(" ".join(body).split())
        elif name == "StoryData":
            with suppress(ValueError, RecursionError, AttributeError):  # nothing but a hint where to begin
                book.start = str(json.loads("\n".join(body)).get("start") or book.start)
        elif _TWINES_OWN.fullmatch(name) or {*(found["tags"] or "").split()} & _UNSHOWN_TAGS:
            book.strange(at + 1, f"the passage {name!r}, which is for Twine alone", kept=False)
        else:
            passage = book.add(name, at + 1)
            for number, line in enumerate(body, start=at + 2):
                _read_twee_line(book, passage, number, line)
    if book.passages and book.start not in book.passages:
        first = next(iter(book.passages))
        book.said.append((1, f"no passage is called {book.start!r}, so the story begins with {first!r}"))
        book.start = first
    return book


def _read_twee_line(book: Gamebook, passage: Passage, number: int, line: str) -> None:
    for link in _LINK.finditer(line):
        says, target = _parts_of_link(link[1])
        passage.exits.append((says, (target,), number))
        if link[2]:
            book.strange(number, f"[{link[2]}]", kept=False)
    # Links after a sentence are choices alone; within one they are words of it as well.
    words = _LINK.sub(lambda link: _parts_of_link(link[1])[0], _LINKS_AT_THE_END.sub("", line))
    words = _EMPHASIS.sub(lambda said: said[1] or said[2], words)
    for strange in _TWEE_STRANGE.finditer(words):
        book.strange(number, strange[0])
    passage.text.append(words)


def _parts_of_link(link: str) -> tuple[str, str]:
    """What a link says and where it leads: ``says->target``, ``target<-says``, ``says|target`` or the target."""
    if "->" in link or "|" in link:
        says, _, target = link.rpartition("->" if "->" in link else "|")
    else:
        target, _, says = link.partition("<-")
    says, target = " ".join(says.split()), " ".join(target.split())
    return says or target or "Go on", target


# Ink

_KNOT = re.compile(r"={2,}\s*(function\s+)?(\w+)\s*(\(.*\))?\s*=*")
_STITCH = re.compile(r"=\s*(\w+)\s*(\(.*\))?")
_STATEMENT = re.compile(r"(?:(?:VAR|CONST|LIST|EXTERNAL|INCLUDE)\b|TODO:|~|<-).*")
_WEAVE = re.compile(r"(?P<marks>(?:[*+]\s*)+|(?:-(?!>)\s*)+)(?:\((?P<label>\w+)\)\s*)?(?P<rest>.*)")
_DIVERT = re.compile(r"^((?:(?!->).)*)->\s*([\w.]+)$")
_INK_STRANGE = re.compile(r"\{[^{}]*\}|(?<!\\)#\s*\S.*$|->.*$")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)


def read_ink(text: str, file: str) -> Gamebook:
    """The knots, stitches, choices and gathers of an ink file."""
    ink = _Ink(Gamebook(file))
    ink.read(_COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text))
    return ink.book


class _Ink:
    """Reads ink line by line.

    ``levels`` are the passages that are open now: the knot or stitch, the choice within it, the choice within
    that one. Text goes on in the last, and a choice of level 2 belongs to the passage of level 1.
    """

    def __init__(self, book: Gamebook) -> None:
        self.book, self.line = book, 1
        self.knot = self.stitch = ""
        self.levels = [book.add(_BEGINNING, 1)]
        self.open: list[tuple[int, Passage]] = []

    def read(self, text: str) -> None:
        depth, function = 0, False
        for self.line, raw in enumerate(text.splitlines(), start=1):
            line, inside = raw.strip(), depth > 0
            depth = max(0, depth + line.count("{") - line.count("}"))
            if head := _KNOT.fullmatch(line):
                function = bool(head[1])
            if function:
                self.book.strange(self.line, line, kept=False)
            elif inside or depth:
                self.levels[-1].text.append(line)
                self.book.strange(self.line, line)
            elif head:
                self.knot, self.stitch = head[2], ""
                self._begin(head[2], head[3])
            else:
                self._read_line(line)
        if self.book.passages[_BEGINNING].loose and not self.book.passages[_BEGINNING].words:
            del self.book.passages[_BEGINNING]
        self.book.start = next(iter(self.book.passages), "")

    def _read_line(self, line: str) -> None:
        if head := _STITCH.fullmatch(line):
            self.stitch, name = head[1], ".".join(filter(None, (self.knot, head[1])))
            if self.levels[0].name == self.knot and self.levels[0].loose and not self.levels[0].words:
                self.levels[0].onward = (name,)
            self._begin(name, head[2])
        elif _STATEMENT.fullmatch(line):
            self.book.strange(self.line, line, kept=False)
        elif weave := _WEAVE.fullmatch(line):
            level = min(len(weave["marks"].replace(" ", "")), len(self.levels))
            read = self._gather if line.startswith("-") else self._choice
            read(level, weave["label"] or "", weave["rest"])
        else:
            self._content(line)

    def _begin(self, name: str, parameters: str | None) -> None:
        self.levels, self.open = [self.book.add(name, self.line)], []
        if parameters:
            self.book.strange(self.line, parameters, kept=False)

    def _added(self, label: str) -> Passage:
        own = label or f"line {self.line}"
        return self.book.add(".".join(filter(None, (self.knot, self.stitch, own))), self.line)

    def _choice(self, level: int, label: str, rest: str) -> None:
        """What is in brackets is said by the choice alone, what follows them by its passage alone."""
        rest, target = self._without_divert(rest)
        before, _, inner = rest.partition("[")
        inside, _, after = inner.partition("]")
        says, text = self._understood(before + inside).strip(), (before + after).strip()
        if not says:
            self.book.said.append((self.line, "a choice that says nothing is called 'Go on'"))
        passage = self._added(label)
        passage.onward = target
        passage.text.append(text or ("" if passage.leads_on else says or "The end."))
        self.levels[level - 1].exits.append((says or "Go on", (passage.name,), self.line))
        self.levels[level:] = [passage]
        self.open.append((level, passage))

    def _gather(self, level: int, label: str, rest: str) -> None:
        """Whatever leads nowhere at this level or deeper comes together here."""
        passage = self._added(label)
        deeper = [loose for depth, loose in self.open if depth >= level]
        for loose in (*deeper, self.levels[level - 1]):
            loose.onward = loose.onward if not loose.loose else (passage.name,)
        self.open = [*(one for one in self.open if one[0] < level), (level - 1, passage)]
        self.levels[level - 1 :] = [passage]
        self._content(rest)

    def _content(self, line: str) -> None:
        line, target = self._without_divert(line)
        self.levels[-1].text.append(self._understood(line))
        self.levels[-1].onward = target or self.levels[-1].onward

    def _without_divert(self, line: str) -> tuple[str, _Target]:
        found = _DIVERT.match(line)
        if not found or line.count("{") != line.count("}"):
            return line, ()
        around = [one for one in (self.knot, self.stitch) if one]
        names = (".".join([*around[:depth], found[2]]) for depth in range(len(around), -1, -1))
        return found[1], tuple(names)

    def _understood(self, line: str) -> str:
        for strange in _INK_STRANGE.finditer(line):
            self.book.strange(self.line, strange[0])
        return line
