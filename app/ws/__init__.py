"""The edge where sockets come in."""
