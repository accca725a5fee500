"""Second room: run an implementation and observe what it does."""
