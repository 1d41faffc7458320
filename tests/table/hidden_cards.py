"""Random evenings, what lies hidden in them by their events alone, and what of a text would tell it."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from loomtable.engine.kernel.components import ComponentId, Kind
from loomtable.engine.kernel.errors import LoomtableError
from loomtable.engine.kernel.play import Action, Event, RulingChanged
from loomtable.engine.kernel.readings import Reading
from loomtable.engine.kernel.requests import Choose, Request
from loomtable.engine.kernel.session import Session
from loomtable.engine.mnemonic.events import scenes as mnemonic
from loomtable.engine.mnemonic.events.modes import DieChosen, FaceRoundPlayed, GameFaceEnded, ModeBegun, ModeEnded
from loomtable.engine.mnemonic.events.people import CharacterMade
from loomtable.engine.spellwoven.events.people import CharacterAdded, EncounterClosed, EncounterOpened
from loomtable.engine.weave.cards.decks import name_of
from loomtable.engine.weave.cards.playset import PLAYED_BY_STORYTELLER, QualityKind, playset, playset_names
from loomtable.engine.weave.events import figures
from loomtable.engine.weave.events import story as weave
from loomtable.engine.weave.state import ScannedQuality
from loomtable.engine.woven.events import beginning as woven
from loomtable.engine.woven.events.ground import Entered
from loomtable.engine.woven.events.weaving import SpellCast
from loomtable.engine.woven.spells import spell_named, spells
from loomtable.table.hosting.devices import ROOM
from loomtable.table.hosting.live_session import LiveSession
from loomtable.testing import random_step
from tests.tiers import STEADY

STEPS = 120 if STEADY else 180
PEOPLE = ("Ada", "Ben")
_AT_THE_TABLE = (*PEOPLE, "Cleo")
"""Between two, Mnemonic lays no card aside and Woven deals no home."""


class Secrets:
    """Who holds which card, and what lies face down: a fold over a session's events, and over nothing else.

    No view, no sentence and no rule of who hears what is asked, so that their mistakes show.
    """

    def __init__(self) -> None:
        self._lies: dict[tuple[str, str], frozenset[str]] = {}
        """Where something lies and how a text would name it, and who may look at it there."""
        self._told: set[str] = set()
        """What has lain open, or was said aloud: the story names it from then on, wherever the card is now."""
        self._stays: set[str] = set()
        """What the table keeps before all eyes when its card has gone on."""
        self._own: dict[str, set[str]] = {}
        """The cards by which a player's own characters were made."""
        self._fields: dict[tuple[str, ...], str] = {}
        """Fields of the state that nobody sees but this person."""
        self._players: dict[str, str] = {}
        """Who plays which figure; nobody plays those of the storyteller."""

    def hidden(self, viewer: str) -> set[str]:
        """What this viewer must not be shown now."""
        denied = {text for (_, text), seen_by in self._lies.items() if viewer not in seen_by}
        allowed = {text for (_, text), seen_by in self._lies.items() if viewer in seen_by}
        return denied - allowed - self._stays - self._own.get(viewer, set())

    def untold(self, viewer: str) -> set[str]:
        """What of it no story can name either."""
        return self.hidden(viewer) - self.told(viewer)

    def told(self, viewer: str) -> set[str]:
        """What this viewer may have seen or heard of, wherever it is now."""
        return self._told | self._own.get(viewer, set())

    def places(self) -> set[str]:
        """The kinds of places where something lies hidden now."""
        return {where.partition(" of ")[0] for where, _ in self._lies} | {path[0] for path in self._fields}

    def fields(self, viewer: str) -> set[tuple[str, ...]]:
        """The fields of the state that this viewer must not see."""
        return {path for path, owner in self._fields.items() if owner != viewer}

    def is_asked(self, viewer: str, pending: Request | None) -> bool:
        """Whether this viewer, or a figure of theirs, is asked."""
        return pending is not None and viewer in (pending.by, self._players.get(pending.by))

    def asked(self, viewer: str, pending: Request | None) -> set[str]:
        """What a question tells: who decides, to everybody; its card, to those who have just shown it."""
        if pending is None:
            return set()
        card = pending.about if isinstance(pending, Choose) and self.is_asked(viewer, pending) else None
        return {pending.by, *(_of_card(card) if card is not None else ())}

    def apply(self, event: Event) -> None:
        """Go on by one event."""
        raise NotImplementedError

    def said(self, sentence: str) -> None:
        """Everybody hears this, whatever it names."""
        self._tell(*told_in(sentence, set(_every_name())))

    def _hide(self, where: str, texts: Iterable[str], *seen_by: str) -> None:
        self._lies |= {(where, text): frozenset(seen_by) for text in texts}

    def _lift(self, texts: Iterable[str], of: str = "") -> None:
        """Take something away from where it lies; of a kind of place, if that is named."""
        gone = set(texts)
        self._lies = {at: who for at, who in self._lies.items() if at[1] not in gone or not at[0].startswith(of)}

    def _clear(self, *places: str) -> None:
        self._lies = {at: who for at, who in self._lies.items() if not at[0].startswith(places)}

    def _tell(self, *texts: str, stays: bool = False) -> None:
        self._told |= set(texts)
        if stays:
            self._stays |= set(texts)


