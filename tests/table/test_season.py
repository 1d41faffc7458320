"""The page of a season: what happened in each episode, and how everybody stood when it was over."""

from __future__ import annotations

from docs.site.page_pictures import evening
from loomtable.engine.systems import SYSTEMS
from loomtable.table.chronicle.season import Episode, season_of
from loomtable.table.hosting.devices import Role
from loomtable.table.screens.blocks import Track
from tests.table.asking import Table

TEXT = {"accept": "text/html"}


def wounds(episode: Episode) -> dict[str, int]:
    tracks = {p.name: [b for b in p.blocks if isinstance(b, Track) and b.name == "Wounds"] for p in episode.people}
    return {name: found[0].marked for name, found in tracks.items()}


def test_each_episode_keeps_what_was_decided_in_it_and_the_wounds_and_levels_at_its_end(friday: Table) -> None:
    wounded = friday.host.live_session(evening(friday.host, "Wounded", "weave-give-in")).session
    one, two = season_of(wounded, "Wounded").episodes
    assert (one.title, two.title) == ("Episode one", "Episode two")
    assert "Ilse and Odo bring Whose Wrist Is This to its end." in one.happened
    assert wounds(one) == {"Ilse": 3, "Odo": 0} and wounds(two) == {"Odo": 0}, "Ilse has left the season"
    rising = friday.host.live_session(evening(friday.host, "Rising", "weave-seventh-level")).session
    for viewer in ("storyteller", "Ada"):
        episodes = season_of(rising, "Rising", viewer).episodes
        assert [e.people[0].about for e in episodes] == [f"Ada · level {n}" for n in (2, 3, 4, 5, 6, 7, 7)]
    assert {e.people[0].about for e in season_of(rising, "Rising", "Ben").episodes} == {"Ada"}, (
        "it is on her sheet"
    )


def test_an_episode_that_a_player_has_heard_nothing_of_is_there_all_the_same(friday: Table) -> None:
    session = friday.host.live_session(evening(friday.host, "Wounded", "weave-give-in")).session
    episodes = season_of(session, "Wounded", "Ada").episodes
    assert [e.chapters for e in episodes] == [((1, "How it begins"), (2, "The third scene")), ()]


def test_it_is_one_press_from_the_first_page_and_from_the_evening(friday: Table) -> None:
    evening(friday.host, "Wounded", "weave-give-in")
    host, ben = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ben", "Wounded")
    for asker, address in ((host, "/"), (host, "/table/Wounded"), (ben, "/table/Wounded")):
        assert 'href="/table/Wounded/season"' in asker.ask("GET", address, headers=TEXT).text
    told, own = (asker.ask("GET", "/table/Wounded/season", headers=TEXT).text for asker in (host, ben))
    assert 'href="/table/Wounded/chronicle#chapter-2"' in told
    assert "Ada · level 1" in told and "Ada · level 1" not in own and "Ben · level 1" in own
    assert friday.join(Role.SCREEN, live="Wounded").get("/table/Wounded/season").status == 403


def test_every_game_has_one_from_the_beginning(friday: Table) -> None:
    host = friday.join(Role.HOST)
    for key, system in SYSTEMS.items():
        friday.host.begin(key, f"new {key}")
        assert host.get(f"/table/new%20{key}/season").status == 200
        linked = f"/table/new%20{key}/season" in host.ask("GET", f"/table/new%20{key}", headers=TEXT).text
        assert linked == system.presentation.episodes
