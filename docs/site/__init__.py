"""The documents as a site, with the pages and pictures that are made from the program."""

from loomtable.engine.kernel.plugins import ignore_third_party

ignore_third_party()
