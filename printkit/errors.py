"""What can go wrong in printing that a person can put right."""

from __future__ import annotations

from loomtable.engine.kernel.errors import BadInput


class PrintError(BadInput):
    """The parent of every printing error; ``str(error)`` is one clear sentence."""


class UnknownPrintName(PrintError):
    """No such component, kit, paper or card size; the message lists the known ones."""


class NoSuchCard(PrintError):
    """A card was asked for that is not among those to print."""


class CopiesInvalid(PrintError):
    """The number of copies is no positive whole number, or absurdly large."""


class SheetTooSmall(PrintError):
    """Not one card fits the paper within the printer's margins."""


class GlyphMissing(PrintError):
    """The font has no glyph for a character; the message names the card and the character."""


class TextTooLong(PrintError):
    """A text does not fit its box, even at the smallest size allowed; the message names the card."""


class UnknownMotif(PrintError):
    """A card asks for a picture that nobody drew; the message names the card."""


class ArtUnreadable(PrintError):
    """A picture's SVG file is damaged, or holds what cannot be printed as flat colour; the message names it."""


class FontMissing(PrintError):
    """A font that travels with Loomtable is not installed."""


class PrintUnwritable(PrintError):
    """A file could not be written where it was asked for."""


class PrinterProfileInvalid(PrintError):
    """A printer profile holds no misprint that could be, or its file is not one."""


class ProfileUnreadable(PrintError):
    """A file is no ICC profile of a printing press."""


class CodeUnreadable(PrintError):
    """No code that fits the card could be read by that camera from that far."""


class ShopPrintsNone(PrintError):
    """A shop prints no cards of the size that was asked for, or none of what was named."""


class OutsideSafeZone(PrintError):
    """Words would stand so near to a card's edge that a shop might cut them; the message names both."""


class DeckInvalid(PrintError):
    """A deck of one's own cannot be printed; the message names the file, the card and the field."""
