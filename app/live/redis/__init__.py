"""Live tables in Redis, for any number of processes: one server or a cluster."""
