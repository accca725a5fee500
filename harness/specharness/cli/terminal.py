"""Where text goes: colour only on a terminal, and a closed pipe ends quietly."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

import click

from specharness.errors import UsageError
from specharness.report.escape import printable

if TYPE_CHECKING:
    from specharness.judge.verdict import Verdict


def say(text: str, *, error: bool = False, document: bool = False) -> None:
    """Print to standard output, or to standard error. Nobody reading is no error; a full disk is.

    A document is written in UTF-8, whatever the stream's encoding.
    """
    stream = _stream(error)
    if stream is None:  # closed by the caller
        return
    if document and isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8")
    try:
        stream.write(text + "\n")
        stream.flush()
    except BrokenPipeError:
        _drop(stream)
    except UnicodeEncodeError:
        say(text.encode("ascii", "backslashreplace").decode(), error=error)
    except OSError as problem:
        _drop(stream)
        raise UsageError(f"can't write to standard {'error' if error else 'output'}: {problem.strerror}") from None


def complain(message: str) -> None:
    """Print an error to standard error. It may quote untrusted text."""
    if sys.stderr is None:
        return
    lines = [printable(line) for line in message.splitlines() or [""]]
    try:
        click.echo("\n".join([f"specharness: {lines[0]}", *lines[1:]]), err=True)
    except OSError:
        pass


def width(*, error: bool = False) -> int:
    """The columns to use on standard output, or on standard error."""
    return max(40, min(100, shutil.get_terminal_size((80, 24)).columns)) if _is_terminal(_stream(error)) else 80


def fold(line: str, hanging: str) -> str:
    """`line` in the columns of the terminal, or as it is where nobody looks: one line an item can be searched."""
    if not _is_terminal(sys.stdout):
        return line
    return textwrap.fill(line, max(40, shutil.get_terminal_size((80, 24)).columns), subsequent_indent=hanging)


def paint(text: str, colour: str, *, error: bool = False) -> str:
    """`text` in a colour, or in bold, where standard output (or standard error) is a terminal that wants it."""
    if not _is_terminal(_stream(error)) or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return click.style(text, bold=True) if colour == "bold" else click.style(text, fg=colour)


def with_progress(verdicts: Iterable[Verdict], total: int) -> Iterator[Verdict]:
    """Pass verdicts on; after a second, on a terminal, with a progress bar on standard error."""
    began = time.monotonic()
    passing = iter(verdicts)
    done = 0
    if _is_terminal(sys.stderr):
        for verdict in passing:
            done += 1
            yield verdict
            if time.monotonic() - began > 1:
                break
        if done < total:
            with click.progressbar(length=total, label="cases", file=sys.stderr, show_pos=True) as bar:
                bar.update(done)
                for verdict in passing:
                    bar.update(1)
                    yield verdict
    yield from passing


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function to be told how many of `total` are done; on a terminal, a bar on standard error shows it."""
    if not _is_terminal(sys.stderr):
        yield lambda done: None
        return
    with click.progressbar(length=total, label=label, file=sys.stderr, show_pos=True) as bar:
        yield lambda done: bar.update(done - bar.pos)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _stream(error: bool) -> TextIO | None:
    return sys.stderr if error else sys.stdout


def _drop(stream: TextIO) -> None:
    """Keep the interpreter from complaining when it flushes at exit."""
    with open(os.devnull, "w") as null:
        os.dup2(null.fileno(), stream.fileno())
