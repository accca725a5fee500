"""Never returns, and sits in C code where no signal handler of Python runs."""

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    return sum(iter(int, 1))
