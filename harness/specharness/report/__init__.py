"""Fourth room: say what a run came to."""
