"""Who plays here: a row for everybody who has acted (T2)."""
