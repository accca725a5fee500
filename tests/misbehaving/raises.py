"""Exceptions of every kind."""

import asyncio

from right import by_kind


class Silent(Exception):
    def __str__(self):
        raise RuntimeError("no text")

    __repr__ = __str__


class TextIsNoText(Exception):
    def __str__(self):
        return 7


class Text(str):
    def __getitem__(self, item):
        raise RuntimeError("no slices")


class TextLies(Exception):
    def __str__(self):
        return Text("a text that can't be sliced")


class Verbose(Exception):
    def __str__(self):
        return "long " * 10_000_000


class Elusive(type):
    @property
    def __module__(cls):
        raise RuntimeError("no module")


class Nowhere(Exception, metaclass=Elusive):
    pass


def raising(error):
    def misbehave(result):
        raise error

    return misbehave


keyboard_interrupt = raising(KeyboardInterrupt("pressed"))
generator_exit = raising(GeneratorExit("closed"))
stop_iteration = raising(StopIteration(3))
cancelled = raising(asyncio.CancelledError())
group = raising(ExceptionGroup("two", [ValueError("a"), ValueError("b")]))
surrogates = raising(RuntimeError("\ud800 is half a character"))
silent = raising(Silent())
text_is_no_text = raising(TextIsNoText())
text_lies = raising(TextLies())
verbose = raising(Verbose())
nowhere = raising(Nowhere("lost"))


def exception_class_of_its_own(result):
    raise type("ValueError", (Exception,), {})("only named so")


def chain_of_causes(result):
    error = None
    for i in range(2000):
        try:
            raise RuntimeError(f"cause {i}") from error
        except RuntimeError as raised:
            error = raised
    raise error


verify_speculative_tokens = by_kind(globals())
