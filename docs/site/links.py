"""Whether every link of a built site leads somewhere, and nothing is loaded from another machine."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_LOADED = {"script": "src", "img": "src", "video": "poster", "link": "href", "source": "src", "iframe": "src"}
"""What a browser loads without being asked."""


class _Page(HTMLParser):
    """The links of a page, and the places in it that links can name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, int, bool]] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what the tag links to, and its id."""
        given = dict(attrs)
        if place := given.get("id"):
            self.places.add(place)
        name = _LOADED.get(tag, "href" if tag == "a" else None)
        if name and (target := given.get(name)):
            self.links.append((target, self.getpos()[0], tag in _LOADED))


def broken_links(site: Path) -> list[str]:
    """A line for each link that leads nowhere, and for each file that would be loaded from another machine."""
    site = site.resolve()
    pages = {path: _Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    return [
        f"{path.relative_to(site)}:{line}: {wrong}"
        for path, page in pages.items()
        for target, line, loaded in page.links
        if (wrong := _wrong(path, target, loaded, pages))
    ]


def _wrong(path: Path, target: str, loaded: bool, pages: dict[Path, _Page]) -> str | None:
    parts = urlsplit(target)
    if parts.scheme or parts.netloc:
        return f"{target} is loaded from elsewhere" if loaded and parts.scheme != "data" else None
    if parts.path.startswith("/"):
        return f"{target} works from a server only"
    aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not aim.is_file():
        return f"{target} leads nowhere"
    place = unquote(parts.fragment)
    if place and aim in pages and place not in pages[aim].places:
        return f"{target}: there is no such place on that page"
    return None
