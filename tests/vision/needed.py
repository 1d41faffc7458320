"""What some tests cannot do without: where it is missing they are skipped, and say what is."""

from __future__ import annotations

import pytest

from loomtable.vision.dice.networks import load_models
from training.photographs import photograph_folder

needs_networks = pytest.mark.skipif(load_models() is None, reason="no dice networks are installed in models/")
needs_photographs = pytest.mark.skipif(
    not (photograph_folder() / "dice.jsonl").exists(),
    reason="the photographs are not here (../shared/photos, or LOOMTABLE_PHOTOS)",
)
