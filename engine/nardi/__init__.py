"""Short nardi (მოკლე ნარდი), rules N1 to N24."""
