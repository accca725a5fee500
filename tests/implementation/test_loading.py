"""What `--impl` may name, and what is said where it can't be found, loaded or called."""

import shutil
import time

import pytest

from specharness.errors import NotRunnable
from specharness.implementation.observation import Raised, Returned

FORMS = """
import functools

from right import verify_speculative_tokens as right

constant = 7


class Verifier:
    def method(self, draft_tokens, draft_probs, target_probs, random_samples):
        return right(draft_tokens, draft_probs, target_probs, random_samples)

    @classmethod
    def class_method(cls, draft_tokens, draft_probs, target_probs, random_samples):
        return cls().method(draft_tokens, draft_probs, target_probs, random_samples)

    @staticmethod
    def static_method(draft_tokens, draft_probs, target_probs, random_samples):
        return right(draft_tokens, draft_probs, target_probs, random_samples)

    def __call__(self, draft_tokens, draft_probs, target_probs, random_samples):
        return self.method(draft_tokens, draft_probs, target_probs, random_samples)

    class Inner:
        def method(self, a, b, c, d):
            return right(a, b, c, d)


class Child(Verifier):
    pass


class Demanding:
    def __init__(self, model):
        self.model = model

    def method(self, draft_tokens, draft_probs, target_probs, random_samples):
        return right(draft_tokens, draft_probs, target_probs, random_samples)


class Elusive:
    def __getattr__(self, name):
        raise RuntimeError(f"no {name} here")


verifier = Verifier()
bound = verifier.method
elusive = Elusive()
anonymous = lambda a, b, c, d: right(a, b, c, d)


def five(temperature, draft_tokens, draft_probs, target_probs, random_samples):
    assert temperature == 0
    return right(draft_tokens, draft_probs, target_probs, random_samples)


partial = functools.partial(five, 0)


@functools.wraps(right)
def wrapped(*args, **kwargs):
    return right(*args, **kwargs)


def keywords_only(*, random_samples, target_probs, draft_probs, draft_tokens):
    return right(draft_tokens, draft_probs, target_probs, random_samples)


def mixed(draft_tokens, draft_probs, *, target_probs, random_samples):
    return right(draft_tokens, draft_probs, target_probs, random_samples)


def defaults(draft_tokens, draft_probs, target_probs, random_samples, temperature=0.0, *, seed=None):
    return right(draft_tokens, draft_probs, target_probs, random_samples)


def anything(*args, **kwargs):
    return right(*args, **kwargs)


def keyword_anything(**kwargs):
    return right(**kwargs)


def two(draft_tokens, draft_probs):
    return None


def no_parameters():
    return None


def other_keywords(*, tokens, q, p, u):
    return None
"""

FLOOD = """
import sys

for _ in range(5):
    print("o" * 1_000_000)
    print("e" * 1_000_000, file=sys.stderr)

"""
ALSO_RIGHT = "from right import verify_speculative_tokens\n"


