"""Encounters: turns, range bands, combat, Strikes and Wounds."""
