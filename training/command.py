"""What the commands of training have in common."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import ParamSpec

import cv2

from loomtable.engine.kernel.errors import LoomtableError
from loomtable.vision import network
from loomtable.vision.dice.networks import Models, load_models

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


def models_in(folder: Path | None, threads: int) -> Models:
    """The networks in a folder, or those that ship, which then take so many threads.

    Several commands may run at the same time, and threads that wait for one another on busy cores are many times
    slower.

    Raises:
        ModelBroken: there are none.
    """
    network.THREADS = threads
    cv2.setNumThreads(threads)
    models = load_models(folder)
    if models is None:
        raise network.ModelBroken(f"no dice networks in {folder or 'models'}; name their folder with --models")
    return models
