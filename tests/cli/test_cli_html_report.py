"""`--report html=PATH`: the page of the run, whole or not at all."""

import os


def test_the_page_is_that_of_the_run(command, wrong, mixed_suite, tmp_path):
    ended = command("--impl", wrong, "--cases", mixed_suite, "--report", "html=page.html", "--report", "json=r.json")
    assert ended.returncode == 1, ended.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert '<h1 class="bad">Nonconformant</h1>' in page
    assert f"--impl {wrong} --cases {mixed_suite} --case STOP-001" in page
    assert "--report html=page.html" in page
    assert 'role="img"' in page
    assert (tmp_path / "r.json").exists()


def test_a_known_fault_is_named(command, small_suite, tmp_path):
    command("--impl", "specreference.faults:accept_always", "--cases", small_suite, "--report", "html=page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert '<h2 id="diagnosis-h">Diagnosis</h2>' in page
    assert "accept-always" in page


def test_cases_that_a_stop_leaves_out_are_listed_as_not_run(command, wrong, mixed_suite, tmp_path):
    command("--impl", wrong, "--cases", mixed_suite, "-x", "--report", "html=page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "other cases were not judged" in page
    assert '<ol class="rows" data-s="not run">' in page


def test_on_standard_output_the_page_is_alone(command, right, small_suite):
    ended = command("--impl", right, "--cases", small_suite, "--report", "html=-")
    assert ended.returncode == 0
    assert ended.stdout.startswith("<!doctype html>")
    assert ended.stdout.endswith("</html>\n")
    assert "conformant: 4 gating cases passed" in ended.stderr


def test_a_page_that_can_not_be_written_ends_with_2_and_leaves_nothing(command, right, small_suite, tmp_path):
    ended = command("--impl", right, "--cases", small_suite, "--report", "html=missing/page.html")
    assert ended.returncode == 2
    assert "does not exist" in ended.stderr
    assert os.listdir(tmp_path) == []
