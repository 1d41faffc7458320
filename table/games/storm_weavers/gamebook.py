"""Gamebooks in Twee 3, Twine's HTML or ink as skeletons of adventures: passages are paragraphs, links choices.

Only what they share is understood, and every way out of a passage, also where it hangs on a condition. Everything
else stays in the text as it was, is listed with its line, and counted.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import yaml

from loomtable.engine.kernel.errors import ContentInvalid
from loomtable.engine.kernel.wording import ended
from loomtable.engine.kernel.yamlfile import read_text
from loomtable.engine.storm_weavers.adventure_reading import MOST_LETTERS, MOST_WORDS
from loomtable.engine.storm_weavers.state import DEATH_PARAGRAPH
from loomtable.printkit.import_sum import ImportSum, printable

MOST_PASSAGES, _LONGEST, _LONGEST_LINE, _SHOWN = 2_000, 5_000_000, 20_000, 60
_BEGINNING, _UNWRITTEN, _GO_ON = "the beginning", "Still to write", "Go on"
_END = ("END", "DONE")
_Target = tuple[str, ...]
"""Names of passages, of which the first that exists is meant; the last is the one that was written."""
_Line = tuple[str, str]
"""A line and where it is: ``story.ink line 4``."""
_EMPTY = re.compile(r"\{[^{}:]*:\s*(?:-[^{}:]*:\s*)*\|?\s*\}")
"""Conditions of ways, when nothing but the ways was between them."""
_KINDS = (
    (r"<<|[(\[]", "macro"),
    ("<", "HTML tag"),
    (r"[$_~]|[A-Z]{3}", "variable"),
    ("#", "tag"),
    ("=", "function"),
)
"""What is not understood, by its first letters; anything else is a condition."""


@dataclass
class Passage:
    """A scene: its text, each choice with its target and line, and where it leads without a choice.

    ``asks`` is whether it waits for a choice; ways that hang on a condition alone do not.
    """

    name: str
    line: int
    text: list[str] = field(default_factory=list)
    exits: list[tuple[str, _Target, int]] = field(default_factory=list)
    onward: _Target = ()
    asks: bool = False

    @property
    def words(self) -> str:
        """The text in one line; ink's glue joins what is left and right of it."""
        return " ".join(_EMPTY.sub("", " ".join(self.text).replace("<>", " ")).split())

    @property
    def leads_on(self) -> bool:
        """Whether it leads to another passage without a choice."""
        return bool(self.onward) and self.onward[-1] not in _END

    @property
    def loose(self) -> bool:
        """Whether nothing says where it leads."""
        return not self.asks and not self.onward


@dataclass
class Gamebook(ImportSum):
    """The passages of a file; ``aside`` counts those that are no part of the story."""

    title: str = ""
    start: str = ""
    passages: dict[str, Passage] = field(default_factory=dict)
    aside: int = 0

    def add(self, name: str, line: int, *text: str) -> Passage:
        """A new passage.

        Raises:
            ContentInvalid: there is one of this name, or there are too many.
        """
        if first := self.passages.get(name):
            trouble = f"is here again; it is first in {self.places[first.line - 1]}, so rename one"
            raise ContentInvalid(f"{self.places[line - 1]}: {name[:_SHOWN]!r} {trouble}")
        if len(self.passages) == MOST_PASSAGES:
            raise ContentInvalid(f"{self.file}: has more than {MOST_PASSAGES} passages; import a part of it")
        self.passages[name] = Passage(name, line, [*text])
        return self.passages[name]

    def strange(self, line: int, what: str, *, kept: bool = True) -> None:
        """Something was not understood: it is ``kept`` in the text as it was, or left out."""
        cut = f"{what[:_SHOWN]} ..." if len(what) > _SHOWN else what
        kind = next((kind for begun, kind in _KINDS if re.match(begun, what)), "condition")
        self.said.append((line, kind, f"not understood, {'kept as it is' if kept else 'left out'}: {cut}"))

    def goal(self, target: _Target, line: int) -> str:
        """The passage that a target means, or the one where an empty one leads; one that is missing is made."""
        passed = set[str]()
        while True:
            name = next((named for named in target if named in self.passages), target[-1])
            if name not in self.passages:
                said = f"{name!r} is not in the file; a paragraph waits for you to write it"
                self.said.append((line, "missing passage", said))
                self.add(name, line, f"{_UNWRITTEN}: {name}")
            passage = self.passages[name]
            if passage.words or passage.exits or not passage.leads_on or name in passed:
                return name
            passed.add(name)
            target, line = passage.onward, passage.line

    def ways(self, name: str) -> list[tuple[str, str]]:
        """What each choice of a passage says, and the passage it leads to; ``""`` where there is none to make."""
        passage = self.passages[name]
        onward = [(_GO_ON if passage.exits else "", passage.onward, passage.line)] * passage.leads_on
        return [(says, self.goal(to, line)) for says, to, line in (*passage.exits, *onward)]


