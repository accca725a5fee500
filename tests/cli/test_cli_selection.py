"""Which cases run. Values of one option are alternatives, different options all apply."""

import pytest


@pytest.fixture
def listed(command, mixed_suite):
    def ids(*options):
        ended = command("list", "--cases", mixed_suite, *options)
        assert ended.returncode == 0, ended.stderr
        return [line.split()[0] for line in ended.stdout.splitlines()]

    return ids


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ((), ["ACC-001", "STOP-001", "RES-001", "IN-001", "IN-002"]),
        (("--case", "ACC-001"), ["ACC-001"]),
        (("--case", "*-001"), ["ACC-001", "STOP-001", "RES-001", "IN-001"]),
        (("--case", "IN-00[12]"), ["IN-001", "IN-002"]),
        (("--case", "IN-002", "--case", "ACC-001"), ["ACC-001", "IN-002"]),
        (("--tag", "rejection"), ["STOP-001", "RES-001"]),
        (("--tag", "bonus", "--tag", "lengths"), ["ACC-001", "IN-001"]),
        (("--clause", "SV-RES-1"), ["STOP-001", "RES-001"]),
        (("--clause", "SV-IN-*"), ["IN-001", "IN-002"]),
        (("--level", "should"), ["IN-002"]),
        (("--level", "MUST"), ["ACC-001", "STOP-001", "RES-001", "IN-001"]),
        (("--level", "must", "--level", "should"), ["ACC-001", "STOP-001", "RES-001", "IN-001", "IN-002"]),
        (("--clause", "SV-IN-*", "--level", "must"), ["IN-001"]),
        (("--tag", "rejection", "--clause", "SV-ACC-1"), ["RES-001"]),
        (("--profile", "argmax"), ["ACC-001", "STOP-001", "RES-001", "IN-001", "IN-002"]),
    ],
    ids=" ".join,
)
def test_options_select(listed, options, ids):
    assert listed(*options) == ids


def test_a_run_takes_the_same_options(judge_file, mixed_suite):
    judged = judge_file("right", "--tag", "rejection", "--tag", "values", "--level", "must", cases=mixed_suite)
    assert judged.statuses == {"STOP-001": "passed", "RES-001": "passed"}


def test_variants_are_selected_one_by_one_or_together(command, write_suite, case_of):
    variants = [{"input": {"random_samples": [f"{number}/64"]}} for number in (1, 2, 3)]
    suite = write_suite(case_of("ACC-001", matrix=variants), case_of("RES-001"))
    for pattern, ids in (("ACC-001/2", 1), ("ACC-001", 3), ("ACC-001/*", 3), ("ACC-*", 3)):
        ended = command("list", "--cases", suite, "--case", pattern)
        assert len(ended.stdout.splitlines()) == ids


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--case", "RSE-001"), "--case RSE-001: matches no case. Did you mean RES-001"),
        (("--case", "res-001"), "--case res-001: matches no case. Did you mean RES-001"),
        (("--case", "ZZZZZZZ"), "--case ZZZZZZZ: matches no case.\n"),
        (("--case", ""), "--case : matches no case."),
        (("--case", "ACC-001", "--case", "ACC-011"), "--case ACC-011: matches no case. Did you mean ACC-001"),
        (("--tag", "rejektion"), "--tag rejektion: matches no case. Did you mean rejection?"),
        (("--clause", "SV-RSE-1"), "--clause SV-RSE-1: the spec has no such clause. Did you mean SV-RES-1"),
        (("--clause", "SV-TIE-1"), "--clause SV-TIE-1: matches no case."),
        (("--case", "ACC-001", "--tag", "lengths"), "no case matches all of the selecting options; drop one of them"),
        (("--case", "IN-002", "--level", "must"), "no case matches all of the selecting options"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_selection_of_nothing_is_told_with_the_nearest_names(command, mixed_suite, options, words):
    ended = command("list", "--cases", mixed_suite, *options)
    assert ended.returncode == 5
    assert ended.stdout == ""
    assert words in ended.stderr


@pytest.mark.parametrize("option", [("--case", "RSE-001"), ("--tag", "rejektion"), ("--clause", "SV-RSE-1")])
def test_a_run_of_nothing_is_told_with_the_nearest_names(command, right, mixed_suite, option):
    ended = command("--impl", right, "--cases", mixed_suite, *option)
    assert ended.returncode == 5
    assert ended.stdout == ""
    assert "Did you mean " in ended.stderr
    assert ended.left_behind == []
