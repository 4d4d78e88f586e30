"""Train the network of the search on games that the search plays against itself.

`parure train run CONFIG --folder F` repeats three steps, each of which is also a command of its
own: *self-play* writes shards of positions, *fitting* trains a candidate network on the newest
shards, and *gating* plays a match between the candidate and the best network so far.

Only the command line imports this package. Fitting needs torch: ``pip install 'parure[train]'``.
"""