class WovenSecrets(Secrets):
    """Hands, dealt spells, spells laid aside and home cards."""

    def __init__(self) -> None:
        super().__init__()
        self._dealt: dict[str, list[str]] = {}
        self._kept: set[str] = set()

    def apply(self, event: Event) -> None:
        match event:
            case woven.SetUp(players=players):
                self._dealt = {who: [] for who in players}
            case woven.HomeDealt(who=who):
                self._fields["mages", who, "home_card"] = who
            case Entered(who=who):
                self._fields.pop(("mages", who, "home_card"), None)
            case woven.SpellsDealt(hands=hands):
                self._deal({who: list(hand) for who, hand in hands.items()})
            case woven.SpellKept(who=who, spell=spell):
                self._deal({**self._dealt, who: [key for key in self._dealt[who] if key != spell]})
                self._kept.add(spell)
                self._hide(f"hand of {who}", _of_spell(spell), who)
            case woven.HandsPassed():  # to the left: whoever sits next, clockwise
                seats = list(self._dealt)
                self._deal({seats[(at + 1) % len(seats)]: self._dealt[who] for at, who in enumerate(seats)})
            case woven.SpellsSetAside(shown=shown):
                for key in set(spells()) - self._kept:
                    if shown:
                        self._tell(*_of_spell(key))
                    else:
                        self._hide("aside", _of_spell(key))
            case SpellCast(spell=spell):
                self._lift(_of_spell(spell))
                self._tell(*_of_spell(spell))

    def _deal(self, dealt: dict[str, list[str]]) -> None:
        self._dealt = {who: dealt[who] for who in self._dealt}
        self._clear("dealt")
        for who, keys in dealt.items():
            for key in keys:
                self._hide(f"dealt of {who}", _of_spell(key), who)


def _of_spell(key: str) -> tuple[str, str]:
    return key, spell_named(key).name


class MnemonicSecrets(Secrets):
    """Hands, cards laid aside, the deck that the computer has shuffled, and dice chosen in secret."""

    def apply(self, event: Event) -> None:
        match event:
            case CharacterMade(character=made):
                self._players[made.name] = made.player
            case ModeBegun(sitting=sitting, cards=cards):
                self._clear("")
                for who, hand in cards.hands.items():
                    for card in hand.cards:
                        self._hide(f"hand of {who}", _of_card(card), self._players[who])
                for card in cards.aside.cards:
                    self._hide("aside", _of_card(card))
                for card in cards.deck.pile if sitting.dealt else ():
                    self._hide("deck", _of_card(card))
            case mnemonic.CardPlayed(card=card):
                self._lift(_of_card(card))
                self._tell(*_of_card(card))
            case ModeEnded():
                self._clear("")
            case DieChosen(who=who, secret=True):
                self._fields["game_face", "chosen", who] = self._players[who]
            case FaceRoundPlayed(again=False) | GameFaceEnded():
                self._fields = {}


