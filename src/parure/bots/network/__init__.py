"""The network of the search: what it reads, its weights, and its evaluation in compiled code.

`layout` says which inputs and outputs the network of a game has, `weights` loads the files in
`trained/`, and `inference` evaluates a position. `duel` and `splendor` connect the network to
their game: where the cards are in an observation, and which outputs make up the logit of a
decision. :mod:`parure.train` trains it.
"""
