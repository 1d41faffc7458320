"""How this Loomtable came onto this machine, and the line that installs it again.

``pipx`` and ``uv tool`` leave their mark in the environment, and ``direct_url.json`` (PEP 610) names the wheel or
the checkout. No index is ever named: nobody owns the name there.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Any

EXTRAS = {"decks": "openpyxl", "postgresql": "psycopg", "scripts": "uharfbuzz"}
"""What only some need, each by a library that comes with it alone."""


def install_line(extra: str = "") -> str:
    """What to type to install this Loomtable again with the extras it has, and with ``extra`` if one is named."""
    extras = ",".join(name for name, library in EXTRAS.items() if name == extra or find_spec(library))
    wanted, checkout = f"[{extras}]" if extras else "", checkout_folder()
    python, prefix = _quoted(sys.executable), Path(sys.prefix)
    if checkout is not None:
        return f"{python} -m pip install --editable {_quoted(f'{checkout}{wanted}')}"
    origin = _origin().get("url")
    what = f"loomtable{wanted} @ {origin}" if origin else f"./loomtable-{version()}-py3-none-any.whl{wanted}"
    if (prefix / "pipx_metadata.json").is_file():
        return f"pipx install --force {_quoted(what)}"
    if (prefix / "uv-receipt.toml").is_file():
        return f"uv tool install --force {_quoted(what)}"
    if not list(prefix.glob("[Ll]ib/**/site-packages/pip/__init__.py")):  # an environment that uv made has none
        return f"uv pip install --python {python} --reinstall {_quoted(what)}"
    return f"{python} -m pip install --force-reinstall {_quoted(what)}"


def again() -> str:
    """The end of a sentence about what is broken here: ``install Loomtable again: pipx install ...``."""
    return f"install Loomtable again: {install_line()}"


def version() -> str:
    """The version; ``unknown`` where nothing is installed."""
    with suppress(PackageNotFoundError):
        return distribution("loomtable").version
    return "unknown"


def version_in_full() -> str:
    """The version, and of a checkout the commit, as ``a checkout at 1a2b3c4d``."""
    folder = checkout_folder()
    if folder is None:
        return version()
    asked = ["git", "-C", str(folder), "describe", "--always", "--abbrev=8", "--dirty=, changed since"]
    try:
        at = subprocess.run(asked, capture_output=True, text=True, check=True, timeout=10).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return f"{version()}, a checkout"
    return f"{version()}, a checkout at {at}"


def checkout_folder() -> Path | None:
    """The checkout that is installed in place; nothing where a wheel is."""
    from urllib.request import url2pathname  # it loads all of HTTP

    origin = _origin()
    editable = origin.get("dir_info", {}).get("editable")
    return Path(url2pathname(origin["url"].removeprefix("file:"))) if editable else None


@cache
def _origin() -> dict[str, Any]:
    with suppress(PackageNotFoundError, ValueError):
        return dict(json.loads(distribution("loomtable").read_text("direct_url.json") or "{}"))
    return {}


def _quoted(text: str) -> str:
    return subprocess.list2cmdline([text]) if os.name == "nt" else shlex.quote(text)
