"""How well somebody plays: a rating for each game, from public matches between people."""
