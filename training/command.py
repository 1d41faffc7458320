"""What the commands of training have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec

from loomtable.engine.kernel.errors import LoomtableError

P = ParamSpec("P")


def one_sentence(main: Callable[P, int]) -> Callable[P, int]:
    """A command that says in one sentence what is missing or wrong and returns 2, or 130 if it was stopped."""

    @wraps(main)
    def said(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return main(*args, **kwargs)
        except LoomtableError as error:
            print(error, file=sys.stderr)
        except ModuleNotFoundError as error:
            print(f"{error.name} is not installed: pip install -e . -e training", file=sys.stderr)
        except KeyboardInterrupt:
            print("stopped; the same command goes on where it was", file=sys.stderr)
            return 130
        return 2

    return said
