"""Internal: the compiled observations and steps of the environments.

The functions in here check nothing: an array of the wrong type or shape makes them write garbage
or crash the interpreter. Call :class:`parure.envs.Games` and :func:`parure.envs.observe_many`.
"""
