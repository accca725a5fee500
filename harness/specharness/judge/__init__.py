"""Third room: compare an observation with what its case expects."""
