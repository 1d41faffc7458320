"""What a game is written with: everything that the rules of a sixth game import, under names that stay.

``docs/extending.md`` builds a game from them. What its panels show is in ``loomtable.panels``, how it is tested in
``loomtable.testing``.

===============  ========================================================================================
the game         ``System`` in its groups ``Rules``, ``SettingUp``, ``Words``, ``Looks``, ``Presentation``
a rule           ``Play``, ``Steps``, ``Event``, ``ask``, ``IllegalAction``; who begins it: ``PLAYER``,
                 ``STORYTELLER``, ``ASKED``; its arguments: ``Names``, ``HostsOnly``
what is asked    ``Request``: a ``Roll``, ``Flip``, ``ShowCard``, ``Choose`` of ``Option``, ``EnterNumber`` or
                 ``EnterText``; tell them apart with ``match`` or ``isinstance``
what answers     ``Reading``, one class for each request, and its ``Source``
hands            ``Situation``, ``Offer``
rulings, words   ``RulingBook``, ``read_rulings``, ``how_many``, ``Spoken``, ``RollMark``, ``Block``, ``Reference``
===============  ========================================================================================

>>> from loomtable import begun_ready
>>> from loomtable.game import Roll
>>> evening = begun_ready("weave")
>>> _ = evening.perform("challenge", who="Ilse", suit="gales")
>>> match evening.pending:
...     case Roll(die=die, count=count):
...         print(count, die)
5 weave
"""

from __future__ import annotations

from loomtable.engine.kernel.action_rules import ASKED, PLAYER, STORYTELLER
from loomtable.engine.kernel.arguments import HostsOnly, Names
from loomtable.engine.kernel.chronicle import RollMark, Spoken
from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.dice import Die, Face
from loomtable.engine.kernel.errors import ContentInvalid, IllegalAction, LoomtableError
from loomtable.engine.kernel.gestures import Offer, Situation
from loomtable.engine.kernel.play import Action, Event, Play, Steps, ask
from loomtable.engine.kernel.poker import CARDS, RANKS, PokerCard
from loomtable.engine.kernel.readings import (
    CardReading,
    ChoiceReading,
    CoinReading,
    DiceReading,
    NumberReading,
    Reading,
    Source,
    TextReading,
)
from loomtable.engine.kernel.reference import Block, Reference
from loomtable.engine.kernel.requests import (
    Choose,
    EnterNumber,
    EnterText,
    Flip,
    Option,
    Request,
    Roll,
    ShowCard,
)
from loomtable.engine.kernel.results import Outcome, RollInPlay
from loomtable.engine.kernel.rulings import RulingBook, read_rulings
from loomtable.engine.kernel.serialization import to_builtins
from loomtable.engine.kernel.session import Session
from loomtable.engine.kernel.system import Looks, Presentation, Rules, SettingUp, System, Words, no_setup
from loomtable.engine.kernel.wording import how_many
from loomtable.engine.odds.words import OddsLine

__all__ = [
    "ASKED",
    "CARDS",
    "PLAYER",
    "RANKS",
    "STORYTELLER",
    "Action",
    "Block",
    "CardReading",
    "ChoiceReading",
    "Choose",
    "CoinReading",
    "ComponentId",
    "ContentInvalid",
    "DiceReading",
    "Die",
    "EnterNumber",
    "EnterText",
    "Event",
    "Face",
    "Flip",
    "HostsOnly",
    "IllegalAction",
    "Kind",
    "Looks",
    "LoomtableError",
    "Names",
    "NumberReading",
    "OddsLine",
    "Offer",
    "Option",
    "Outcome",
    "Play",
    "PokerCard",
    "Presentation",
    "Reading",
    "Reference",
    "Request",
    "Roll",
    "RollInPlay",
    "RollMark",
    "Rules",
    "RulingBook",
    "Session",
    "SettingUp",
    "ShowCard",
    "Situation",
    "Source",
    "Spoken",
    "Steps",
    "System",
    "TextReading",
    "Words",
    "ask",
    "how_many",
    "no_setup",
    "read_rulings",
    "to_builtins",
]
