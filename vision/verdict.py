"""What is to be done with something that was seen."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """Believe it, ask a person about it, or turn it away; never guess."""

    ACCEPTED = "accepted"
    ASK = "ask"
    REJECTED = "rejected"
