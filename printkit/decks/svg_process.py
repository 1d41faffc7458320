"""SVG files, each drawn in a process of its own: one that never ends, takes all memory or falls over does no harm.

Run as a script this is that process, which imports nothing of ours and so starts quickly.
"""

from __future__ import annotations

import contextlib
import io
import math
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

_MOST_DEPTH = 200
"""Elements within elements: programs that draw nest a few dozen; resvg falls over at some tens of thousands."""
_SECONDS, _SECONDS_PER_PIXEL, _MOST_SECONDS = 1.0, 1e-6, 60.0
"""CPU time for a picture, ten times what fine drawings took; and the most by the clock."""
_MEMORY, _MEMORY_PER_PIXEL = 150_000_000, 40
"""Bytes: the process itself takes a third of that; a picture takes four a pixel, and so does each group in it."""
_TOLD = 2  # the exit status of a process that says why it does not draw


class Undrawable(Exception):
    """A file cannot be drawn as it is meant; the message says why."""


def draw_svg(path: str, wide: float, high: float, most: int) -> bytes:
    """The drawing as PNG, so many pixels wide or high or more, but ``most`` in all.

    Raises:
        Undrawable: it cannot be drawn, or not with the time and the memory for one.
    """
    command = [sys.executable, "-P", __file__, path, str(wide), str(high), str(most)]
    with contextlib.suppress(subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, timeout=_MOST_SECONDS)
        if done.returncode == 0:
            return done.stdout
        if done.returncode == _TOLD:
            raise Undrawable(done.stderr.decode())
    raise Undrawable("drawing it takes too long or too much memory; make it simpler, or save it as PNG")


def _bound(pixels: int) -> None:
    """Let the system end this process where a picture takes too much; where it cannot, the clock does."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # Windows has none of it, macOS none of memory
        import resource

        used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        bounds = {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_CPU: math.ceil(used + _SECONDS + _SECONDS_PER_PIXEL * pixels),
        }
        for what, most in (bounds | {resource.RLIMIT_AS: _MEMORY + _MEMORY_PER_PIXEL * pixels}).items():
            resource.setrlimit(what, (most, resource.getrlimit(what)[1]))


def _drawn(path: Path, *asked: float) -> bytes:
    from resvg_py import svg_to_bytes

    def within(width: int, height: int) -> bytes:
        _bound(width * height)
        # Without dpi, resvg-py 0.5 takes a size in millimetres for none.
        return svg_to_bytes(
            text, resources_dir=str(folder), width=width, height=height, dpi=96, skip_system_fonts=True
        )

    text, folder, depth = path.read_text("utf-8-sig"), path.parent.resolve(), 0
    for event, element in ElementTree.iterparse(io.StringIO(text), ("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _MOST_DEPTH:
            raise Undrawable(f"it has more than {_MOST_DEPTH} groups within groups; ungroup them")
        if element.tag.rpartition("}")[2] == "text":
            raise Undrawable("its text would depend on your fonts; save it with text as paths")
        for shown in (value.strip() for key, value in element.items() if key.rpartition("}")[2] == "href"):
            if not shown.startswith(("#", "data:")) and not (folder / shown).resolve().is_relative_to(folder):
                raise Undrawable(f"it shows {shown[:40]!r}, which is not in its folder; embed that picture")
    wide, high, most = asked
    small = within(500, 500)  # whatever size the file says, it is never drawn larger than asked for
    across, down = (int.from_bytes(small[at : at + 4]) for at in (16, 20))
    scale = min(max(wide / across, high / down), math.sqrt(most / (across * down)))
    return within(math.ceil(across * scale), math.ceil(down * scale))


if __name__ == "__main__":
    try:
        sys.stdout.buffer.write(_drawn(Path(sys.argv[1]), *(float(number) for number in sys.argv[2:])))
    except (Undrawable, OSError, ValueError, SyntaxError) as error:
        known = error.strerror if isinstance(error, OSError) else isinstance(error, Undrawable) and str(error)
        sys.stderr.write(known or "it is not a picture")
        sys.exit(_TOLD)
