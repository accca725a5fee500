"""Never returns."""

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    while True:
        pass
