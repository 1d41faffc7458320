"""Exact probabilities: every chance is a ``Fraction``, and none is cut short without saying so."""
