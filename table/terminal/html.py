"""The panels of the pages in a terminal: the same HTML, laid out in characters.

The panels hold everything that a viewer may see, so the terminal shows what the page shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

VOID = frozenset({"img", "br", "use", "image", "input", "hr"})
LEFT_OUT = frozenset({"svg", "img", "button", "script"})
"""Pictures, which a terminal cannot show, and buttons, whose actions it lists elsewhere."""
HEADINGS = frozenset({"h2", "h3"})
BLOCKS = HEADINGS | {
    "p",
    "div",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "section",
    "details",
    "summary",
}
BLOCKS |= {"figure", "figcaption"}
BOLD = HEADINGS | {"b", "strong", "th"}
MARKED, FREE = "■", "□"
"""A box of a track, marked and free."""
PATTERN = "data-drawn"
"""The attribute of a small picture that says how it is drawn in characters, rows apart by strokes."""


@dataclass
class Node:
    """An element with what is in it."""

    tag: str
    attributes: dict[str, str]
    children: list[Node | str] = field(default_factory=list)

    @property
    def classes(self) -> set[str]:
        """The names in its ``class``."""
        return set(self.attributes.get("class", "").split())

    def below(self) -> Iterator[Node]:
        """Every element within, in order."""
        for child in self.children:
            if isinstance(child, Node):
                yield child
                yield from child.below()

    def every(self, tag: str) -> list[Node]:
        """The elements of this tag directly in it."""
        return [child for child in self.children if isinstance(child, Node) and child.tag == tag]


class _Tree(HTMLParser):
    """HTML of ours as a tree; what is opened is closed there."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("div", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID and len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def laid_out(html: str) -> RenderableType:
    """A panel's HTML as something that a console prints, wrapped at its width."""
    tree = _Tree()
    tree.feed(html)
    tree.close()
    return Group(*_blocks(tree.open[0]))


def _blocks(node: Node) -> Iterator[RenderableType]:
    """What is in an element, one block below the other; words side by side make one block."""
    words = Text()
    for child in node.children:
        if isinstance(child, Node) and _stands_alone(child):
            if words.plain.strip():
                yield _stripped(words)
            words = Text()
            yield from _block(child)
        else:
            words.append_text(_inline(child))
    if words.plain.strip():
        yield _stripped(words)


def _stands_alone(node: Node) -> bool:
    return node.tag in BLOCKS or any(child.tag in BLOCKS for child in node.below())


def _block(node: Node) -> Iterator[RenderableType]:
    if node.tag in LEFT_OUT or "in-words" in node.classes or "preview" in node.classes:
        return
    if node.attributes.get("aria-hidden") == "true":
        return
    if node.tag == "table":
        yield _table(node)
    elif node.tag == "dl":
        yield _facts(node)
    elif node.tag in ("ul", "ol"):
        yield from _items(node)
    elif "track" in node.classes:
        yield _stripped(_inline(node))
    elif node.tag == "details":
        yield from _opened(node)
    elif node.tag in HEADINGS:
        yield Text(_inline(node).plain.strip(), "bold")
    else:
        yield from _blocks(node)


def _opened(node: Node) -> Iterator[RenderableType]:
    """Something folded, opened: its head, and the rest set in."""
    for summary in node.every("summary"):
        yield from _blocks(summary)
    rest = Node("div", {}, [c for c in node.children if not (isinstance(c, Node) and c.tag == "summary")])
    yield Padding(Group(*_blocks(rest)), (0, 0, 0, 2))


def _items(node: Node) -> Iterator[RenderableType]:
    items = node.every("li")
    if items and not any(_stands_alone(item) for item in items) and node.classes & {"seats", "suits", "meanings"}:
        yield Text("   ").join(_stripped(_marked(item)) for item in items)
        return
    for number, item in enumerate(items, start=1):
        row = Table.grid(padding=(0, 1, 0, 0))
        drawn = next((n.attributes[PATTERN] for n in item.below() if PATTERN in n.attributes), "")
        inside = Group(*_blocks(item))
        lead = f"{number}." if node.tag == "ol" and "timeline" not in node.classes else "-"
        if drawn:
            row.add_row(lead, Text(drawn.replace("/", "\n")), inside)
        else:
            row.add_row(">" if "now" in item.classes else lead, inside)
        yield row


def _marked(item: Node) -> Text:
    words = _inline(item)
    return Text("> ", "bold").append_text(words) if "now" in item.classes else words


def _facts(node: Node) -> Table:
    """Names and values, a line each."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    for line in node.every("div"):
        name, value = (_stripped(_inline(part)) for part in (*line.every("dt"), *line.every("dd")))
        grid.add_row(Text(name.plain, "dim"), value)
    return grid


def _table(node: Node) -> Table:
    rows = [child for child in node.below() if child.tag == "tr"]
    cells = [[_stripped(_inline(c)) for c in row.children if isinstance(c, Node)] for row in rows]
    table = Table.grid(padding=(0, 3, 0, 0))
    for row in cells:
        table.add_row(*row)
    return table


def _inline(child: Node | str) -> Text:
    """Words in a row; boxes as characters."""
    if isinstance(child, str):
        return Text(child)
    if child.tag in LEFT_OUT or (child.attributes.get("aria-hidden") == "true" and "boxes" not in child.classes):
        return Text(child.children[0] if "pip" in child.classes and isinstance(child.children[0], str) else "")
    if child.tag == "i" and not child.children:
        return Text(MARKED if "on" in child.classes else FREE)
    words = Text()
    for part in child.children:
        words.append_text(_inline(part))
    if child.tag in BOLD:
        words.stylize("bold")
    if child.tag in ("span", "b", "th", "small") or child.tag in BLOCKS:
        words = Text(" ").append_text(words).append(" ")
    return words


def _stripped(words: Text) -> Text:
    """Words with single spaces between them, none at the ends; styles stay on their words."""
    kept = Text()
    for part in words.split("\n"):
        for word in part.split(" "):
            if word.plain:
                if kept.plain and word.plain[0] not in ",.;:)?!":
                    kept.append(" ")
                kept.append_text(word)
    return kept
