"""The coins: who has how many, and what has moved them (T3–T5)."""
