"""A list that holds itself ten times over, so that each level of nesting is ten times as long."""

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    value = []
    value.extend([value] * 10)
    return value