def adventure_of(path: Path, name: str, title: str, seed: str = "") -> tuple[str, list[str], list[str]]:
    """An adventure's file made of a gamebook's, everything to say about it, with file and line, and its sum.

    A ``seed`` shuffles all paragraphs but the first; without one they are in the order of reading.

    Raises:
        FileUnreadable, ContentInvalid: bad input, or most of it is out of reach; the message names the file.
    """
    book = (read_ink if path.suffix.lower() == ".ink" else read_twee)(path)
    if not book.passages:
        raise ContentInvalid(f"{path.name}: has no passage to begin with; export the story again")
    written = [passage for passage in book.passages.values() if passage.words or passage.exits]
    for passage in written:
        _fit(book, passage)
    ways = _all_ways(book)
    unreached = [passage for passage in written if passage.name not in ways]
    refused = (
        "since no link that can be followed leads to the others; link them, or export the part with the story"
    )
    book.count(len(written) - len(unreached), len(written), "passage", "passages", refused, book.aside)
    book.lose(len(unreached), "that no link leads to", "that no link leads to")
    book.lose(book.aside, "for Twine alone", "for Twine alone")
    first, *others = ways
    if seed:
        Random(seed).shuffle(others)
    numbers = {way: at + (at >= DEATH_PARAGRAPH) for at, way in enumerate((first, *others), start=1)}
    paragraphs = {numbers[way]: _paragraph(book.passages[way], ways[way], numbers) for way in ways}
    ends = [str(number) for number, page in sorted(paragraphs.items()) if "ending" in page]
    paragraphs[DEATH_PARAGRAPH] = {"text": f"{_UNWRITTEN}: how Thymin dies.", "ending": "death"}
    left = "no link leads to {!r}; it is at the end, as a comment"
    book.said += [(passage.line, "", left.format(passage.name)) for passage in unreached]
    said = book.remarks()
    said.append(f"Written as victories: {', '.join(ends)}; where Thymin dies, write 'ending: death'")
    said.append(f"Paragraph {DEATH_PARAGRAPH}, Thymin's death, was added")
    sums = book.sums()
    head = {
        "adventure": name,
        "title": book.title or title,
        "about": f"Imported from {path.name}.",
        "licence": "unknown; ask whoever wrote it",
        "paragraphs": dict(sorted(paragraphs.items())),
    }
    begun = "".join(f"# {remark}\n" for remark in (*sums, *said))
    body = yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=110)
    kept = [f"{p.name}: {p.words} {' '.join(f'[{says}: {to[-1]}]' for says, to, _ in p.exits)}" for p in unreached]
    return "".join([begun, body, *(f"# {printable(passage)}\n" for passage in kept)]), said, sums


def _lines_of(path: Path, text: str) -> list[_Line]:
    if "\0" in text or len(text) > _LONGEST or max(map(len, text.splitlines()), default=0) > _LONGEST_LINE:
        most = f"more than {_LONGEST:,} letters, or {_LONGEST_LINE:,} in a line"
        raise ContentInvalid(f"{path.name}: is no text, or has {most}; export the story again")
    return [(f"{path.name} line {at}", line) for at, line in enumerate(text.splitlines(), start=1)]


