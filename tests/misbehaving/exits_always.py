"""Ends the process, whatever the case."""

import os


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    os._exit(7)
