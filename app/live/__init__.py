"""Running tables: load, decide, save if unchanged, tell."""
