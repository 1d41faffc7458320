"""Files for a printing press: four inks, limited in total, PDF/X-4 or X-1a, an output intent with its ICC profile.

Without a profile of the press, the one made here describes the model of ``loomtable.printkit.draw.separation``.
"""

from __future__ import annotations

import hashlib
import io
import struct
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageCms

from loomtable.printkit.draw.palette import Colour
from loomtable.printkit.draw.pdf_objects import declare_output_intent
from loomtable.printkit.draw.separation import TOTAL_INK, black_for_grey, printed_lab, separated, srgb_to_lab
from loomtable.printkit.errors import ProfileUnreadable

_KEY_CHROMA, _KEY_LIGHT = 0.08, 0.16
"""A colour as dark and as grey as this is black ink alone: fine type must not need four plates in register."""
_DATE = "2000-01-01T00:00:00+00:00"
"""Files carry no time of making, so that the same input gives the same bytes."""
_TO_INKS_GRID, _FROM_INKS_GRID = 17, 7

X4, X1A = "PDF/X-4", "PDF/X-1a:2003"

Inks4 = tuple[float, float, float, float]


@dataclass
class Press:
    """A press: its ICC profile, what it is called, and the inks of every colour met so far.

    Sets colours for a pen as ``loomtable.printkit.draw.inks.Inks`` asks.
    """

    icc: bytes
    condition: str
    transform: Any
    version: str = X4
    known: dict[Colour, Inks4] = field(default_factory=dict)

    @property
    def pdf_version(self) -> tuple[int, int]:
        """Of PDF itself."""
        return (1, 4) if self.version == X1A else (1, 6)

    def inks(self, colour: Colour) -> Inks4:
        """Cyan, magenta, yellow and black for a colour, each 0 to 1, together at most 2.4."""
        found = self.known.get(colour)
        if found is None:
            found = self.known[colour] = self._separate(colour)
        return found

    def fill(self, canvas: Any, colour: Colour) -> None:
        """From now on shapes are filled with ``colour``."""
        canvas.setFillColorCMYK(*self.inks(colour))

    def line(self, canvas: Any, colour: Colour) -> None:
        """From now on lines have ``colour``."""
        canvas.setStrokeColorCMYK(*self.inks(colour))

    def _separate(self, colour: Colour) -> Inks4:
        spread = max(colour) - min(colour)
        if spread < _KEY_CHROMA and max(colour) < _KEY_LIGHT + _KEY_CHROMA and colour.luminance < _KEY_LIGHT:
            return 0.0, 0.0, 0.0, 1.0
        if spread < 1e-6:
            lightness = srgb_to_lab(np.array(colour))[0]
            return 0.0, 0.0, 0.0, round(float(black_for_grey(lightness)), 3)
        dot = Image.new(
            "RGB", (1, 1), (round(colour.red * 255), round(colour.green * 255), round(colour.blue * 255))
        )
        pixel = np.asarray(ImageCms.applyTransform(dot, self.transform))[0, 0]
        return limited([float(ink) / 255 for ink in pixel])

    def picture(self, rgb: Image.Image) -> Image.Image:
        """A picture in the press's inks, each pixel within the limit."""
        pixels = np.asarray(ImageCms.applyTransform(rgb.convert("RGB"), self.transform), dtype=np.float64)
        colours, black = pixels[..., :3], pixels[..., 3:]
        room = np.maximum(TOTAL_INK * 255 - 4 - black, 0)
        share = np.minimum(1.0, room / np.maximum(colours.sum(-1, keepdims=True), 1))
        whole = np.concatenate([np.floor(colours * share), black], axis=-1)
        return Image.fromarray(whole.astype(np.uint8), mode="CMYK")

    def declare(self, canvas: Any, title: str) -> None:
        """Write into the file what its version of PDF/X asks for."""
        xmp = _xmp(title).replace(X4, self.version)
        declare_output_intent(canvas, self.icc, self.condition, xmp.encode(), self.version)


def limited(values: list[float]) -> Inks4:
    """Inks rounded down to thousandths, the three colours thinned where all four are more than ``TOTAL_INK``."""
    cyan, magenta, yellow, black = values
    colours = cyan + magenta + yellow
    share = min(1.0, (TOTAL_INK - black) / colours) if colours else 1.0
    return (
        int(cyan * share * 1000) / 1000,
        int(magenta * share * 1000) / 1000,
        int(yellow * share * 1000) / 1000,
        int(black * 1000) / 1000,
    )