@cache
def _of_card(card: ComponentId) -> tuple[str, ...]:
    # Challenge cards of one suit and level have one name; only their codes tell which one it is.
    return (card.short,) if card.kind is Kind.CHALLENGE else (card.short, name_of(card))


class WeaveSecrets(Secrets):
    """The foundation, the storyteller's hand, plans and sheets, an enticement, cards and sheets of others."""

    def __init__(self) -> None:
        super().__init__()
        self._foundation: list[ScannedQuality] = []

    def apply(self, event: Event) -> None:
        self._of_the_season(event)
        self._of_cards(event)
        self._of_sheets(event)
        self._of_what_happens(event)

    def _of_the_season(self, event: Event) -> None:
        match event:
            case weave.SeasonOpened(playset=name):  # who is who, and where is where, is for all to know
                known = playset(name)
                self._tell(*(one.name for one in (*known.people, *known.places)), stays=True)
            case weave.StoryElementChosen(chosen=chosen):
                self._lift(_of_card(chosen.card))
                self._hide("foundation", (*_of_card(chosen.card), chosen.quality.name))
                self._foundation.append(chosen)
            case weave.SeasonElementChosen(chosen=chosen):
                self._hide("the whole season", [chosen.quality.name])
            case weave.SeasonBegun(name=name):
                self._clear("plan")
                self._tell(name, stays=True)
                for laid in self._foundation:
                    if laid.kind is QualityKind.THEME and laid.quality.name == name:
                        self._shown(laid.card)  # a season that is named after its Theme shows it
            case weave.EpisodeBegun(kept_go_back=kept_go_back):
                self._clear("plan", "hand", "face down", "foundation", *(["kept"] if kept_go_back else []))
                for past in self._foundation:
                    if past.kind is QualityKind.LOCATION:
                        self._tell(*_of_card(past.card), past.quality.name, stays=True)
                    else:
                        self._hide("past", [past.quality.name])
                self._foundation = []
            case weave.CardScannedAhead(card=card):
                self._hide("plan", _of_card(card))
            case weave.CombinationTried(tried=tried):
                self._hide("plan", [one.quality.name for one in tried])
            case weave.StoryElementAdded(added=added):
                self._tell(*_of_card(added.card), added.quality.name, stays=True)
                self.said(added.quality.text)

    def _of_cards(self, event: Event) -> None:
        match event:
            case weave.CardDrawn(card=card):
                self._hide("hand", _of_card(card))
            case weave.CardPlayed(card=card) | figures.CardRedeemed(card=card):
                self._lift(_of_card(card))
                self._tell(*_of_card(card))
            case weave.CardsDiscarded(cards=cards):
                for card in cards:
                    self._lift(_of_card(card))
            case weave.CardLaidFaceDown(card=card, flaw=flaw):
                self._lift(_of_card(card))
                self._hide("face down", _of_card(card))
                self._tell(flaw)
            case weave.CardKept(who=who, card=card):
                self._lift(_of_card(card))
                self._hide(f"kept of {who}", _of_card(card), self._players[who])
            case figures.LeftSeason(who=who):
                self._clear(f"kept of {who}")

    def _of_sheets(self, event: Event) -> None:
        match event:
            case figures.CharacterCreated(character=made):
                self._players[made.name] = made.player
                for gained in made.qualities:
                    self._on_the_sheet(made.name, gained)
            case figures.QualityGained(who=who, gained=gained):
                self._on_the_sheet(who, gained)
            case figures.NpcAdded(npc=npc):
                self._lift([npc.name], "foundation")
                self._tell(npc.name, stays=True)
                for gained in npc.qualities:
                    if gained.kind is QualityKind.BOSS:
                        self._shown(gained.card)  # who has come in is shown with the card's picture
                    if gained.kind in PLAYED_BY_STORYTELLER:
                        self._tell(gained.quality.name)
                        self._lift(_of_card(gained.card), "foundation")  # the page shows who has come in
                    else:
                        self._on_the_sheet(npc.name, gained)

    def _shown(self, card: ComponentId) -> None:
        self._lift(_of_card(card), "foundation")
        self._tell(*_of_card(card), stays=True)

    def _on_the_sheet(self, who: str, gained: ScannedQuality) -> None:
        player = self._players.get(who, "")
        self._hide(f"sheet of {who}", [gained.quality.name], player)
        self._own.setdefault(player, set()).update(_of_card(gained.card))

    def _of_what_happens(self, event: Event) -> None:
        """What takes effect on a player's character does so before all eyes, unless it lies face down."""
        if getattr(event, "who", "") not in self._players:
            return
        match event:
            case (
                figures.QualityActivated(quality=quality)
                | figures.QualitySpent(quality=quality)
                | figures.Answered(quality=quality)
            ):
                self._takes_effect(quality)
            case figures.BoonGiven(boon=boon):
                self._takes_effect(boon.because)
            case figures.BoonsEnded(ended=over):
                self._takes_effect(*(boon.because for boon in over))
            case figures.PassivesApplied(applied=applied):
                self._takes_effect(*(one.quality for one in applied))
            case figures.EnticementAnswered(flaw=flaw):
                self._tell(flaw)
            case figures.ActionFailed(because=because) | figures.WoundMarked(because=because):
                self._tell(because)

    def _takes_effect(self, *names: str) -> None:
        """Of several things in one sentence, one that nobody may know keeps them all untold."""
        unknown = {text for (place, text), seen_by in self._lies.items() if not seen_by - {""}}
        if not unknown & set(names):
            self._tell(*names, stays=True)


