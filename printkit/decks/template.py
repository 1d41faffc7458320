"""Card templates: where the fields of a deck of one's own stand on a card. Read from YAML, all lengths in mm."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeGuard

import msgspec

from loomtable.engine.kernel.package_data import package_file
from loomtable.engine.kernel.wording import listed
from loomtable.engine.kernel.yamlfile import YamlLines, parse_yaml, read_text
from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.type import Font
from loomtable.printkit.errors import DeckInvalid, UnknownPrintName
from loomtable.printkit.sheet.papers import BLEED, CardSize, deck_size_named

FACES = {
    "title": Font.TITLE,
    "text": Font.TEXT,
    "italic": Font.TEXT_ITALIC,
    "label": Font.LABEL,
    "bold": Font.LABEL_BOLD,
    "code": Font.CODE,
}
_HEX = re.compile(r"#?([0-9A-Fa-f]{6})")
_FIELD = re.compile(r"\{([^{}]+)\}")

Area = tuple[float, float, float, float]
"""Left, bottom, width, height."""


class _AnyBox(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every box may have: ``turn``, in degrees anticlockwise about its middle, and ``when``.

    ``when: boss`` draws it only on cards that have something there, ``when: kind=place`` on those with that.
    """

    turn: float = 0.0
    when: str = ""

    @property
    def condition(self) -> tuple[str, str]:
        """The field of ``when``, and what it has to hold; anything, if that is empty."""
        field, _, value = self.when.partition("=")
        return field.strip(), value.strip()

    def is_on(self, fields: Mapping[str, str]) -> bool:
        """Whether it is drawn on a card with these fields."""
        field, value = self.condition
        held = fields.get(field, "")
        return not field or (held.casefold() == value.casefold() if value else bool(held))


class TextBox(_AnyBox, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="text"):
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


class PictureBox(_AnyBox, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="picture"):
    """A picture file that a field names, or ``file`` beside the template.

    ``fill`` fills the box, and cuts off what stands over at two sides; ``whole`` shows all of it.
    """

    at: Area
    field: str = ""
    file: str = ""
    fit: Literal["fill", "whole"] = "fill"
    optional: bool = False


class CodeBox(_AnyBox, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="code"):
    """The card's QR code with its white edge, a square of ``width`` mm whose lower left corner is at ``at``."""

    at: tuple[float, float]
    width: float = 27.6
    field: str = "code"


class Plate(_AnyBox, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="plate"):
    """A coloured shape under what follows it, or its outline: a rectangle, its corners rounded (mm)."""

    at: Area
    colour: str = ""
    shape: Literal["rectangle", "oval"] = "rectangle"
    corner: float = 0.0
    line: str = ""
    line_width: float = 0.3


Box = TextBox | PictureBox | CodeBox | Plate


