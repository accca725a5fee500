"""Whatever an implementation does on one case, the run ends in time, the others are judged, and nothing is left."""

import sys

import pytest

OTHERS = {"ACC-001": "passed", "RES-001": "passed", "IN-001": "passed"}
"""The small suite without the case on which the implementations misbehave."""


def assert_only_marked_case_failed(judged, seconds=20):
    assert judged.ended.returncode == 1
    assert judged.statuses == {**OTHERS, "STOP-001": "failed"}
    assert judged.ended.stderr == ""
    assert judged.ended.left_behind == []
    assert judged.ended.seconds < seconds


LOST = [
    ("hang", "timed out", "no answer within 0.3 s"),
    ("hang_in_c", "timed out", "no answer within 0.3 s"),
    ("stops_itself", "timed out", "no answer within 0.3 s"),
    ("ignores_signals", "timed out", "no answer within 0.3 s"),
    ("endless_repr", "timed out", "no answer within 0.3 s"),
    ("segfault", "died", "killed by SIGSEGV"),
    ("killed", "died", "killed by SIGKILL"),
    ("aborts", "died", "killed by SIGABRT"),
    ("alarm", "died", "killed by SIGALRM"),
    ("exits_at_once", "died", "exited with code 0"),
    ("parent_exits", "died", "exited with code 0"),
    ("children_left_at_exit", "died", "exited with code 0"),
    ("fork_left_at_exit", "died", "exited with code 0"),
    ("closes_descriptors", "died", "the process"),
    ("writes_everywhere", "broke the protocol", "it wrote 'stray bytes', which is no JSON"),
]


@pytest.mark.parametrize(("name", "loss", "words"), LOST)
def test_a_lost_process_fails_its_case_only(judge_together, name, loss, words):
    judged = judge_together(name, [name for name, *_ in LOST], timeout=0.3)
    assert_only_marked_case_failed(judged, seconds=8)
    case = judged.cases["STOP-001"]
    assert case["observed"]["lost"] == loss
    assert words in case["observed"]["detail"]
    assert case["breaches"][0]["cause"] == f"the call {loss}"
    assert "FAIL STOP-001" in judged.ended.stdout
    assert words in " ".join(judged.ended.stdout.split())


@pytest.mark.parametrize(
    ("name", "exception", "message"),
    [
        ("exits", "SystemExit", "0"),
        ("recursion", "RecursionError", "maximum recursion depth exceeded"),
        ("reads_input:asks", "EOFError", "EOF when reading a line"),
    ],
)
def test_leaving_the_call_by_an_exception_fails_its_case_only(judge_file, name, exception, message):
    judged = judge_file(name)
    assert_only_marked_case_failed(judged)
    observed = judged.cases["STOP-001"]["observed"]
    assert observed["raises"] == exception
    assert observed["message"].startswith(message)
    assert f"raised {exception}" in judged.cases["STOP-001"]["breaches"][0]["cause"]


EXCEPTIONS = [
    ("keyboard_interrupt", "KeyboardInterrupt", "pressed"),
    ("generator_exit", "GeneratorExit", "closed"),
    ("stop_iteration", "StopIteration", "3"),
    ("cancelled", "asyncio.exceptions.CancelledError", ""),
    ("group", "ExceptionGroup", "two (2 sub-exceptions)"),
    ("surrogates", "RuntimeError", "\ud800 is half a character"),
    ("silent", "raises.Silent", "<RuntimeError while describing it>"),
    ("text_is_no_text", "raises.TextIsNoText", "<TypeError while describing it>"),
    ("text_lies", "raises.TextLies", ""),
    ("verbose", "raises.Verbose", "long long"),
    ("nowhere", "<RuntimeError while describing it>", "lost"),
    ("exception_class_of_its_own", "raises.ValueError", "only named so"),
    ("chain_of_causes", "RuntimeError", "cause 1999"),
]


@pytest.mark.parametrize(("name", "exception", "message"), EXCEPTIONS, ids=[name for name, *_ in EXCEPTIONS])
def test_an_exception_of_any_kind_is_reported_with_its_name_and_text(judge_kinds, name, exception, message):
    judged, ids = judge_kinds("raises", {"raises": [name for name, *_ in EXCEPTIONS]})
    case = judged.cases[ids[name]]
    assert case["status"] == "failed"
    assert case["observed"].get("raises") == exception, case["observed"]
    assert case["observed"]["message"].startswith(message)
    assert len(case["observed"]["message"]) <= 1000
    assert case["breaches"][0]["cause"] == f"raised {exception}"


def test_cases_beside_those_that_raise_are_judged(judge_kinds):
    judged, ids = judge_kinds("raises", {"raises": [name for name, *_ in EXCEPTIONS]})
    assert {status for name, status in judged.statuses.items() if name not in ids.values()} == {"passed"}
    assert judged.ended.returncode == 1
    assert judged.ended.left_behind == []


def test_a_child_that_left_the_session_does_not_keep_the_run_waiting(judge_file):
    """It can't be found, so it stays; the tests end it."""
    judged = judge_file("detached_child_left")
    assert judged.statuses == {**OTHERS, "STOP-001": "failed"}
    assert judged.cases["STOP-001"]["observed"]["lost"] == "died"
    assert judged.ended.seconds < 10


def test_recursion_that_ends_the_stack_fails_its_case_only(judge_file):
    judged = judge_file("recursion_in_c")
    assert_only_marked_case_failed(judged)
    observed = judged.cases["STOP-001"]["observed"]
    if sys.version_info < (3, 12):
        assert observed == {"lost": "died", "detail": "the process was killed by SIGSEGV instead of answering"}
    else:  # C code has a limit of its own
        assert observed.get("raises") == "RecursionError" or observed.get("lost") == "died"