class SpellwovenSecrets(Secrets):
    """Sheets of others, and what an encounter holds for the storyteller."""

    _SEEN_OF_OTHERS = frozenset({"name", "kind", "side", "player", "dead", "weapons", "armour"})
    _SEEN_OF_ENCOUNTERS = frozenset({"key", "title", "opening"})

    def apply(self, event: Event) -> None:
        match event:
            case CharacterAdded(character=made):
                for field in {*made.__struct_fields__} - self._SEEN_OF_OTHERS:
                    self._fields["characters", made.name, field] = made.player or ""
            case EncounterOpened(encounter=met):
                self._hide(
                    "encounter", {_beginning(text) for text in (met.wants, met.talking, *met.endings.values())}
                )
                for field in {*met.__struct_fields__} - self._SEEN_OF_ENCOUNTERS:
                    self._fields["encounter", field] = ""
            case EncounterClosed(follows=follows):
                self._tell(_beginning(follows))
                self._clear("encounter")
                self._fields = {path: who for path, who in self._fields.items() if path[0] != "encounter"}


def _beginning(text: str) -> str:
    """Words enough to know a text by, with nothing in them that a page would write otherwise."""
    return " ".join(re.split(r"[^\w ]", " ".join(text.split()))[0].split()[:8])


class StormWeaversSecrets(Secrets):
    """One plays alone, and nothing is hidden."""

    def is_asked(self, viewer: str, pending: Request | None) -> bool:
        return pending is not None and viewer != ROOM

    def apply(self, event: Event) -> None:
        pass


_SECRETS: dict[str, type[Secrets]] = {
    "woven": WovenSecrets,
    "mnemonic": MnemonicSecrets,
    "weave": WeaveSecrets,
    "spellwoven": SpellwovenSecrets,
    "storm-weavers": StormWeaversSecrets,
}
PLACES = {
    "woven": {"dealt", "hand", "aside", "mages"},
    "mnemonic": {"hand", "aside", "deck", "game_face"},
    "weave": {"foundation", "hand", "face down", "kept", "sheet", "past", "plan", "the whole season"},
    "spellwoven": {"characters", "encounter"},
    "storm-weavers": set[str](),
}
"""Where something lies hidden in each game, cards or fields of the state."""
HIDING = ("mnemonic", "weave", "woven")
"""The games with cards."""


def secrets_of(session: Session[Any]) -> Secrets:
    """What lies hidden now, by everything that has happened and counts."""
    secrets = _SECRETS[session.system.key]()
    for played in session.played:
        for event in played.events:
            if isinstance(event, RulingChanged):  # it may name a spell; the rule does, whoever holds the card
                ruling = session.system.rulings[event.ruling]
                secrets.said(f"{ruling.question} {ruling.choice(event.choice).says}")
            else:
                secrets.apply(event)
    return secrets


