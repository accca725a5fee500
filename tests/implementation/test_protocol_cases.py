"""The messages and transcripts of spec/protocol-cases.yaml."""

import json
import shlex
import sys
from pathlib import Path

import jsonschema
import pytest
import yaml

from specharness.implementation.bounds import Limits
from specharness.implementation.messages import ProtocolError, bye, call, hello, imports, read_answer, read_message
from specharness.implementation.observation import Lost, Returned
from specharness.implementation.runner import Runner
from specharness.implementation.target import parse_target
from specharness.locations import data_root
from specharness.suite.load import load_files

PEER = Path(__file__).parent / "peers" / "peer.py"
SPEC = data_root() / "spec"
CASES = yaml.safe_load((SPEC / "protocol-cases.yaml").read_text())
MESSAGES = [pytest.param(entry["line"], entry["valid"], id=entry["title"]) for entry in CASES["messages"]]
RETURNED = [
    entry["line"] for entry in CASES["messages"] if entry["valid"] and json.loads(entry["line"])["type"] == "returned"
]
TRANSCRIPTS = [pytest.param(entry["lines"], entry["observed"], id=entry["title"]) for entry in CASES["transcripts"]]


@pytest.fixture(scope="module")
def schema():
    return jsonschema.Draft202012Validator(json.loads((SPEC / "schema" / "protocol.schema.json").read_text()))


@pytest.fixture(scope="module")
def case(small_suite):
    return load_files([small_suite])[0]


@pytest.mark.parametrize(("line", "valid"), MESSAGES)
def test_the_schema_tells_messages_from_other_lines(schema, line, valid):
    assert schema.is_valid(json.loads(line)) is valid


@pytest.mark.parametrize("line", RETURNED)
def test_results_that_are_messages_are_read(line):
    number, answer, _ = read_answer(read_message(line.encode()), line.encode())
    assert number == 1
    assert isinstance(answer, Returned)


def test_what_the_harness_sends_is_made_of_messages(schema, case):
    for line in (hello("argmax"), call(1, case.arguments_json), imports(), bye()):
        assert line.endswith(b"\n")
        schema.validate(json.loads(line))


@pytest.mark.parametrize("line", [b"", b"nonsense", b"\xff", b"[]", b"{}", b'{"type": 1}', b"NaN", b"[" * 100_000])
def test_a_line_that_is_no_message_is_refused(line):
    with pytest.raises(ProtocolError, match="it wrote"):
        read_message(line)


@pytest.mark.parametrize(("lines", "observed"), TRANSCRIPTS)
def test_a_transcript_is_observed_as_the_spec_says(case, lines, observed):
    target = parse_target("exec:" + shlex.join([sys.executable, str(PEER), "transcript", *lines]))
    runner = Runner(target, Limits(timeout=0.3))
    try:
        (observation,) = runner.run([case])
    finally:
        runner.close()
    answer = observation.answer
    assert (answer.loss.value if isinstance(answer, Lost) else type(answer).__name__.lower()) == observed
