"""What happens at a table, purely: a table, a command and the site's time give a decision."""
