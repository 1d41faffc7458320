"""The pictures on the Story cards, one function each. Importing this package registers them all."""

from importlib import import_module
from pkgutil import iter_modules

from loomtable.printkit.draw.motifs.registry import HEIGHT, WIDTH, Motif, motif_named, motif_names

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["HEIGHT", "WIDTH", "Motif", "motif_named", "motif_names"]
