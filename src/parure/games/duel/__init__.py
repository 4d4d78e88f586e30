"""Splendor Duel, with or without The Counterfeiters."""
