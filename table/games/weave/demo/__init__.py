"""The demo: a first evening of Weave, from printed cards to a resolved Challenge."""