def test_a_process_that_ends_at_the_second_call_breaks_the_clause_on_repetition(judge_file):
    judged = judge_file("exits_at_repetition")
    assert_only_marked_case_failed(judged)
    assert judged.clauses("STOP-001") == ["SV-PURE-2"]
    assert "exited with code 3" in judged.lines("STOP-001")


SIDE_EFFECTS = [
    "print_flood",
    "native_writes",
    "forges_answers",
    "threads_left",
    "fork_returns",
    "fork_raises",
    "children_left",
    "closes_standard_streams",
    "closes_stream_objects",
    "replaces_streams",
    "removes_streams",
    "changes_signals",
    "changes_folder",
    "reads_input",
]


@pytest.mark.parametrize("name", SIDE_EFFECTS)
def test_side_effects_do_not_change_the_verdict(judge_together, name):
    judged = judge_together(name, SIDE_EFFECTS)
    assert judged.statuses == {**OTHERS, "STOP-001": "passed"}
    assert judged.ended.returncode == 0
    assert judged.ended.left_behind == []
    assert judged.ended.seconds < 15
    assert judged.ended.stderr == ""
    assert judged.ended.last_line == "conformant: 4 gating cases passed"


def test_an_answer_that_comes_slowly_but_in_time_counts(judge_file):
    """Both calls together take longer than the timeout, which is for each."""
    judged = judge_file("slow", timeout=0.5)
    assert judged.statuses == {**OTHERS, "STOP-001": "passed"}
    assert judged.cases["STOP-001"]["seconds"] >= 0.3


def test_an_answer_that_comes_too_late_does_not_count(judge_file):
    judged = judge_file("slow", timeout=0.15)
    assert_only_marked_case_failed(judged)
    assert judged.cases["STOP-001"]["observed"]["lost"] == "timed out"


def test_only_the_end_of_a_flood_is_kept(judge_file, tmp_path, right):
    chatty = tmp_path / "chatty.py"
    chatty.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(right.parent)!r})\n"
        "from right import on_marked_case\n"
        "@on_marked_case\n"
        "def verify_speculative_tokens(result):\n"
        "    print('o' * 5_000_000)\n"
        "    print('the end of stdout', flush=True)\n"
        "    print('the end of stderr', file=sys.stderr)\n"
        "    return None\n"
    )
    judged = judge_file(chatty)
    assert_only_marked_case_failed(judged)
    output = judged.cases["STOP-001"]["output"]
    assert output.endswith("the end of stdout\nthe end of stderr\n")
    assert len(output) <= 5_000
    assert "| the end of stderr" in judged.ended.stdout
    assert len(judged.ended.stdout) < 20_000


def test_output_is_shown_with_the_case_that_it_came_from(judge_file, tmp_path, right):
    chatty = tmp_path / "chatty.py"
    chatty.write_text(
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    print('uniforms', random_samples)\n"
    )
    judged = judge_file(chatty)
    assert "uniforms [0.25, 0.75]" in judged.cases["STOP-001"]["output"]
    assert "uniforms [0.75]" not in judged.cases["STOP-001"]["output"]
    assert "uniforms [0.75]" in judged.cases["RES-001"]["output"]


@pytest.mark.parametrize(
    ("name", "timeout", "words"),
    [("exits_always", 5, "exited with code 7"), ("hang_always", 0.03, "no answer within 0.03 s")],
)
def test_an_implementation_that_never_answers_is_given_up(judge_file, long_suite, name, timeout, words):
    judged = judge_file(name, cases=long_suite, timeout=timeout)
    statuses = list(judged.statuses.values())
    assert judged.ended.returncode == 1
    assert statuses == ["failed"] * 20 + ["not_run"] * 20
    assert judged.ended.last_line == "nonconformant: 20 of 40 gating cases failed, 20 cases not run"
    note = "from ACC-021 on nothing was run: given up after 20 workers in a row answered nothing"
    assert note in " ".join(judged.ended.stdout.split())
    assert words in judged.report["notes"][0]
    assert judged.ended.stderr == ""
    assert judged.ended.left_behind == []
    assert judged.ended.seconds < 20


def test_an_implementation_that_breaks_on_every_other_case_is_not_given_up(judge_file, long_suite, tmp_path):
    dying = tmp_path / "dying.py"
    dying.write_text(
        "import os\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    if random_samples[0] * 256 % 2:\n"
        "        os._exit(1)\n"
        "    return {'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}\n"
    )
    judged = judge_file(dying, cases=long_suite)
    assert list(judged.statuses.values()) == ["failed", "passed"] * 20


def test_memory_is_bounded_where_asked_for(judge_file):
    judged = judge_file("hogs_memory", "--memory", "300MB")
    assert_only_marked_case_failed(judged)
    assert judged.cases["STOP-001"]["observed"]["raises"] == "MemoryError"


def test_what_a_restarted_process_can_no_longer_load_is_told_with_its_case(judge_file, tmp_path, right):
    """The file is gone after the first loss."""
    fading = tmp_path / "fading.py"
    fading.write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(right.parent)!r})\n"
        "from right import on_marked_case\n"
        "@on_marked_case\n"
        "def verify_speculative_tokens(result):\n"
        "    os.unlink(__file__)\n"
        "    os._exit(1)\n"
    )
    judged = judge_file(fading)
    assert judged.ended.returncode == 1
    assert list(judged.statuses.values()) == ["passed", "failed", "not_run", "not_run"]
    assert "fading.py does not exist" in judged.report["notes"][0]
    assert judged.ended.seconds < 15
