"""Matches that have ended, and handshakes that came to nothing, for good (T12, T14)."""