def _fit(book: Gamebook, passage: Passage) -> None:
    """Share a long text between paragraphs, each of which leads to the next, and cut long choices."""
    for at, (says, target, line) in enumerate(passage.exits):
        if len(ended(says)) > MOST_LETTERS:
            said = f"a choice is cut to {MOST_LETTERS} letters; it says: {says}"
            book.said.append((line, "choice that is cut", said))
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
_LINK = re.compile(r"\[\[([^\[\]]*)\](?:\[([^\[\]]*)\])?\]")
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
_MACRO = re.compile(
    r"(?:<<|[({])\s*(/)?(button|display|embed passage|include|(?:link-(?:reveal-)?|click-)?go-?to|link to|link)\b",
    re.I,
)
"""Macros that lead to the passage they name, or show it."""
_QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
_ATTRIBUTE = re.compile(r"""([\w-]+)\s*=\s*"([^"]*)\"""")
_EMPHASIS = re.compile(r"''(.+?)''|(?<!:)//(.+?)//")


def read_twee(path: Path) -> Gamebook:
    """The passages of a Twee 3 file, or of a web page that Twine published."""
    text = read_text(path)
    if path.suffix.lower() in (".html", ".htm"):
        text = _twee_of_page(text)
    lines = _lines_of(path, text)
    book = Gamebook(path.name, start="Start", places=[place for place, _ in lines] or [path.name])
    heads = [at for at, (_, line) in enumerate(lines) if line.startswith("::")]
    for at, end in zip(heads, [*heads[1:], len(lines)], strict=False):
        place, line = lines[at]
        found = _HEADER.fullmatch(" ".join(line.split()))
        if found is None:
            raise ContentInvalid(f"{place}: a passage begins ':: Name [tags]', not {line[:_SHOWN]!r}")
        body = [line.strip() for _, line in lines[at + 1 : end]]
        name = html.unescape(" ".join(re.sub(r"\\(.)", r"\1", found["name"]).split()))
        if name == "StoryTitle":
            book.title = html.unescape(" ".join(" ".join(body).split()))
        elif name == "StoryData":
            with suppress(ValueError, RecursionError, AttributeError):  # nothing but a hint where to begin
                book.start = " ".join(str(json.loads("\n".join(body)).get("start") or book.start).split())
        elif _TWINES_OWN.fullmatch(name) or {*(found["tags"] or "").split()} & _UNSHOWN_TAGS:
            book.aside += 1
            book.said.append((at + 1, "", f"left out: the passage {name!r}, which is for Twine alone"))
        else:
            passage = book.add(name, at + 1)
            for number, line in enumerate(body, start=at + 2):
                _read_twee_line(book, passage, number, html.unescape(line))
    if book.passages and book.start not in book.passages:
        first = next(iter(book.passages))
        book.said.append((1, "", f"no passage is called {book.start!r}, so the story begins with {first!r}"))
        book.start = first
    return book


def _twee_of_page(text: str) -> str:
    """The story of a web page of Twine's as Twee; of a page without one, nothing."""
    story = dict(_ATTRIBUTE.findall(found[1])) if (found := re.search(r"<tw-storydata\b([^<>]*)>", text)) else {}
    twee = [":: StoryTitle", html.unescape(story.get("name", ""))] if story else []
    codes = re.findall(r"<(script|style)\b[^<>]{0,200}\btwine-user-[^<>]{0,200}>\s*[^\s<]", text)
    twee += [f":: Story {kind} [script]" for kind in codes]
    for written, body in re.findall(r"<tw-passagedata\b([^<>]*)>([^<]*)</tw-passagedata>", text):
        told = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(written)}
        name = re.sub(r"([\[\]{}\\])", r"\\\1", told.get("name", ""))
        if told.get("pid") == story.get("startnode"):
            twee += [":: StoryData", json.dumps({"start": told.get("name")})]
        begun = re.sub(r"(?m)^::", " ::", html.unescape(body))
        twee += [f":: {name} [{told.get('tags', '')}]", begun]
    return "\n".join(twee)


