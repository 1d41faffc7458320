"""The site: built from the documents and the program, whole without a server, with no link that leads nowhere."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import pytest

pytest.importorskip("sphinx", reason="the site needs the extra docs")

import loomtable
from docs.site.build import led
from docs.site.links import broken_links
from docs.site.more_pages import api_page, transcripts
from loomtable.engine.systems import SYSTEMS
from tests.table.browsing import PATIENCE, chromium
from tests.tiers import thorough

HOME = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once."""
    folder = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, str(HOME / "docs" / "site" / "build.py"), str(folder), "--quick"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@thorough
def test_every_document_is_a_page(site: Path) -> None:
    pages = {page.relative_to(site).with_suffix("").as_posix() for page in site.rglob("*.html")}
    assert {
        page.relative_to(HOME / "docs").with_suffix("").as_posix() for page in HOME.glob("docs/**/*.md")
    } <= pages
    assert {"changes", "models", "benchmarks", "contributing", "api", "gallery", "played"} <= pages


@thorough
def test_the_first_page_installs_and_the_side_bar_can_be_taken_in(site: Path) -> None:
    page = (site / "index.html").read_text("utf-8")
    before, film, after = page.partition("<video controls ")
    assert "<pre>" in before and "make demo" in before and "loom table" in before
    assert film and "autoplay" not in after, "nothing moves before somebody wants it"
    assert cv2.VideoCapture(str(site / "_static" / "hands.webm")).get(cv2.CAP_PROP_FRAME_COUNT) > 50
    entries = re.findall(r'class="toctree-l1[^>]*><a [^>]*href="([^"#]+)', page)
    assert entries[0] == "install.html" and 20 < len(entries) <= 31


@thorough
def test_diagrams_are_drawn(site: Path) -> None:
    assert not [page for page in site.rglob("*.html") if "mermaid" in page.read_text("utf-8")]
    assert '/packages.svg"' in (site / "architecture.html").read_text("utf-8")


@thorough
def test_no_link_leads_nowhere_and_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    assert not broken_links(site)


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#here">b</a> <a href="#top">up</a> <i id="top"></i>', "utf-8")
    (tmp_path / "b.html").write_text('<a href="c.html">c</a><img src="https://example.org/x.png">', "utf-8")
    assert broken_links(tmp_path) == [
        "a.html:1: b.html#here: there is no such place on that page",
        "b.html:1: c.html leads nowhere",
        "b.html:1: https://example.org/x.png is loaded from elsewhere",
    ]


def test_a_link_to_what_is_not_on_the_site_becomes_words() -> None:
    text = "[then](CHANGELOG.md#training-runs), [code](../vision/dice/pose.py), [how](../docs/training.md#options)"
    assert led(text, HOME / "models" / "README.md", Path("models.md")) == "then, code, [how](training.md#options)"


@thorough
def test_every_public_name_is_documented(site: Path) -> None:
    page = (site / "api.html").read_text("utf-8")
    places = set(re.findall(r'id="loomtable\.(\w+)"', page))
    assert places == set(loomtable.__all__) - {"__version__"}
    assert "## More" not in api_page(), "name it in the table of loomtable's docstring"


@thorough
def test_every_ruling_is_on_the_site(site: Path) -> None:
    page = (site / "rulings.html").read_text("utf-8")
    for system in SYSTEMS.values():
        assert all(f">{ruling}<" in page for ruling in system.rulings)


def test_every_transcript_is_a_page_of_the_site() -> None:
    listed = [name for those in transcripts().values() for name, _, _ in those]
    assert sorted(listed) == sorted(path.stem for path in (HOME / "templates" / "transcripts").glob("*.yaml"))


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A Chromium."""
    yield from chromium()


@thorough
def test_search_works_from_a_disk(site: Path, browser: Any) -> None:
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.fill("input[name=q]", "gutterfold")
    page.press("input[name=q]", "Enter")
    page.wait_for_selector("#search-results a", timeout=PATIENCE)
    assert "Printing" in page.locator("#search-results").inner_text()
    page.close()


@thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_light_or_dark_as_the_system_is_and_can_be_switched(site: Path, browser: Any, scheme: str) -> None:
    page = browser.new_page(color_scheme=scheme)
    page.goto((site / "index.html").as_uri())
    ground = "getComputedStyle(document.body).backgroundColor"
    seen = [page.evaluate(ground)]
    for _ in range(2):
        page.locator(".theme-toggle:visible").click()
        seen.append(page.evaluate(ground))
    bright = sum(map(int, re.findall(r"\d+", seen[0])[:3])) > 3 * 128
    assert bright == (scheme == "light")
    assert len(set(seen)) == 2
    page.close()


@thorough
@pytest.mark.parametrize("name", ["index", "gallery", "api", "played", "evenings/weave", "rulings", "commands"])
def test_a_page_is_no_wider_than_a_phone(site: Path, browser: Any, name: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto((site / f"{name}.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()
