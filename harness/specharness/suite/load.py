"""Cases from the shipped suite or from files of the user's own, read, checked and in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from specharness.errors import BadSuite
from specharness.locations import cache_folder, data_root
from specharness.suite.clauses import CLAUSE_FILES, load_clauses
from specharness.suite.model import Case
from specharness.suite.pack import digest_of, read_pack, remove_oldest, write_pack


def load_shipped() -> list[Case]:
    """The cases of the shipped suite, from a pack where one fits. Raises `BadSuite`."""
    root = data_root()
    if not shipped_files(root):
        raise BadSuite([f"{root / 'cases'}: the shipped cases are missing; install specharness again"])
    try:
        key = suite_key(root)
    except OSError as error:
        raise BadSuite([f"{error.filename}: {error.strerror}; install specharness again"]) from None
    cached = cache_folder() / f"suite-{key[:16]}.pack"
    for path in (shipped_pack(root), cached):
        cases = read_pack(path, key)
        if cases:
            return cases
    cases = load_files(shipped_files(root), shown_from=root)
    if write_pack(cached, key, cases):
        remove_oldest(cached.parent)
    return cases


def load_suite(paths: Sequence[Path]) -> list[Case]:
    """The cases of the user's own files where there are any, else the shipped ones. Raises `BadSuite`."""
    return load_files(paths) if paths else load_shipped()


def load_files(paths: Sequence[Path], *, shown_from: Path | None = None) -> list[Case]:
    """The cases of `paths` (files or folders). Raises `BadSuite` with all that is wrong in all of them."""
    from specharness.suite.build import build_cases
    from specharness.suite.files import find_case_files, read_document
    from specharness.suite.lint import lint
    from specharness.suite.problems import Problem
    from specharness.suite.schema import check_shape

    clauses = load_clauses()
    messages: list[str] = []
    written = []
    for path in find_case_files(paths):
        shown = path.relative_to(shown_from).as_posix() if shown_from else str(path)
        problems: list[Problem] = []
        try:
            document = read_document(path)
        except BadSuite as bad:
            messages += bad.problems
            continue
        problems += check_shape(document, shown)
        if not problems:
            written += build_cases(document, shown, problems)
        messages += map(str, problems)
    if not messages:
        messages += map(str, lint(written, clauses))
    if messages:
        raise BadSuite(messages)
    return [item.case for item in written]


def shipped_files(root: Path) -> list[Path]:
    """The shipped case files, in order."""
    return sorted(path for pattern in ("*.yaml", "*.yml") for path in (root / "cases").rglob(pattern))


def shipped_pack(root: Path) -> Path:
    """Where the pack stands that is made when the wheel is built."""
    return root / "suite.pack"


def suite_key(root: Path) -> str:
    """The digest of all that decides what the shipped cases are and whether they are right."""
    return digest_of(_deciding_files(root))


def _deciding_files(root: Path) -> Iterator[tuple[str, Path]]:
    for path in shipped_files(root):
        yield path.relative_to(root).as_posix(), path
    for name in (*CLAUSE_FILES, "spec/schema/cases.schema.json"):
        yield name, root / name
    for folder in (Path(__file__).parent, _reference_folder()):
        for path in sorted(folder.glob("*.py")):
            yield f"{folder.name}/{path.name}", path


def _reference_folder() -> Path:
    """Where the reference stands; it is not imported for that."""
    spec = find_spec("specreference")
    if spec is None or spec.origin is None:
        raise BadSuite(["specreference, which belongs to this installation, is missing; install specharness again"])
    return Path(spec.origin).parent
