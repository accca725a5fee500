"""The command `specharness`."""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module
from io import StringIO
from types import FrameType
from typing import Any, NoReturn

import click

from specharness.cli.options import read_run_options, run_options
from specharness.cli.terminal import complain
from specharness.errors import SpecharnessError
from specharness.exit_codes import ExitCode
from specharness.names import did_you_mean
from specharness.report.escape import printable
from specharness.version import SPEC_VERSION, VERSION

_COMMANDS = {
    "list": ("suite_commands", "list_cases", "List cases, one a line: id, level, title."),
    "show": ("suite_commands", "show_case", "Show a case, its clauses and the trace."),
    "clauses": ("suite_commands", "list_clauses", "List the clauses of the spec: id, level, sentence."),
    "validate": ("suite_commands", "validate_files", "Check case files."),
    "law": ("suite_commands", "show_law", "Print the exact law of a profile on a model."),
    "faults": ("fault_commands", "show_faults", "List known faults, and the cases that kill them."),
    "fuzz": ("fuzz_command", "fuzz", "Look for inputs on which an implementation is wrong."),
    "matrix": ("matrix_command", "run_matrix", "Show where implementations fail and differ."),
    "diff": ("diff_command", "diff_reports", "Compare two JSON reports: fixed, broken, new, gone."),
    "exit-codes": ("suite_commands", "list_exit_codes", "List the exit codes and when each is given."),
}
"""The sub-commands: module, function, and the first sentence of the help, so that --help imports none of them."""


class _Commands(click.Group):
    """Sub-commands that are imported when they are asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module, function, _ = _COMMANDS[cmd_name]
        command: click.Command = getattr(import_module(f"specharness.cli.{module}"), function)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, _, about) in _COMMANDS.items()])

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and args[0] not in _COMMANDS:
            near = did_you_mean(args[0], _COMMANDS)
            hint = near or " Name an implementation with --impl."
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=_Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Selecting options repeat: values of one are alternatives, different ones all apply.",
)
@run_options
@click.version_option(VERSION, "--version", message=f"specharness {VERSION} (spec {SPEC_VERSION})")
@click.pass_context
def cli(ctx: click.Context, /, **values: Any) -> ExitCode | None:
    """Test an implementation of the verification step of speculative decoding.

    specharness --impl module:function   or   specharness --impl solution.py
    """
    given = _given_options(ctx)
    if ctx.invoked_subcommand:
        if given:
            raise click.UsageError(
                f"{given[0]} belongs to a run; put the options of {ctx.invoked_subcommand} behind it."
            )
        return None
    options = read_run_options(values)
    if options.impl is None and given:
        raise click.UsageError(f"{given[0]} needs an implementation: name one with --impl module:function.")
    if options.impl is None and os.environ.get("CI"):
        raise click.UsageError("CI is set, and no implementation is named: name one with --impl module:function.")
    from specharness.cli.run_command import run

    return run(options)


def _given_options(ctx: click.Context) -> list[str]:
    """The options of the run that were given on the command line, in their order of declaration."""
    source = click.core.ParameterSource.COMMANDLINE
    return [
        max(parameter.opts, key=len)
        for parameter in ctx.command.params
        if parameter.name and ctx.get_parameter_source(parameter.name) is source
    ]


class _Terminated(BaseException):
    """A signal asked us to end. Libraries take SystemExit for a failure of what they call; this passes through."""

    def __init__(self, number: int) -> None:
        self.number = number


def main() -> NoReturn:
    """Run the command and end the process with its exit code."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has one of them
        if number and signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, _terminated)
    try:
        code = _run_reporting()
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    except _Terminated as ending:
        code = 128 + ending.number
    sys.exit(int(code))


def _run() -> int:
    try:
        return cli.main(prog_name="specharness", standalone_mode=False) or ExitCode.CONFORMANT
    except click.ClickException as error:
        _show(error)
        return ExitCode.USAGE
    except click.Abort:
        return ExitCode.INTERRUPTED
    except SpecharnessError as error:
        complain(str(error))
        return error.exit_code
    except SystemExit as ending:
        if ending.code == 1:  # click's way to say that nobody reads its help
            return ExitCode.CONFORMANT
        raise
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        complain(f"can't write to standard output: {error.strerror}")
        return ExitCode.USAGE


def _show(error: click.ClickException) -> None:
    """Print it as click does, but harmless: it quotes what was given."""
    shown = StringIO()
    error.show(shown)
    with suppress(OSError):
        click.echo("\n".join(map(printable, shown.getvalue().splitlines())), err=True)


def _run_reporting() -> int:
    """As `_run`, and our own faults are told as such."""
    try:
        return _run()
    except Exception:
        import traceback

        complain(f"internal error, please report it:\n{traceback.format_exc()}")
        return ExitCode.INTERNAL_ERROR


def _terminated(number: int, _frame: FrameType | None) -> NoReturn:
    """Ended from outside: leave through the `finally` clauses, so that no worker is left behind."""
    raise _Terminated(number)
