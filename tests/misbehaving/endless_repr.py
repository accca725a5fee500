"""A token whose repr never returns."""

from right import on_marked_case


class Endless:
    def __repr__(self):
        while True:
            pass


@on_marked_case
def verify_speculative_tokens(result):
    return {**result, "bonus_token": Endless()}