class Back(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The other side: woven bands of two colours on a light ground, one colour, or a picture over all of it.

    ``picture`` is the same for all cards; ``field`` names the column in which each card names its own. ``boxes``
    are as on the front; where there are some, the ground is the template's, unless a pattern is named.
    """

    pattern: Literal["", "woven", "plain", "none"] = ""
    colours: tuple[str, str] = ("24405A", "A8712F")
    picture: str = ""
    field: str = ""
    boxes: tuple[Box, ...] = ()

    @property
    def ground(self) -> str:
        """The pattern that is drawn."""
        return self.pattern or ("none" if self.boxes else "woven")


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
    def card_size(self) -> CardSize:
        """The size of its cards."""
        return deck_size_named(self.size)

    @property
    def all_boxes(self) -> tuple[Box, ...]:
        """The boxes of both sides."""
        return self.boxes + (self.back.boxes if self.back else ())

    @property
    def code(self) -> CodeBox | None:
        """Where a camera's code is, if there is one."""
        return next((box for box in self.all_boxes if isinstance(box, CodeBox)), None)

    @property
    def fields(self) -> list[str]:
        """The names of the fields that it shows or looks at, in order."""
        shown: list[str] = []
        for box in self.all_boxes:
            shown += ["" if isinstance(box, Plate) else box.field, box.condition[0]]
            shown += _FIELD.findall("".join(_colours(box)))
        shown += [self.back.field if self.back else "", *_FIELD.findall(self.ground)]
        return [name for name in dict.fromkeys(shown) if name]

    @property
    def required(self) -> list[str]:
        """The fields that a table must have, whatever is on its cards."""
        always = [box for box in self.all_boxes if not box.when]
        colours = [self.ground, *(code for box in always for code in _colours(box))]
        filled = [box.field for box in always if must_be_filled(box)]
        return list(dict.fromkeys(("name", *filled, *_FIELD.findall("".join(colours)))))


def must_be_filled(box: Box) -> TypeGuard[TextBox | PictureBox | CodeBox]:
    """Whether a card on which the box is drawn must have something for it."""
    return not isinstance(box, Plate) and bool(box.field) and (isinstance(box, CodeBox) or not box.optional)


def _colours(box: Box) -> list[str]:
    written = [box.colour] if isinstance(box, TextBox | Plate) else []
    return [code for code in (*written, box.line if isinstance(box, Plate) else "") if code]


def colour_of(code: str, fields: Mapping[str, str] | None = None) -> Colour:
    """The colour of six hexadecimal digits or of a CSS name; or ``{field}``, that which a card names there.

    Raises:
        DeckInvalid: it is none.
    """
    named = _FIELD.fullmatch(code)
    written = (fields or {}).get(named[1], "") if named else code
    found = _HEX.fullmatch(written)
    if found:
        return Colour.hex(found[1])
    try:
        from PIL import ImageColor

        red, green, blue = ImageColor.getrgb(written)[:3]
    except ValueError:
        where = f"field {named[1]!r}: " if named else ""
        remedy = "write six hexadecimal digits, such as 24405A, or red"
        raise DeckInvalid(f"{where}{written[:20]!r} is no colour; {remedy}") from None
    return Colour(red / 255, green / 255, blue / 255)


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
    try:
        size = template.card_size
    except UnknownPrintName as error:
        raise DeckInvalid(f"{lines.place('size')}: {error}") from None
    back = template.back or Back()
    for name, code in (("ground", template.ground), *(("back", c) for c in back.colours)):
        _check_colour(code, lines.place(name))
    for path, boxes in ((("boxes",), template.boxes), (("back", "boxes"), back.boxes)):
        for at, box in enumerate(boxes):
            _check_box(box, size, lines.place(*path, at))
    if len([box for box in template.all_boxes if isinstance(box, CodeBox)]) > 1:
        raise DeckInvalid(f"{lines.place('boxes')}: a card has one code")


def _check_box(box: Box, size: CardSize, place: str) -> None:
    if isinstance(box, TextBox):
        if bool(box.field) == bool(box.words):
            raise DeckInvalid(f"{place}: a text box has a field or words, one of the two")
        if not 3 <= box.least <= box.points <= 200:
            raise DeckInvalid(f"{place}: type is 3 to 200 points, and least at most points")
    if isinstance(box, PictureBox) and bool(box.field) == bool(box.file):
        raise DeckInvalid(f"{place}: a picture box has a field or a file, one of the two")
    if isinstance(box, Plate) and not box.colour and not box.line:
        raise DeckInvalid(f"{place}: a plate has a colour or a line")
    for code in _colours(box):
        _check_colour(code, place)
    left, bottom, width, height = area_of(box)
    if min(width, height) <= 0 or max(width, height) > 500:
        raise DeckInvalid(f"{place}: a box is up to 500 mm wide and high, not {width:g} x {height:g}")
    turn = math.radians(box.turn)
    across = (abs(width * math.cos(turn)) + abs(height * math.sin(turn))) / 2
    up = (abs(width * math.sin(turn)) + abs(height * math.cos(turn))) / 2
    x, y = left + width / 2, bottom + height / 2
    spare = (BLEED if isinstance(box, Plate | PictureBox) else 0.0) + 1e-6
    if min(x - across, y - up) < -spare or x + across > size.width + spare or y + up > size.height + spare:
        why = f"{place}: the box reaches beyond a {size.name} card of {size.width:g} x {size.height:g} mm"
        raise DeckInvalid(why)


def area_of(box: Box) -> Area:
    """Where a box is, before it is turned."""
    return (*box.at, box.width, box.width) if isinstance(box, CodeBox) else box.at


def _check_colour(code: str, place: str) -> None:
    if not _FIELD.fullmatch(code):
        try:
            colour_of(code)
        except DeckInvalid as error:
            raise DeckInvalid(f"{place}: {error}") from None