def _read_twee_line(book: Gamebook, passage: Passage, number: int, line: str) -> None:
    line = _TWEE_STRANGE.sub(_link_of_macro, line)
    for link in _LINK.finditer(line):
        says, target = _parts_of_link(link[1])
        if target:
            passage.exits.append((says, (target,), number))
        if link[2] or not target:
            book.strange(number, f"[{link[2]}]" if target else link[0], kept=False)
    # Links after a sentence are choices alone; within one they are words of it as well.
    words = _LINK.sub(lambda link: _parts_of_link(link[1])[0], _LINKS_AT_THE_END.sub("", line))
    words = _EMPHASIS.sub(lambda said: said[1] or said[2], words)
    for strange in _TWEE_STRANGE.finditer(words):
        book.strange(number, strange[0])
    passage.text.append(words)


def _link_of_macro(macro: re.Match[str]) -> str:
    """A macro that leads to a passage it names, as a link; any other as it is."""
    found, said = _MACRO.match(macro[0]), [one or other for one, other in _QUOTED.findall(macro[0])]
    if not found:
        return macro[0]
    if link := _LINK.search(macro[0]):
        return link[0]
    kind = found[2].lower()
    if found[1] or not said or set("[]") & set("".join(said)) or (kind in ("link", "button") and len(said) == 1):
        return macro[0] if not found[1] else ""
    if kind == "link to":
        said.reverse()
    return f"[[{'Go on' if kind.startswith('go') else said[0]}->{said[-1]}]]"


def _parts_of_link(link: str) -> tuple[str, str]:
    """What a link says and where it leads: ``says->target``, ``target<-says``, ``says|target`` or the target."""
    if "->" in link or "|" in link:
        says, _, target = link.rpartition("->" if "->" in link else "|")
    else:
        target, _, says = link.partition("<-")
    says, target = " ".join(says.split()), " ".join(target.split())
    return says or target, target


# Ink

_KNOT = re.compile(r"={2,}\s*(function\s+)?(\w+)\s*(\(.*\))?\s*=*")
_STITCH = re.compile(r"=\s*(\w+)\s*(\(.*\))?")
_INCLUDE = re.compile(r"\s*INCLUDE\s+(.*\S)\s*")
_STATEMENT = re.compile(r"(?:(?:VAR|CONST|LIST|EXTERNAL)\b|TODO:|~).*")
_WEAVE = re.compile(r"(?P<marks>(?:[*+]\s*)+|(?:-(?!>)\s*)+)(?:\((?P<label>\w+)\)\s*)?(?P<rest>.*)")
_BRANCH = re.compile(r"-(?!>)\s*(?P<condition>[^{}:]*:)?(?P<rest>.*)")
_MARK = re.compile(
    r"""(?<!\\)(?:(?P<open>\{)(?P<condition>[^{}|:]*:)? | (?P<close>\}) | (?P<otherwise>\|)
    | ->->\s*(?P<back>[\w.]*)
    | (?P<ways>(?:->\s*[^\W\d][\w.]*\s*(?:\([^()]*\)\s*)?)+)(?P<tunnel>->)?
    | <-\s*(?P<thread>[^\W\d][\w.]*)\s*(?:\([^()]*\))?)""",
    re.VERBOSE,
)
_WAY = re.compile(r"->\s*([\w.]+)")
_INK_STRANGE = re.compile(r"\{[^{}]*\}?|(?<!\\)#\s*\S.*$|->.*$")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)|//[^\n]*", re.DOTALL)
_ASKED = re.compile(r"^\s*(?:\{[^{}]*\}\s*)+")
"""Conditions of a choice."""
_SEQUENCES = {"", "stopping", "cycle", "shuffle", "once", "shuffle once", "shuffle stopping"}


def read_ink(path: Path) -> Gamebook:
    """The knots, stitches, choices and gathers of an ink file, and of those beside it that it includes."""
    begun, knots = _ink_lines(path, path.parent.resolve(), set())
    ink = _Ink(Gamebook(path.name, places=[place for place, _ in (*begun, *knots)] or [path.name]))
    ink.read(line for _, line in (*begun, *knots))
    return ink.book


