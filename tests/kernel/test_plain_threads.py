"""Types that several threads are the first to decode, all at once."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys, threading
from msgspec import defstruct
from loomtable.engine.kernel.serialization import from_json, from_builtins

sys.setswitchinterval(1e-6)
for at in range(200):
    inner = defstruct(f"Inner{at}", [(f"field{n}", int | None, None) for n in range(40)])
    outer = defstruct(f"Outer{at}", [("one", inner), ("other", inner), ("more", list[inner] | None, None)])
    together, read = threading.Barrier(8), []

    def decode(number):
        together.wait()
        if number % 2:
            read.append(from_json(b'{"one": {"field39": 3}, "other": {}}', outer))
        else:
            read.append(from_builtins({"one": {"field39": 3}, "other": {}}, outer))

    threads = [threading.Thread(target=decode, args=(number,)) for number in range(8)]
    [one.start() for one in threads]
    [one.join() for one in threads]
    assert read == [outer(inner(field39=3), inner())] * 8
"""


def test_a_type_that_several_threads_decode_first_is_prepared_by_one() -> None:
    """In a process of its own: the library by itself ends it by a segmentation fault, every time."""
    subprocess.run([sys.executable, "-c", PROGRAM], check=True, timeout=120)
