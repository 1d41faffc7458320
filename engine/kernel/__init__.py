"""Requests, readings, events, journal, rulings, dice, decks and component ids: what all five games share."""
