"""Matches over HTTP and WebSocket: seats are links, the log of decisions is the truth."""
