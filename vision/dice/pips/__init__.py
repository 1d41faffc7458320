"""Pips alone: the d6 reader without a network, a cue beside the networks and their stand-in."""
