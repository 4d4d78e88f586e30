"""Internal: what a seat observes, written as bytes by compiled functions.

The environments give observations to learning agents, and the network of the search reads them.
The functions in here check nothing: call :func:`parure.envs.observe_many`.
"""
