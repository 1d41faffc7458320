"""A small adventure for the tests, whole; each test damages or changes it as it likes."""

TEXT = """\
adventure: small
title: Small
about: A walk.
licence: CC0
paragraphs:
  1:
    text: A door.
    choices:
    - {says: Open it., to: 2}
    - {says: Break it., to: 3, if: {item: Axe}}
  2:
    text: A goblin.
    fight:
      enemy: {name: Goblin, dexterity: 6, health: 4}
      ends:
      - {when: all-dead, to: 4}
  3:
    text: Two goblins.
    map_fight:
      map: sluice-yard
      enemies:
      - {name: Goblin, dexterity: 6, health: 4}
      - {name: Goblin, dexterity: 6, health: 4}
      ends:
      - {when: all-dead, to: 4, changes: [{gain: Key}]}
  4:
    text: A treasure.
    test: {attribute: wisdom, pass: 5, fail: 225, items: {Key: -1}}
  5:
    text: Home.
    ending: victory
  225:
    text: The end.
    ending: death
"""
