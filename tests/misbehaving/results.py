"""Results of every kind but the right one."""

from right import by_kind


def giving(change):
    """The right result, but for its bonus token."""
    return lambda result: {**result, "bonus_token": change(result["bonus_token"])}


def long_list(result):
    return {**result, "accepted_tokens": list(range(10_000))}


def many_keys(result):
    return {str(i): i for i in range(100_000)}


def long_key(result):
    return {**result, "k" * 10_000_000: 1}


def number_keys(result):
    return {1: 2, (3,): 4, None: 5}


def own_marker(result):
    return {"$type": "dict", "repr": str(result), "int": 0}


def deep(result):
    value = []
    for _ in range(100_000):
        value = [value]
    return value


def holds_itself(result):
    result["accepted_tokens"] = result
    return result


def nothing(result):
    return None


def pair(result):
    return tuple(result.values())


def generator(result):
    yield from result


async def coroutine(result):
    return result


def tokens_in_a_tuple(result):
    return {**result, "accepted_tokens": tuple(result["accepted_tokens"])}


def tokens_in_a_generator(result):
    return {**result, "accepted_tokens": (token for token in result["accepted_tokens"])}


def extra_key(result):
    return {**result, "note": "right"}


def missing_key(result):
    return {"accepted_tokens": result["accepted_tokens"], "bonus_token": result["bonus_token"]}


class Unprintable:
    def __repr__(self):
        raise RuntimeError("no repr")


class Fatal:
    def __repr__(self):
        raise SystemExit(0)


huge_int = giving(lambda token: 10**1_000_000)
minus_one = giving(lambda token: -1)
a_bool = giving(bool)
a_float = giving(float)
not_a_number = giving(lambda token: float("nan"))
infinite = giving(lambda token: float("inf"))
a_complex = giving(complex)
a_list = giving(lambda token: [token])
a_text = giving(str)
text_of_nan = giving(lambda token: "NaN")
some_bytes = giving(lambda token: b"\x00\xff")
half_a_character = giving(lambda token: "\ud800")
a_class = giving(lambda token: int)
unprintable = giving(lambda token: Unprintable())
fatal = giving(lambda token: Fatal())


verify_speculative_tokens = by_kind(globals())