@pytest.fixture(scope="module")
def project(tmp_path_factory, right):
    """A folder with implementations of many forms, and `right.py`."""
    folder = tmp_path_factory.mktemp("project")
    shutil.copy(right, folder / "right.py")
    files = {
        "solution.py": right.read_text() + "\nif __name__ == '__main__':\n    raise SystemExit('run as a script')\n",
        "forms.py": FORMS,
        "my own-v2.py": ALSO_RIGHT,
        "lösung.py": ALSO_RIGHT,
        "random.py": "import os\nimport random\n" + right.read_text(),
        "with:colon.py": ALSO_RIGHT,
        "dataclass_user.py": "from __future__ import annotations\nimport dataclasses\n\n\n@dataclasses.dataclass\n"
        "class Options:\n    eps: float = 0.0\n\n\n" + ALSO_RIGHT,
        "lazily.py": "def __getattr__(name):\n    if name == 'verify_speculative_tokens':\n        import right\n"
        "        return right.verify_speculative_tokens\n    raise AttributeError(name)\n",
        "folder/beside.py": "from neighbour import verify_speculative_tokens\n",
        "folder/neighbour.py": right.read_text(),
        "package/__init__.py": "from package.module import verify_speculative_tokens as exported\n",
        "package/module.py": "from .helper import verify_speculative_tokens\n",
        "package/helper.py": right.read_text(),
        "package/sub/__init__.py": "",
        "package/sub/deep.py": "from ..helper import verify_speculative_tokens\n",
        "loose/module.py": right.read_text(),
        "empty.py": "",
        "fails.py": "def prepare():\n    raise RuntimeError('no weights here')\n\n\nprepare()\n",
        "lacks_module.py": "import not_installed_anywhere\n",
        "lacks_name.py": "from right import nothing_of_the_kind\n",
        "syntax_error.py": "def verify_speculative_tokens(a, b, c, d):\n    return {\n",
        "exits.py": "import sys\nprint('usage: exits MODEL')\nsys.exit(2)\n",
        "exits_at_once.py": "import os\nos._exit(3)\n",
        "killed.py": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n",
        "closes_descriptors.py": "import os\nos.closerange(0, 4096)\n" + ALSO_RIGHT,
        "floods.py": FLOOD + ALSO_RIGHT,
        "floods_and_fails.py": FLOOD + "raise RuntimeError('after the flood')\n",
        "notes.txt": "no Python\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text, encoding="utf-8")
    (folder / "binary.py").write_bytes(b"\x00\x01\x02")
    return folder


@pytest.fixture
def in_project(project, monkeypatch):
    monkeypatch.chdir(project)


@pytest.fixture
def run_in_project(specharness, project, small_suite):
    def run(impl, *options):
        return specharness("--impl", impl, "--cases", small_suite, "--timeout", "5", *options, cwd=project)

    return run


@pytest.mark.parametrize(
    "impl",
    [
        "solution",
        "solution:verify_speculative_tokens",
        "solution.py",
        "solution.py:verify_speculative_tokens",
        "package/../solution.py",
        "my own-v2.py",
        "lösung.py",
        "random.py",
        "with:colon.py",
        "dataclass_user.py",
        "lazily",
        "floods.py",
        "folder/beside.py",
        "package:exported",
        "package.module",
        "package.sub.deep:verify_speculative_tokens",
        "package:helper.verify_speculative_tokens",
        "loose.module:verify_speculative_tokens",
        "forms:Verifier.method",
        "forms:Verifier.class_method",
        "forms:Verifier.static_method",
        "forms:Child.method",
        "forms:verifier",
        "forms:bound",
        "forms:anonymous",
        "forms:partial",
        "forms:wrapped",
        "forms:keywords_only",
        "forms:mixed",
        "forms:defaults",
        "forms:anything",
        "forms:keyword_anything",
        "forms.py:Verifier.method",
    ],
)
def test_any_callable_of_four_arguments_runs(runner_of, small_cases, in_project, impl):
    observations = list(runner_of(impl).run(small_cases))
    expected = [case.expected.as_result() for case in small_cases if case.expected.raises is None]
    assert [observation.answer for observation in observations[:-1]] == list(map(Returned, expected))
    assert observations[-1].answer.exception == "ValueError"


@pytest.mark.parametrize("impl", ["package.module:verify_speculative_tokens"])
def test_an_implementation_is_found_from_the_current_folder(run_in_project, impl):
    ended = run_in_project(impl, "-q")
    assert ended.stderr == ""
    assert ended.stdout == "conformant: 4 gating cases passed\n"
    assert ended.returncode == 0


def test_an_absolute_path_runs_from_anywhere(specharness, project, small_suite, tmp_path):
    ended = specharness("--impl", project / "folder" / "beside.py", "--cases", small_suite, "-q", cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr


def not_runnable(*rows):
    return pytest.mark.parametrize(("impl", "words"), rows, ids=[impl[:50] or "empty" for impl, _ in rows])


@pytest.fixture
def assert_not_runnable(runner_of, in_project):
    def check(impl, words):
        began = time.monotonic()
        with pytest.raises(NotRunnable) as caught:
            runner_of(impl).wait_ready()
        message = str(caught.value)
        assert message.startswith((f"--impl {impl}: ", f"--impl {impl!r}"))
        assert "worker.py" not in message
        assert len(message) < 6_000
        for word in [words] if isinstance(words, str) else words:
            assert word in message
        assert time.monotonic() - began < 10

    return check


@not_runnable(
    ("quite_another:f", "no module named quite_another."),
    ("solutoin:verify_speculative_tokens", "no module named solutoin. Did you mean solution?"),
    ("package.modul:f", "no module named package.modul. Did you mean package.module?"),
    ("package.sub.depe:f", "no module named package.sub.depe. Did you mean package.sub.deep?"),
    ("packag.module:f", "no module named packag. Did you mean package"),
    ("solution.verify_speculative_tokens", ["no module named solution.verify_speculative_tokens"]),
    ("solutoin.py", "the file solutoin.py does not exist. Did you mean solution.py"),
    ("folder/besides.py", "the file folder/besides.py does not exist. Did you mean beside.py?"),
    ("nowhere/solution.py", "the file nowhere/solution.py does not exist."),
    ("./package", "the file ./package is a folder"),
    ("package/", "the file package/ is a folder"),
    ("./notes.txt", "is no Python file; expected a name that ends in .py"),
    ("/dev/null", "/dev/null"),
    ("x" * 300 + ".py", "does not exist"),
    ("x:" + "x" * 300 + ".py", "--impl"),
)
def test_a_place_that_is_not_there_is_named_with_the_likely_one(assert_not_runnable, impl, words):
    assert_not_runnable(impl, words)


@not_runnable(
    (
        "solution:verify_speculative_token",
        "solution has no verify_speculative_token. Did you mean verify_speculative_tokens?",
    ),
    ("solution.py:verify_tokens", "solution has no verify_tokens. Did you mean verify_speculative_tokens?"),
    ("empty", "empty has no verify_speculative_tokens."),
    ("solution.py:other", "solution has no other. It defines verify_speculative_tokens, "),
    ("forms:Verifier.methd", "Verifier has no methd. Did you mean method?"),
    ("forms:verifier.methd", "Verifier has no methd. Did you mean method?"),
    ("forms:Verifer.method", "forms has no Verifer. Did you mean Verifier"),
    ("forms:constant", "constant is of type int; expected a function"),
    ("forms:Verifier", "Verifier is a class; expected a function, Verifier.method or an instance"),
    ("forms:Demanding.method", ["Demanding() failed, and method needs an instance", "missing 1 required positional"]),
    ("forms:elusive.method", "no method here"),
    (
        "forms:two",
        "two(draft_tokens, draft_probs) can't be called with (draft_tokens, draft_probs, target_probs, random_s",
    ),
    ("forms:no_parameters", "no_parameters() can't be called with (draft_tokens,"),
    ("forms:five", "can't be called with (draft_tokens,"),
    ("forms:other_keywords", "other_keywords(*, tokens, q, p, u) can't be called with (draft_tokens,"),
)
def test_a_name_that_can_not_be_called_is_told_with_what_was_found(assert_not_runnable, impl, words):
    assert_not_runnable(impl, words)


@not_runnable(
    ("fails", ["importing fails failed", 'fails.py", line 2, in prepare', "RuntimeError: no weights here"]),
    ("fails.py", ["importing fails.py failed", 'fails.py", line 5', "RuntimeError: no weights here"]),
    ("lacks_module:f", ["importing lacks_module failed", "No module named 'not_installed_anywhere'"]),
    ("lacks_name.py", ["cannot import name 'nothing_of_the_kind' from 'right'"]),
    ("syntax_error.py", ["syntax_error.py", "line 2", "SyntaxError: '{' was never closed"]),
    ("binary.py", ["importing binary.py failed", "null bytes"]),
    ("package/module.py", ["relative import", "The file is part of a package: name it as package.module:function."]),
    ("exits.py", ["importing exits.py failed", "SystemExit: 2", "Its last output:\nusage: exits MODEL"]),
    ("exits_at_once.py", "the process exited with code 3 while loading"),
    ("killed.py", "the process was killed by SIGKILL while loading"),
    ("closes_descriptors.py", "the process"),
    ("floods_and_fails.py", ["RuntimeError: after the flood", "eeee"]),
)
def test_a_failure_while_loading_is_shown_with_its_cause(assert_not_runnable, impl, words):
    assert_not_runnable(impl, words)


@not_runnable(
    (":verify_speculative_tokens", "names no module; expected module:function, file.py:function or exec:COMMAND"),
    ("solution:", "'' is no name; expected a function such as verify_speculative_tokens"),
    ("solution:1st", "'1st' is no name"),
    ("solution:a b", "'a b' is no name"),
    ("solution:verify()", "'verify()' is no name"),
    ("my-module:f", "'my-module' is no module"),
    (".solution:f", "'.solution' is no module"),
    ("solution..module:f", "'solution..module' is no module"),
)
def test_a_text_that_names_no_function_is_explained(assert_not_runnable, impl, words):
    assert_not_runnable(impl, words)


@pytest.mark.parametrize("impl", ["", " "])
def test_an_empty_name_never_counts_as_the_reference(run_in_project, impl):
    """As where a variable in a CI script is not set."""
    ended = run_in_project(impl)
    assert ended.returncode in (2, 4)
    assert "conformant" not in ended.stdout


@pytest.mark.parametrize(
    ("impl", "words"),
    [
        ("fails.py", ["importing fails.py failed", "RuntimeError: no weights here"]),
        ("exits_at_once.py", ["the process exited with code 3 while loading"]),
    ],
)
def test_what_is_not_runnable_ends_the_command_before_any_case(run_in_project, impl, words):
    ended = run_in_project(impl, "-v")
    assert ended.returncode == 4
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"specharness: --impl {impl}: ")
    for word in words:
        assert word in ended.stderr
    assert ended.left_behind == []


@pytest.mark.parametrize("name", ["inspect", "tokenize", "traceback", "difflib", "reprlib"])
def test_a_file_beside_the_implementation_may_be_named_like_a_module_that_only_the_worker_needs(
    runner_of, small_cases, tmp_path, right, name
):
    (tmp_path / f"{name}.py").write_text("raise RuntimeError('not the standard one')\n")
    shutil.copy(right, tmp_path / "solution.py")
    observations = list(runner_of(tmp_path / "solution.py").run(small_cases))
    assert [type(observation.answer) for observation in observations] == [Returned] * 3 + [Raised]


def test_files_beside_the_harness_are_no_modules_of_the_implementation(specharness, small_suite, tmp_path, right):
    """The worker's own folder has a messages.py and a target.py."""
    (tmp_path / "solution.py").write_text("import messages\n" + right.read_text())
    ended = specharness("--impl", "solution.py", "--cases", small_suite)
    assert ended.returncode == 4
    assert "No module named 'messages'" in ended.stderr


def test_an_implementation_does_not_find_the_cases(specharness, small_suite, tmp_path, right):
    (tmp_path / "solution.py").write_text(
        "import sys\n"
        "assert not {'yaml', 'specharness', 'specreference', 'jsonschema'} & set(sys.modules), sorted(sys.modules)\n"
        "assert all('suite' not in word and 'cases' not in word for word in sys.argv), sys.argv\n" + right.read_text()
    )
    assert specharness("--impl", "solution.py", "--cases", small_suite).returncode == 0


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_file_that_may_not_be_read_is_not_runnable(
    specharness, small_suite, tmp_path, right, without_privileges, what
):
    folder = tmp_path / "closed"
    folder.mkdir()
    path = folder / "solution.py"
    shutil.copy(right, path)
    (path if what == "file" else folder).chmod(0)
    ended = specharness("--impl", path, "--cases", small_suite, preexec_fn=without_privileges)
    folder.chmod(0o700)
    assert ended.returncode == 4
    assert ended.stderr.startswith(f"specharness: --impl {path}: ")
    assert "Permission denied" in ended.stderr
    assert "worker.py" not in ended.stderr


def test_what_is_named_is_looked_for_in_the_folder_that_is_given(runner_of, right, tmp_path, small_cases):
    """As the plugin for pytest does: it may be started elsewhere, or a test may change the folder."""
    folder = tmp_path / "project"
    (folder / "sources").mkdir(parents=True)
    shutil.copy(right, folder / "sources" / "right.py")
    (folder / "adapter.py").write_text(ALSO_RIGHT)
    (folder / "verifier").write_text("#!/bin/sh\nexit 9\n")
    (folder / "verifier").chmod(0o755)
    for impl in ("adapter", "adapter.py", "sources/right.py"):
        runner = runner_of(impl, folder=folder, search=[folder / "sources"])
        assert isinstance(runner.observe(small_cases[0]).answer, Returned)
    with pytest.raises(NotRunnable, match="exited with code 9"):
        runner_of("exec:./verifier", folder=folder).wait_ready()
    with pytest.raises(NotRunnable, match=r"is a program; start it with exec:\./verifier"):
        runner_of("./verifier", folder=folder)


def test_folders_to_look_in_come_after_the_current_one(runner_of, tmp_path, small_cases):
    for number, name in enumerate(("here", "there")):
        (tmp_path / name).mkdir()
        text = f"def verify_speculative_tokens(a, b, c, d):\n    return {number}\n"
        (tmp_path / name / "named_alike.py").write_text(text)
    runner = runner_of("named_alike", folder=tmp_path / "here", search=[tmp_path / "there"])
    assert runner.observe(small_cases[0]).answer == Returned(0)
