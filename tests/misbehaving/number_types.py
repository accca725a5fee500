"""Tokens and counts of other number types."""

import decimal
import fractions

from right import by_kind


def giving(kind):
    return lambda result: {**result, "bonus_token": kind(result["bonus_token"])}


fraction = giving(fractions.Fraction)
decimal_number = giving(decimal.Decimal)


def fraction_count(result):
    return {**result, "acceptance_count": fractions.Fraction(result["acceptance_count"])}


verify_speculative_tokens = by_kind(globals())
