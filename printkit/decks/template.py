"""Card templates: where the fields of a deck of one's own stand on a card. Read from YAML, all lengths in mm."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import msgspec

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.wording import listed
from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml, read_text
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.type import Face
from loomtable.printkit.errors import DeckInvalid, UnknownPrintName
from loomtable.printkit.sheet.papers import BLEED, DECK_SIZES, CardSize

FACES = {
    "title": Face.TITLE,
    "text": Face.TEXT,
    "italic": Face.TEXT_ITALIC,
    "label": Face.LABEL,
    "bold": Face.LABEL_BOLD,
    "code": Face.CODE,
}
_COLOUR = re.compile(r"[0-9A-Fa-f]{6}")

Area = tuple[float, float, float, float]
"""Left, bottom, width, height."""


class TextBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="text"):
    """A field's words, wrapped, in type that shrinks from ``points`` to ``least`` where they need it.

    ``words`` are printed on every card instead of a field. ``start`` is the side where a script begins its lines.
    """

    at: Area
    field: str = ""
    words: str = ""
    face: Literal["title", "text", "italic", "label", "bold", "code"] = "text"
    points: float = 9.0
    least: float = 6.0
    colour: str = "221F2E"
    align: Literal["start", "left", "middle", "right"] = "start"
    stands: Literal["top", "middle", "bottom"] = "top"
    optional: bool = False


class PictureBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="picture"):
    """A picture file that a field names, filling the box; what stands over at two sides is cut off."""

    at: Area
    field: str
    optional: bool = False


class CodeBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="code"):
    """The card's QR code with its white edge, a square of ``width`` mm whose lower left corner is at ``at``."""

    at: tuple[float, float]
    width: float = 27.6
    field: str = "code"


class Plate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="plate"):
    """A coloured shape under what follows it: a rectangle, its corners rounded by ``corner`` mm."""

    at: Area
    colour: str
    corner: float = 0.0
    line: str = ""
    line_width: float = 0.3


Box = TextBox | PictureBox | CodeBox | Plate


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The other side: woven bands of two colours on a light ground, one colour, or a picture over all of it.

    ``picture`` is the same for all cards; ``field`` names the column in which each card names its own.
    """

    pattern: Literal["woven", "plain"] = "woven"
    colours: tuple[str, str] = ("24405A", "A8712F")
    picture: str = ""
    field: str = ""


class Template(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the cards of a deck look. ``boxes`` are drawn in order, each over those before it."""

    template: str
    boxes: tuple[Box, ...]
    description: str = ""
    size: str = "poker"
    ground: str = "F8F1E2"
    back: Back | None = None
    fonts: dict[Literal["title", "text", "italic", "label", "bold", "code"], str] = {}
    """Font files of one's own instead of ours, beside the template."""
    icons: dict[str, str] = {}
    """Pictures that stand among words: ``{coin}`` shows the file that is named here, beside the template."""

    @property
    def fields(self) -> list[str]:
        """The names of the fields that it shows, in order."""
        shown = [box.field for box in self.boxes if not isinstance(box, Plate)]
        return [name for name in dict.fromkeys((*shown, self.back.field if self.back else "")) if name]

    @property
    def required(self) -> list[str]:
        """The fields that every card must have."""
        boxes = [box for box in self.boxes if not isinstance(box, Plate)]
        shown = [box.field for box in boxes if isinstance(box, CodeBox) or not box.optional]
        return [name for name in dict.fromkeys(("name", *shown)) if name]


def colour_of(code: str) -> Colour:
    """The colour of six hexadecimal digits; the template has been checked."""
    return Colour.hex(code)


def template_names() -> list[str]:
    """The templates that travel with Loomtable."""
    return sorted(path.stem for path in package_file("templates", "decks").glob("*.yaml"))


def template_named(name: str) -> Template:
    """The template of this name, or the one in the YAML file of this path.

    Raises:
        UnknownPrintName: there is none.
        FileUnreadable, DeckInvalid: the file holds none; the message holds the line.
    """
    path = Path(name)
    if path.suffix.lower() not in (".yaml", ".yml"):
        names = template_names()
        if name not in names:
            raise UnknownPrintName(
                f"there is no card template {name[:40]!r}; choose from {listed(names)}, "
                "or give a file ending in .yaml"
            )
        path = package_file("templates", "decks", f"{name}.yaml")
    return parse_template(read_text(path), path.name)


def parse_template(text: str, name: str) -> Template:
    """Read and check a card template; ``name`` is the file's name in messages.

    Raises:
        DeckInvalid: it does not hold together; the message says in which line.
    """
    template, lines = parse_yaml(text, Template, name, DeckInvalid)
    _check(template, lines)
    return template


def _check(template: Template, lines: YamlLines) -> None:
    if template.size not in DECK_SIZES:
        raise DeckInvalid(
            f"{lines.place('size')}: there is no card size {template.size!r}; choose from {listed(DECK_SIZES)}"
        )
    for name, code in (("ground", template.ground), *(("back", c) for c in (template.back or Back()).colours)):
        _check_colour(code, lines.place(name))
    for at, box in enumerate(template.boxes):
        place = lines.place("boxes", at)
        if isinstance(box, TextBox):
            if bool(box.field) == bool(box.words):
                raise DeckInvalid(f"{place}: a text box has a field or words, one of the two")
            if not 3 <= box.least <= box.points <= 200:
                raise DeckInvalid(f"{place}: type is 3 to 200 points, and least at most points")
        if isinstance(box, TextBox | Plate):
            _check_colour(box.colour, place)
        if isinstance(box, Plate) and box.line:
            _check_colour(box.line, place)
        width, height = (box.width, box.width) if isinstance(box, CodeBox) else box.at[2:]
        if min(width, height) <= 0 or max(width, height) > 500:
            raise DeckInvalid(f"{place}: a box is up to 500 mm wide and high, not {width:g} x {height:g}")
        _check_inside(box, DECK_SIZES[template.size], place)


def _check_inside(box: Box, size: CardSize, place: str) -> None:
    left, bottom = box.at[:2]
    width, height = (box.width, box.width) if isinstance(box, CodeBox) else box.at[2:]
    spare = BLEED if isinstance(box, Plate | PictureBox) else 0.0
    if (
        left < -spare
        or bottom < -spare
        or left + width > size.width + spare
        or bottom + height > size.height + spare
    ):
        raise DeckInvalid(
            f"{place}: the box reaches beyond a {size.name} card of {size.width:g} x {size.height:g} mm"
        )


def _check_colour(code: str, place: str) -> None:
    if not _COLOUR.fullmatch(code):
        raise DeckInvalid(f"{place}: {code[:20]!r} is no colour; write six hexadecimal digits, such as 24405A")
