"""Challenges and Core Challenges, and the dice of Weave."""
