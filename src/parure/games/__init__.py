"""The rules of the games."""
