"""First room: read, check and select cases."""
