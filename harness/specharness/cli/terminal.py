"""Where text goes: colour only on a terminal, and a closed pipe ends quietly."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
import time
from collections.abc import Iterable, Iterator

import click

from specharness.errors import UsageError
from specharness.judge.verdict import Verdict
from specharness.report.escape import printable


def say(text: str) -> None:
    """Print to standard output. Nobody reading is no error; a full disk is."""
    try:
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_stdout()
    except UnicodeEncodeError:
        say(text.encode("ascii", "backslashreplace").decode())
    except OSError as error:
        _drop_stdout()
        raise UsageError(f"can't write to standard output: {error.strerror}") from None


def complain(message: str) -> None:
    """Print an error to standard error. It may quote untrusted text."""
    lines = [printable(line) for line in message.splitlines() or [""]]
    try:
        click.echo("\n".join([f"specharness: {lines[0]}", *lines[1:]]), err=True)
    except OSError:
        pass


def width() -> int:
    """The columns to use."""
    return min(100, shutil.get_terminal_size((80, 24)).columns) if sys.stdout.isatty() else 80


def fold(line: str, hanging: str) -> str:
    """`line` in the columns of the terminal, or as it is where nobody looks: one line an item can be searched."""
    if not sys.stdout.isatty():
        return line
    return textwrap.fill(line, shutil.get_terminal_size((80, 24)).columns, subsequent_indent=hanging)


def paint(text: str, colour: str) -> str:
    """`text` in a colour, or in bold, where standard output is a terminal that wants it."""
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    return click.style(text, bold=True) if colour == "bold" else click.style(text, fg=colour)


def with_progress(verdicts: Iterable[Verdict], total: int) -> Iterator[Verdict]:
    """Pass verdicts on; after a second, on a terminal, with a progress bar on standard error."""
    began = time.monotonic()
    passing = iter(verdicts)
    done = 0
    if sys.stderr.isatty():
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


def _drop_stdout() -> None:
    """Keep the interpreter from complaining when it flushes at exit."""
    with open(os.devnull, "w") as null:
        os.dup2(null.fileno(), sys.stdout.fileno())
