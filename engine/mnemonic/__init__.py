"""Mnemonic: skills tied to card suits, pools of six-sided dice, weaving dice, and a journal for each character."""
