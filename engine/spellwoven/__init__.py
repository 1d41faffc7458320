"""Spellwoven: combat by rounds and momentum, wounds by severity, healing by days."""
