"""The page of a season: what happened in each episode, and how everybody stood when it was over."""

from __future__ import annotations

from dataclasses import replace

from docs.site.page_pictures import evening
from loomtable.engine.systems import SYSTEMS
from loomtable.table.chronicle.season import Episode, season_of
from loomtable.table.hosting.devices import Role
from loomtable.table.screens.blocks import Track
from tests.table.asking import Table
from tests.table.reading_pdf import words_of_pdf

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
        assert [e.people[0].about for e in episodes] == [
            f"Ada · level {n} · star marker (R1)" for n in (2, 3, 4, 5, 6, 7, 7)
        ]
    assert {e.people[0].about for e in season_of(rising, "Rising", "Ben").episodes} == {
        "Ada · star marker (R1)"
    }, "it is on her sheet"


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
        assert host.get(f"/table/new%20{key}/season.pdf").body.startswith(b"%PDF")
        linked = f"/table/new%20{key}/season" in host.ask("GET", f"/table/new%20{key}", headers=TEXT).text
        assert linked == system.presentation.episodes


def test_a_heros_page_has_what_became_of_that_hero_and_of_nobody_else(friday: Table) -> None:
    session = friday.host.live_session(evening(friday.host, "Wounded", "weave-give-in")).session
    whole = season_of(session, "Wounded")
    assert whole.heroes == ("Ilse", "Odo")
    ilse = whole.of_hero("Ilse")
    assert ilse.told.people == (("Ada", ("Ilse",)),)
    assert all("Ilse" in says for episode in ilse.episodes for says in episode.happened)
    assert "Ilse heals a Wound." in ilse.episodes[0].happened, "it turned nothing, and is hers all the same"
    wounded = [says for says in ilse.episodes[0].happened if says.startswith("Ilse takes a Wound")]
    assert len(wounded) == 4, "as often as it happened"
    assert [[p.name for p in episode.people] for episode in ilse.episodes] == [["Ilse"], []]
    assert ilse.episodes[1].happened == ("Ilse leaves the season.",)


def test_a_hero_whose_name_begins_anothers_is_told_apart(friday: Table) -> None:
    session = friday.host.live_session(evening(friday.host, "Wounded", "weave-give-in")).session
    whole = season_of(session, "Wounded")
    sung = replace(whole.episodes[0], named=("Ilsebill sings.", "Ilse sings.", "They sing to Ilse."))
    assert replace(whole, episodes=(sung,)).of_hero("Ilse").episodes[0].happened == sung.named[1:]


def test_season_and_hero_are_files_to_keep_and_a_player_keeps_what_the_player_knows(friday: Table) -> None:
    evening(friday.host, "Wounded", "weave-give-in")
    host, ben = friday.join(Role.HOST), friday.join(Role.PLAYER, "Ben", "Wounded")
    address = "/table/Wounded/season"
    page = host.ask("GET", address, headers=TEXT).text
    assert f'href="{address}?hero=Ilse"' in page and f'href="{address}.pdf"' in page
    own = host.ask("GET", f"{address}?hero=Ilse", headers=TEXT).text
    assert f'href="{address}.pdf?hero=Ilse"' in own and "How Ilse stood at its end" in own
    assert "Nothing is told" not in own
    written = []
    for asker, query in ((host, ""), (host, "?hero=Ilse"), (ben, "?hero=Ilse&paper=letter")):
        answer = asker.get(f"{address}.pdf{query}")
        assert answer.status == 200
        written.append(words_of_pdf(answer.body))
    told, hers, seen = written
    assert "Ilse and Odo bring Whose Wrist Is This to its end." in told and "How everybody stands now" in told
    assert "Ilse (Ada · level 1 · star marker (R1) · out of the scene): Strikes 0 of 10, Wounds 3 of 3." in hers
    assert "Odo (Ben" not in hers and "Boat Anchor" in hers
    assert "Boat Anchor" not in seen and "level 1" not in seen, "it is on Ada's sheet"
    for nobody in (f"{address}?hero=Wolf", f"{address}.pdf?hero=Wolf"):
        assert host.get(nobody).status == 404
        assert "obody called 'Wolf' is in this season; there are Ilse and Odo" in host.ask("GET", nobody).text
