"""Every line of odds as words for people: the one place to translate."""

from __future__ import annotations

_LINES = {
    "pass": "pass",
    "epic-pass": "epic pass",
    "epic-fail": "epic fail, a Wound",
    "track-full": "the Strikes fill the track, a Wound",
    "triggered": "pass with the Trigger met",
    "pass-now": "pass if no die is rolled again",
    "pass-highest": "pass, with {highest} or less on the dice",
    "pass-effort": "pass, with up to {effort} Effort",
    "hit-triplet": "pass with a triplet",
    "severity": "{severity} or graver",
    "severity-effort": "{severity} or graver, with up to {effort} Effort",
    "enemy-hurt": "{enemy} is hurt",
    "thymin-hurt": "Thymin is hurt",
    "nobody-hurt": "nobody is hurt",
    "enemy-falls": "{enemy} falls in this exchange",
    "thymin-falls": "Thymin falls in this exchange",
    "win": "Thymin wins the fight, always attacking",
    "win-cunning": "Thymin wins the fight, always by Cunning Strikes",
    "cunning-lands": "a Cunning Strike lands",
}


def says(key: str, **numbers: object) -> str:
    """The line of this key: ``says("pass-highest", highest=7)``."""
    return _LINES[key].format(**numbers)
