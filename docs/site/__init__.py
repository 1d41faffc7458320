"""The documents as a site, with the pages and pictures that are made from the program."""

from loomtable.engine.kernel.plugins import leave_others_out

leave_others_out()