def press_for(icc: Path | None = None, version: str = X4) -> Press:
    """The press of an ICC profile, or the model press, and the ``version`` of PDF/X in which its files are.

    Raises:
        ProfileUnreadable: the file is no ICC profile of a four-ink press.
    """
    if icc is None:
        content = model_profile()
        return Press(content, MODEL_NAME, _transform(ImageCms.ImageCmsProfile(io.BytesIO(content))), version)
    try:
        content = icc.read_bytes()
        profile = ImageCms.ImageCmsProfile(io.BytesIO(content))
        space, kind = profile.profile.xcolor_space.strip(), profile.profile.device_class.strip()
        if (space, kind) != ("CMYK", "prtr"):
            raise ProfileUnreadable(f"{icc}: is an ICC profile of {space} ({kind}), not of a press with four inks")
        name = (profile.profile.profile_description or icc.stem).strip()
        return Press(content, name, _transform(profile), version)
    except (OSError, ImageCms.PyCMSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ProfileUnreadable(f"{icc}: cannot be read as an ICC profile ({why})") from None


def _transform(profile: Any) -> Any:
    return ImageCms.buildTransform(
        ImageCms.createProfile("sRGB"),
        profile,
        "RGB",
        "CMYK",
        ImageCms.Intent.RELATIVE_COLORIMETRIC,
        ImageCms.Flags.BLACKPOINTCOMPENSATION,
    )


MODEL_NAME = "Loomtable coated offset"


@cache
def model_profile() -> bytes:
    """An ICC profile (version 2, output class) of the model press, made from the model itself."""
    axis = np.linspace(0, 1, _FROM_INKS_GRID)
    inks = np.stack(np.meshgrid(*[axis] * 4, indexing="ij"), axis=-1)
    from_inks = _lut16(4, 3, _FROM_INKS_GRID, _lab_codes(printed_lab(inks)))
    codes = np.linspace(0, 65535, _TO_INKS_GRID)
    light, a, b = np.meshgrid(codes, codes, codes, indexing="ij")
    lab = np.stack([light / 652.80, a / 256 - 128, b / 256 - 128], axis=-1)
    to_inks = _lut16(3, 4, _TO_INKS_GRID, np.floor(separated(lab) * 65535))
    gamut = _lut16(3, 1, 2, np.zeros((8, 1)))
    text = "Made by Loomtable from a model of offset printing on coated paper; free to use and pass on."
    tags = [
        (b"desc", _description(MODEL_NAME)),
        (b"cprt", b"text\0\0\0\0" + text.encode() + b"\0"),
        (b"wtpt", b"XYZ \0\0\0\0" + struct.pack(">3i", *(round(v * 65536) for v in (0.8447, 0.8764, 0.7405)))),
        (b"A2B0", from_inks),
        (b"A2B1", from_inks),
        (b"A2B2", from_inks),
        (b"B2A0", to_inks),
        (b"B2A1", to_inks),
        (b"B2A2", to_inks),
        (b"gamt", gamut),
    ]
    return _icc(tags)


def _icc(tags: list[tuple[bytes, bytes]]) -> bytes:
    """Header, table and contents; tags of the same content share it."""
    places: dict[bytes, int] = {}
    body = b""
    start = 128 + 4 + 12 * len(tags)
    for _, content in tags:
        if content not in places:
            places[content] = start + len(body)
            body += content + b"\0" * (-len(content) % 4)
    table = struct.pack(">I", len(tags))
    for name, content in tags:
        table += struct.pack(">4sII", name, places[content], len(content))
    header = struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4sQI3i4s",
        start + len(body), b"\0\0\0\0", 0x02400000, b"prtr", b"CMYK", b"Lab ", 2000, 1, 1, 0, 0, 0,
        b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0", b"\0\0\0\0", 0, 1, 63190, 65536, 54061, b"\0\0\0\0",
    )  # fmt: skip
    return header.ljust(128, b"\0") + table + body


def _lut16(inputs: int, outputs: int, grid: int, codes: npt.NDArray[np.float64]) -> bytes:
    identity = struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 65536)
    straight = struct.pack(">2H", 0, 65535)
    head = b"mft2\0\0\0\0" + struct.pack(">4B", inputs, outputs, grid, 0) + identity + struct.pack(">2H", 2, 2)
    table = np.clip(codes, 0, 65535).reshape(-1, outputs).astype(">u2").tobytes()
    return head + straight * inputs + table + straight * outputs


def _lab_codes(lab: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    codes: npt.NDArray[np.float64] = np.rint(
        np.stack([lab[..., 0] * 652.80, (lab[..., 1] + 128) * 256, (lab[..., 2] + 128) * 256], axis=-1)
    )
    return codes


def _description(name: str) -> bytes:
    ascii_name = name.encode("ascii") + b"\0"
    return b"desc\0\0\0\0" + struct.pack(">I", len(ascii_name)) + ascii_name + b"\0" * (4 + 4 + 2 + 1 + 67)


def _xmp(title: str) -> str:
    """The metadata packet; its ids follow from the title."""
    made = hashlib.sha256(title.encode()).hexdigest()
    uuid = f"uuid:{made[:8]}-{made[8:12]}-{made[12:16]}-{made[16:20]}-{made[20:32]}"
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:xmpMM="http://ns.adobe.com/xap/1.0/mm/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/"
 xmlns:pdfxid="http://www.npes.org/pdfx/ns/id/">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">{escape(title)}</rdf:li></rdf:Alt></dc:title>
<xmp:CreateDate>{_DATE}</xmp:CreateDate><xmp:ModifyDate>{_DATE}</xmp:ModifyDate>
<xmp:MetadataDate>{_DATE}</xmp:MetadataDate><xmp:CreatorTool>Loomtable</xmp:CreatorTool>
<xmpMM:DocumentID>{uuid}</xmpMM:DocumentID><xmpMM:VersionID>1</xmpMM:VersionID>
<xmpMM:RenditionClass>default</xmpMM:RenditionClass>
<pdf:Trapped>False</pdf:Trapped><pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>
</rdf:Description></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""
