"""What happens at a table: pure values and decisions, nothing that waits or is fetched."""
