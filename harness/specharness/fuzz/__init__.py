"""A differential test against the reference: inputs are generated, judged, and made small where they show something."""
