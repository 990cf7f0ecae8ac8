"""How the computer players play: measured against others, and what they are reckoned from."""