DEALT = {"woven": {"decks": "dealt"}, "mnemonic": {"cards": "dealt", "uneven-deal": "left-over-aside"}}
"""Where the computer deals it knows every hand, and so could tell."""


def played(live: LiveSession, key: str, source: random.Random) -> Iterator[None]:
    """A session by random players, through the live session, one step at a time."""
    for _ in range(STEPS):
        try:
            live.take(next_step(key, live.session, source), by="", revision=live.revision)
        except LoomtableError:
            continue
        yield


def next_step(key: str, session: Session[Any], source: random.Random) -> Action | Reading:
    """Something at random; where nothing is asked, rather often what hides something."""
    if session.pending is None:
        hides = {"mnemonic": _hides_in_mnemonic, "weave": _hides_in_weave, "woven": _hides_in_woven}.get(key)
        if hides is not None and (action := hides(session.state, source)) is not None:
            return action
    return random_step(session, source)


def _hides_in_mnemonic(chronicle: Any, source: random.Random) -> Action | None:
    """Three characters, and the next mode as soon as one is over, as hands are held in modes only."""
    if chronicle.sitting is not None:
        return None
    players = {one.player: name for name, one in chronicle.characters.items()}
    for missing in sorted({*_AT_THE_TABLE} - {*players}):
        return Action("add-character", {"player": missing, "name": f"Walker {missing[0]}"})
    if source.random() < 0.4:
        return Action("game-face", {"who": players["Ada"], "other": players["Ben"]})
    return Action("begin-mode", {"mode": source.choice(["deck-burner", "into-the-grey"])})


def _hides_in_woven(contest: Any, source: random.Random) -> Action | None:
    return None if contest.mages else Action("set-up", {"players": list(_AT_THE_TABLE)})


def _hides_in_weave(season: Any, source: random.Random) -> Action | None:
    """A season with elements of its own, a scene where a Location lies face down, enticements with a card."""
    if not season.name:
        wide = {"playset": source.choice(playset_names()), "season_wide": True}
        return Action("new-season", wide) if source.random() < 0.4 else None
    if not season.place and source.random() < 0.3:
        return Action("set-place", {"location": season.locations[0].quality.name})
    cards = [card for card in season.hand if card.kind is Kind.CHALLENGE]
    flaws = [(c.name, q) for c in season.characters.values() for q in c.qualities if q.kind is QualityKind.FLAW]
    if not cards or not flaws or source.random() < 0.5:
        return None
    who, flaw = source.choice(flaws)
    enticement = {"flaw": flaw.quality.name, "card": source.choice(cards).short}
    return Action("challenge", {"who": who, "suit": "gales", "enticement": enticement})


def told_in(text: str, hidden: set[str]) -> set[str]:
    """Which of the hidden names a text tells: names as whole words, longer ones before those that they hold, and
    keys, which are small words of prose too, where a program would find them."""
    hidden = {name for name in hidden if name in text}
    names = {name for name in hidden if not name[0].islower()}
    longer = {name for name in _every_name() if any(short in name for short in names)} if names else set()
    found = set()
    if names:
        either = "|".join(map(re.escape, sorted(names | longer, key=lambda name: -len(name))))
        found |= set(re.findall(rf"(?<!\w)(?:{either})(?!\w)", text))
    keys = [name for name in hidden if name[0].islower()]
    if keys:
        keyed = re.findall(rf"""["'=](?:{"|".join(map(re.escape, keys))})["'& ]""", text)
        found |= {name.strip("\"'=& ") for name in keyed}
    return found & hidden


@cache
def _every_name() -> frozenset[str]:
    """Every spell, and everything that a Story card can offer."""
    offers = (offer for name in playset_names() for offer in playset(name).cards.values())
    qualities = (quality.name for offer in offers for several in offer.values() for quality in several)
    return frozenset([*(spell_named(key).name for key in spells()), *qualities])
