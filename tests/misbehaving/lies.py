"""Results of classes that lie about themselves."""

import collections
import enum

from right import by_kind


class Int(int):
    def __repr__(self):
        return "the right one"

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0

    def __int__(self):
        return 2

    __index__ = __add__ = __int__

    def bit_length(self):
        return -1


class List(list):
    def __len__(self):
        return 10**9

    def __iter__(self):
        return iter([1])

    def __getitem__(self, item):
        return 1

    def __eq__(self, other):
        return True

    __hash__ = None


class Dict(dict):
    def items(self):
        return [("accepted_tokens", [1]), ("bonus_token", 2), ("acceptance_count", 1)]

    def __iter__(self):
        return iter(["accepted_tokens", "bonus_token", "acceptance_count"])

    keys = __iter__

    def __len__(self):
        return 3

    def __getitem__(self, key):
        return 0

    def __eq__(self, other):
        return True

    __hash__ = None


class Text(str):
    def __eq__(self, other):
        return True

    def __hash__(self):
        return hash("bonus_token")

    def __str__(self):
        return "bonus_token"

    def __len__(self):
        return 0


class Disguised:
    @property
    def __class__(self):
        return dict


class Hostile:
    def __getattribute__(self, name):
        raise SystemExit(name)


class Token(enum.IntEnum):
    ONE = 1
    TWO = 2


def wrong_int(result):
    return {**result, "bonus_token": Int(1)}


def right_int(result):
    return {**result, "bonus_token": Int(result["bonus_token"])}


def right_enum(result):
    return {**result, "bonus_token": Token(result["bonus_token"])}


def wrong_list(result):
    return {**result, "accepted_tokens": List([2])}


def right_list(result):
    return {**result, "accepted_tokens": List(result["accepted_tokens"])}


def wrong_dict(result):
    return Dict(nothing=1)


def right_dict(result):
    return collections.OrderedDict(result)


def wrong_key(result):
    tokens, count = result["accepted_tokens"], result["acceptance_count"]
    return {"accepted_tokens": tokens, Text("something else"): result["bonus_token"], "acceptance_count": count}


def disguised(result):
    return Disguised()


def hostile(result):
    return Hostile()


def hostile_token(result):
    return {**result, "bonus_token": Hostile()}


verify_speculative_tokens = by_kind(globals())