def _ink_lines(path: Path, folder: Path, seen: set[Path]) -> tuple[list[_Line], list[_Line]]:
    """What a file says before its first knot, and its knots, each followed by what the file includes."""
    seen.add(path.resolve())
    text = _COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), read_text(path))
    parts: tuple[list[_Line], list[_Line]] = [], []
    included: list[_Line] = []
    for place, line in _lines_of(path, text):
        if found := _INCLUDE.fullmatch(line):
            other = folder / found[1]
            if len(found[1]) > _SHOWN or folder not in other.resolve().parents or not other.is_file():
                raise ContentInvalid(f"{place}: there is no {found[1][:_SHOWN]!r} beside the story; put it there")
            if other.resolve() not in seen:
                begun, knots = _ink_lines(other, folder, seen)
                parts[bool(parts[1])].extend(begun)
                included += knots
        else:
            parts[bool(parts[1]) or bool(_KNOT.fullmatch(line.strip()))].append((place, line))
    return parts[0], [*parts[1], *included]


@dataclass
class _Braces:
    """Braces that are open: what a way within them is called, and the levels at their beginning."""

    says: str
    levels: list[Passage]


class _Ink:
    """Reads ink line by line.

    ``levels`` are the passages that are open now: the knot or stitch, the choice within it, the choice within
    that one. Text goes on in the last, and a choice of level 2 belongs to the passage of level 1. Each of
    ``tunnels`` leads from a passage to a target and comes back to another passage.
    """

    def __init__(self, book: Gamebook) -> None:
        self.book, self.line = book, 1
        self.knot = self.stitch = ""
        self.levels = [book.add(_BEGINNING, 1)]
        self.open: list[tuple[int, Passage]] = []
        self.blocks: list[_Braces] = []
        self.tunnels: list[tuple[Passage, _Target, Passage]] = []
        self.returns: list[tuple[str, Passage]] = []

    def read(self, lines: Iterable[str]) -> None:
        function = False
        for self.line, raw in enumerate(lines, start=1):
            line = raw.strip()
            if head := _KNOT.fullmatch(line):
                function = bool(head[1])
            if function:
                self.book.strange(self.line, line, kept=False)
            elif head:
                self.knot, self.stitch = head[2], ""
                self._begin(head[2], head[3])
            elif line:
                self._read_line(line)
        self._come_back()
        beginning = self.book.passages[_BEGINNING]
        if beginning.loose and not beginning.exits and not beginning.words:
            del self.book.passages[_BEGINNING]
        self.book.start = next(iter(self.book.passages), "")

    def _come_back(self) -> None:
        """Lead the ends of each tunnel back to wherever it was entered."""
        for knot, end in self.returns:
            for entered, target, after in self.tunnels:
                if next((named for named in target if named in self.book.passages), "").partition(".")[0] == knot:
                    begun = " ".join((entered.words or entered.name).split()[:6]).rstrip(".!?")
                    end.exits.append((f"Go back, if you came from \u201c{begun}\u201d", (after.name,), end.line))
            if len(end.exits) == 1:
                end.onward = end.exits.pop()[1]

    def _read_line(self, line: str) -> None:
        if head := _STITCH.fullmatch(line):
            self.stitch, name = head[1], ".".join(filter(None, (self.knot, head[1])))
            if self.levels[0].name == self.knot and self.levels[0].loose and not self.levels[0].words:
                self.levels[0].onward = (name,)
            self._begin(name, head[2])
        elif _STATEMENT.fullmatch(line):
            self.book.strange(self.line, line, kept=False)
        elif self.blocks and (branch := _BRANCH.fullmatch(line)):
            self.levels, self.blocks[-1].says = [*self.blocks[-1].levels], _called(branch["condition"])
            begun = f"- {branch['condition'] or ''}"
            self.book.strange(self.line, begun)
            self.levels[-1].text.append(begun)
            self._content(branch["rest"])
        elif weave := _WEAVE.fullmatch(line):
            level = min(len("".join(weave["marks"].split())), len(self.levels))
            read = self._gather if line.startswith("-") else self._choice
            read(level, weave["label"] or "", weave["rest"])
        else:
            self._content(line)

    def _begin(self, name: str, parameters: str | None) -> None:
        self.levels, self.open, self.blocks = [self.book.add(name, self.line)], [], []
        if parameters:
            self.book.strange(self.line, parameters, kept=False)

    def _added(self, label: str) -> Passage:
        own = label or f"line {self.line}"
        while (
            own in self.book.passages
            or ".".join(filter(None, (self.knot, self.stitch, own))) in self.book.passages
        ):
            own = f"{own}, more"
        return self.book.add(".".join(filter(None, (self.knot, self.stitch, own))), self.line)

    def _choice(self, level: int, label: str, rest: str) -> None:
        """What is in brackets is said by the choice alone, what follows them by its passage alone."""
        asking, passage = self.levels[level - 1], self._added(label)
        self.levels[level:] = [passage]
        before, _, inner = self._without_ways(rest).partition("[")
        inside, _, after = inner.partition("]")
        says, text = " ".join(self._understood(before + inside).split()), (_ASKED.sub("", before) + after).strip()
        if says and self.blocks and self.blocks[-1].says != _GO_ON:
            says = f"{self.blocks[-1].says}: {says}"
        if not says:
            self.book.said.append(
                (self.line, "choice without words", "a choice that says nothing is called 'Go on'")
            )
        passage.text.insert(0, text or ("" if passage.leads_on else _ASKED.sub("", says) or "The end."))
        asking.exits.append((says or _GO_ON, (passage.name,), self.line))
        asking.asks = True
        self.open.append((level, passage))

    def _gather(self, level: int, label: str, rest: str) -> None:
        """Whatever leads nowhere at this level or deeper comes together here."""
        passage = self._added(label)
        deeper = [loose for depth, loose in self.open if depth >= level]
        for loose in (*deeper, self.levels[level - 1]):
            loose.onward = loose.onward if not loose.loose else (passage.name,)
        self.open = [*(opened for opened in self.open if opened[0] < level), (level - 1, passage)]
        self.levels[level - 1 :] = [passage]
        self._content(rest)

    def _content(self, line: str) -> None:
        passage = self.levels[-1]
        passage.text.append(self._understood(self._without_ways(line)))

    def _without_ways(self, line: str) -> str:
        """A line without its diverts, tunnels and threads, which lead out of the passage that is open."""
        kept, at = [], 0
        for mark in _MARK.finditer(line):
            if mark["open"]:
                self.blocks.append(_Braces(_called(mark["condition"]), [*self.levels]))
            elif mark["close"] and self.blocks:
                self.levels = self.blocks.pop().levels
            elif mark["otherwise"] and self.blocks:
                self.blocks[-1].says = "Otherwise"
            elif not mark["close"] and not mark["otherwise"]:
                kept.append(line[at : mark.start()])
                at = mark.end()
                self._lead(mark)
        return "".join([*kept, line[at:]])

    def _lead(self, mark: re.Match[str]) -> None:
        passage = self.levels[-1]
        block = self.blocks[-1] if self.blocks and passage is self.blocks[-1].levels[-1] else None
        if mark["thread"]:
            says = mark["thread"].replace("_", " ").replace(".", ", ").capitalize()
            passage.exits.append((says, self._target(mark["thread"]), self.line))
            return
        if mark["ways"] is None and not mark["back"]:
            self.returns.append((self.knot, passage))
            passage.onward = passage.onward or _END[:1]
            return
        names = [mark["back"]] if mark["back"] else _WAY.findall(mark["ways"])
        for at, name in enumerate(names, start=1):
            tunnel = at < len(names) or mark["tunnel"]
            if block:
                passage.exits.append((block.says, self._target(name), self.line))
            else:
                passage.onward = self._target(name)
            if tunnel:
                after = passage if block else self._added("")
                self.tunnels.append((passage, self._target(name), after))
                self.levels[-1] = passage = after
                self.open.append((len(self.levels) - 1, after))

    def _target(self, name: str) -> _Target:
        around = [part for part in (self.knot, self.stitch) if part]
        return tuple(".".join([*around[:depth], name]) for depth in range(len(around), -1, -1))

    def _understood(self, line: str) -> str:
        for strange in _INK_STRANGE.finditer(line):
            self.book.strange(self.line, strange[0])
        return line


def _called(condition: str | None) -> str:
    """What a way is called that hangs on a condition; one that depends on how often one came is no condition."""
    said = (condition or "").strip(" -:")
    return "Otherwise" if said == "else" else _GO_ON if said in _SEQUENCES else f"If {said}"
