"""Matches over HTTP and WebSocket, stored as logs of decisions."""
