"""Files for a print shop: four inks, an output intent, never more ink than paper can hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pikepdf
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.printkit.draw.palette import BLACK, INK, Colour
from loomtable.printkit.errors import ProfileUnreadable
from loomtable.printkit.kit import PrintSettings, print_kit
from loomtable.printkit.sheet import press
from loomtable.printkit.sheet.press import press_for
from tests.short import raises


@pytest.fixture(scope="module")
def press_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = PrintSettings(press=press_for(), singly=True)
    only = [ComponentId(Kind.STORY, 5), ComponentId(Kind.STORY, 16)]
    [file] = print_kit(["story"], tmp_path_factory.mktemp("press"), chosen, only=only)
    return file.path


def test_a_file_for_the_press_is_built_as_pdf_x_4_asks(press_file: Path) -> None:
    with pikepdf.open(press_file) as pdf:
        assert pdf.pdf_version == "1.6"
        [intent] = list(pdf.Root["/OutputIntents"])
        assert intent["/S"] == "/GTS_PDFX"
        assert intent["/DestOutputProfile"]["/N"] == 4
        icc = intent["/DestOutputProfile"].read_bytes()
        assert icc[36:40] == b"acsp" and icc[16:20] == b"CMYK" and icc[12:16] == b"prtr"
        assert int.from_bytes(icc[:4], "big") == len(icc)
        metadata = pdf.Root["/Metadata"].read_raw_bytes().decode()
        assert "<pdfxid:GTS_PDFXVersion>PDF/X-4</pdfxid:GTS_PDFXVersion>" in metadata
        assert "/Trapped" in pdf.docinfo and pdf.docinfo["/Trapped"] == "/False"
        assert len(pdf.trailer["/ID"]) == 2
        assert "/Filter" not in pdf.Root["/Metadata"] or list(pdf.Root["/Metadata"]["/Filter"]) == []
        for page in pdf.pages:
            assert "/TrimBox" in page.obj and "/BleedBox" in page.obj


def ink_of(content: pikepdf.Object | pikepdf.Page) -> list[tuple[str, list[float]]]:
    return [
        (str(operator), [float(value) for value in operands])
        for operands, operator in pikepdf.parse_content_stream(content)
        if str(operator) in ("k", "K", "rg", "RG", "g", "G", "cs", "CS", "sc", "scn")
    ]


def test_no_colour_of_a_press_file_takes_more_than_240_percent_of_ink(press_file: Path) -> None:
    seen = 0
    with pikepdf.open(press_file) as pdf:
        forms = [obj for obj in pdf.objects if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Form"]
        assert forms
        for content in [*pdf.pages, *forms]:
            for operator, values in ink_of(content):
                assert operator in ("k", "K"), f"{operator} is no colour of a press"
                assert sum(values) <= 2.4 + 1e-9
                seen += 1
    assert seen > 200


@given(st.tuples(*[st.floats(0, 1)] * 3))
@settings(max_examples=150, deadline=None)
def test_the_press_limits_every_colour_and_prints_black_with_black_alone(rgb: tuple[float, float, float]) -> None:
    press = _press()
    inks = press.inks(Colour(*rgb))
    assert min(inks) >= 0 and max(inks) <= 1 and sum(inks) <= 2.4
    grey = press.inks(Colour(rgb[0], rgb[0], rgb[0]))
    assert grey[:3] == (0, 0, 0)
    assert press.inks(BLACK) == press.inks(INK) == (0, 0, 0, 1)


def test_pictures_for_the_press_keep_the_limit_on_every_pixel() -> None:
    noise = np.random.default_rng(4).integers(0, 256, (60, 80, 3), dtype=np.uint8)
    separated = np.asarray(_press().picture(Image.fromarray(noise)), dtype=int)
    assert separated.shape == (60, 80, 4)
    assert separated.sum(axis=2).max() <= 2.4 * 255


_PRESS = []


def _press():  # type: ignore[no-untyped-def]
    if not _PRESS:
        _PRESS.append(press_for())
    return _PRESS[0]


def test_a_profile_that_wants_more_ink_than_the_paper_holds_is_limited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The three colours give way, and black stays; what the paper holds exactly is left as it is."""
    monkeypatch.setattr(press, "separated", lambda lab: np.full((*lab.shape[:-1], 4), 0.9))
    own = tmp_path / "wet.icc"
    own.write_bytes(press.model_profile.__wrapped__())
    wet = press_for(own)
    *colours, black = wet.inks(Colour(0.8, 0.3, 0.2))
    assert black == pytest.approx(0.9, abs=0.01) and sum(colours) == pytest.approx(2.4 - black, abs=0.004)
    pixels = np.asarray(wet.picture(Image.new("RGB", (4, 4), (200, 90, 40))), dtype=int)
    assert 2.3 * 255 < pixels.sum(axis=2).min() <= pixels.sum(axis=2).max() <= 2.4 * 255
    [file] = print_kit(["story"], tmp_path, PrintSettings(press=wet, singly=True), only="S5")
    with pikepdf.open(file.path) as pdf:
        forms = [obj for obj in pdf.objects if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") == "/Form"]
        inks = [sum(values) for content in [*pdf.pages, *forms] for _, values in ink_of(content)]
    assert 2.3 < max(inks) <= 2.4 + 1e-9


@pytest.mark.parametrize(
    ("wanted", "printed"),
    [
        ((0, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 0, 0, 1), (0, 0, 0, 1)),
        ((0.5, 0.5, 0.5, 0.9), (0.5, 0.5, 0.5, 0.9)),
        ((1, 1, 1, 0), (0.8, 0.8, 0.8, 0)),
        ((1, 1, 1, 1), (0.466, 0.466, 0.466, 1)),
    ],
)
def test_inks_at_the_limit(wanted: tuple[float, ...], printed: tuple[float, ...]) -> None:
    assert press.limited(list(wanted)) == pytest.approx(printed, abs=0.0011)


def test_the_press_takes_a_profile_of_ones_own_and_refuses_what_is_none(tmp_path: Path) -> None:
    own = tmp_path / "mine.icc"
    own.write_bytes(_press().icc)
    assert press_for(own).condition == "Loomtable coated offset"
    for content, says in ((b"no profile", "cannot be read"), (_srgb(), "not of a press")):
        own.write_bytes(content)
        raises(ProfileUnreadable, says, press_for, own)
    with pytest.raises(
        ProfileUnreadable, match=r"none\.icc: cannot be read as an ICC profile \(No such file or dir"
    ):
        press_for(tmp_path / "none.icc")


def _srgb() -> bytes:
    from PIL import ImageCms

    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
