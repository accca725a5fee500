"""The conformance suite for the verification step of speculative decoding.

`check(function)` runs the suite on a function of this process, `conformance_test(function)` makes tests of it for
pytest. The command is `specharness`.
"""

from typing import TYPE_CHECKING, Any

from specharness.version import SPEC_VERSION, VERSION

if TYPE_CHECKING:
    from specharness.api import check
    from specharness.pytest_plugin.function import conformance_test as conformance_test
    from specharness.report.result import RunResult

__version__ = VERSION
__all__ = ["SPEC_VERSION", "RunResult", "__version__", "check"]  # conformance_test needs pytest


def __getattr__(name: str) -> Any:
    """Import on first use, so that the command starts fast."""
    if name == "check":
        from specharness.api import check

        return check
    if name == "conformance_test":
        from specharness.pytest_plugin.function import conformance_test

        return conformance_test
    if name == "RunResult":
        from specharness.report.result import RunResult

        return RunResult
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
