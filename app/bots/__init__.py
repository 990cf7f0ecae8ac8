"""Computer players: what they play, from what a seat sees and nothing else."""
