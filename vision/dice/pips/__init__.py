"""Pips alone: the d6 reader without a network, a witness beside the networks and their stand-in."""
