"""The rules of the games, and states, views and records built on them.

`engine` holds what kernels are made of, `splendor` and `duel` the games. The modules here are the
Python side that all games share: the typed interface (`rules`), the list of games (`registry`),
positions, records, and views as data.
"""
