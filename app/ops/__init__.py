"""What whoever operates the site is told: figures, logs, and whether a process is ready."""
