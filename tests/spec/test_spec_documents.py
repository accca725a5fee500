"""The spec's documents: the clauses that were agreed, examples that hold, links that lead somewhere."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from itertools import islice

import jsonschema
import pytest
import yaml

from specharness.locations import data_root
from specharness.report.escape import printable
from specharness.suite.clauses import load_clauses
from specharness.suite.recipe import splitmix64
from specreference import POLICIES, PROFILES, acceptable_outcomes, verify_speculative_tokens
from specreference.dtypes import DTYPES

_ROOT = data_root()
_SPEC = _ROOT / "spec"
_DOCUMENTS = sorted(_SPEC.glob("*.md"))
_SCHEMAS = sorted((_SPEC / "schema").glob("*.json"))

# The agreed clauses. An id never changes and is never used again: lines may be added here, none removed or changed.
_CLAUSES = """
SV-IN-1 MUST      SV-IN-2 MUST      SV-IN-3 MUST      SV-IN-4 MUST      SV-IN-5 SHOULD    SV-IN-6 SHOULD
SV-IN-7 SHOULD    SV-IN-8 SHOULD    SV-IN-9 SHOULD    SV-ACC-1 MUST     SV-ACC-2 MUST     SV-ACC-3 MUST
SV-ACC-4 SHOULD   SV-STOP-1 MUST    SV-RES-1 MUST     SV-RES-2 SHOULD   SV-TIE-1 MUST     SV-TIE-2 MUST
SV-TIE-3 MUST     SV-BON-1 MUST     SV-BON-2 MUST     SV-BON-3 MUST     SV-OUT-1 MUST     SV-OUT-2 MUST
SV-OUT-3 MUST     SV-OUT-4 MUST     SV-OUT-5 SHOULD   SV-OUT-6 MUST     SV-PURE-1 SHOULD  SV-PURE-2 MUST
SV-NUM-1 MUST     SV-NUM-2 MUST
"""
_CLAUSES_OF_PROFILES = """
SV-SMP-1 MUST     SV-SMP-2 MUST     SV-SMP-3 MUST     SV-SMP-4 MUST     SV-SMP-5 MUST     SV-SMP-6 MUST
SV-GRD-1 MUST     SV-GRD-2 MUST     SV-GRD-3 MUST     SV-ONE-1 MUST     SV-ONE-2 MUST     SV-ONE-3 MUST
SV-ONE-4 MUST     SV-BLK-1 MUST     SV-BLK-2 MUST     SV-BLK-3 MUST     SV-BLK-4 MUST     SV-BLK-5 MUST
SV-BLK-6 MUST
"""
_IN_FILE = {
    name: dict(re.findall(r"(SV-\S+) (MUST|SHOULD)", text))
    for name, text in (("verification.md", _CLAUSES), ("profiles.md", _CLAUSES_OF_PROFILES))
}
_LEVELS = {clause: level for levels in _IN_FILE.values() for clause, level in levels.items()}


def _text(name):
    return (_SPEC / name).read_text(encoding="utf-8")


def _blocks(path):
    """Language and content of each fenced block, with its line."""
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match[1], match[2], text.count("\n", 0, match.start()) + 1


_BLOCKS = [
    pytest.param(language, content, id=f"{path.name}:{line}")
    for path in _DOCUMENTS
    for language, content, line in _blocks(path)
]


def test_the_clauses_are_those_that_were_agreed():
    assert len(_LEVELS) == 32 + 19
    assert {name: clause.level.value for name, clause in load_clauses().items()} == _LEVELS


@pytest.mark.parametrize("path", _DOCUMENTS, ids=lambda path: path.name)
def test_each_clause_has_one_heading_in_its_file(path):
    headings = re.findall(r"^#+ *(SV-[\w-]+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == list(_IN_FILE.get(path.name, ()))


@pytest.mark.parametrize("clause", load_clauses().values(), ids=load_clauses())
def test_a_clause_is_one_sentence_with_one_sentence_of_reason(clause):
    for text in (clause.sentence, clause.reason):
        assert text.endswith(".")
        assert not re.search(r"[.!?] [A-Z]", text)
        assert printable(text) == text


@pytest.mark.parametrize("path", _DOCUMENTS, ids=lambda path: path.name)
def test_documents_name_only_clauses_that_exist(path):
    named = re.findall(r"\bSV-[A-Z]+-[0-9]+\b", path.read_text(encoding="utf-8"))
    assert set(named) <= set(_LEVELS)
    families = {name.rpartition("-")[0] for name in _LEVELS}
    assert set(re.findall(r"\bSV-[A-Z]+\b(?!-[0-9])", path.read_text(encoding="utf-8"))) <= families


@pytest.mark.parametrize("path", _DOCUMENTS, ids=lambda path: path.name)
def test_links_between_documents_lead_somewhere(path):
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        file, _, anchor = target.partition("#")
        if file.startswith("http"):
            continue
        assert not file or (path.parent / file).exists(), target
        there = (path.parent / file).read_text(encoding="utf-8") if file else text
        headings = {
            re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", there, re.M)
        }
        assert not anchor or f'id="{anchor}"' in there or anchor in headings, target


@pytest.mark.parametrize("path", _DOCUMENTS, ids=lambda path: path.name)
def test_files_that_documents_name_exist(path):
    for name in re.findall(r"`(?:spec/)?((?:schema/)?[\w.-]+\.(?:json|md|yaml))`", path.read_text(encoding="utf-8")):
        assert (_SPEC / name).exists(), name


@pytest.mark.parametrize(("language", "content"), _BLOCKS)
def test_an_example_in_a_document_parses(language, content):
    if language == "json":
        json.loads(content)
    elif language == "yaml":
        assert yaml.safe_load(content)
    elif language == "python":
        try:
            compile(content, "example", "exec")
        except SyntaxError:
            compile(re.sub(r"\) -> dict.*", ") -> dict: ...", "def " + content, flags=re.DOTALL), "signature", "exec")


def test_the_messages_in_the_protocol_document_follow_the_schema():
    schema = jsonschema.Draft202012Validator(json.loads((_SPEC / "schema" / "protocol.schema.json").read_text()))
    messages = [json.loads(content) for language, content, _ in _blocks(_SPEC / "protocol.md") if language == "json"]
    messages = [message for message in messages if "$type" not in message]
    assert len({message["type"] for message in messages}) >= 6
    for message in messages:
        schema.validate(message)


@pytest.mark.parametrize("path", _SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_one_and_tells_its_id(path):
    schema = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"].startswith("urn:specharness:schema:")
    assert schema["title"]
    assert schema["description"]


def test_the_recipes_document_gives_the_generator_s_first_values():
    text = _text("recipes.md")
    for value in islice(splitmix64(0), 3):
        assert f"0x{value:016X}" in text
    for word in ("splitmix64", "flat", "peaked", "sparse", "target_rows", "0x9E3779B97F4A7C15", "2^11"):
        assert word in text


def test_the_protocol_document_names_what_the_worker_speaks():
    text = _text("protocol.md")
    words = ["hello", "ready", "refused", "call", "returned", "raised", "bye", "imports", "$type", "mutated", "bases"]
    assert [word for word in [*words, "NaN", "Infinity", "-Infinity", "16,000,000"] if word not in text] == []


@pytest.mark.parametrize("question", range(1, 11))
def test_a_question_is_in_the_table_and_has_its_section(question):
    text = _text("ambiguities.md")
    assert len(re.findall(rf"^\| \[Q-{question}\]\(#q-{question}\)", text, re.MULTILINE)) == 1
    (section,) = re.findall(rf"^### Q-{question}: .*?(?=^### |^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert re.search(r"^Readings(, .*)?:$", section, re.MULTILINE)
    assert re.search(r"^(Decided|Status): ", section, re.MULTILINE)
    assert re.search(r"^Cases: ", section, re.MULTILINE)


@pytest.mark.parametrize(
    "words", ["u = 0 and p(x) = 0", "u = 1.0", "do not sum to 1", "q(x) = 0", "residual without mass", "second example"]
)
def test_the_open_questions_are_written_down(words):
    assert words in _text("ambiguities.md")


_STEP_ROW = re.compile(r"^\| (0\.\d+) \| (0\.\d+) \| (0\.\d+) \| (accepts|rejects) \| (.*) \| (.*) \|$", re.MULTILINE)


def test_the_examples_of_rounding_hold():
    rows = _STEP_ROW.findall(_text("verification.md"))
    assert len(rows) == 3
    for *numbers, exact, computed, acceptable in rows:
        u, p, q = map(float, numbers)
        accepts = Fraction(u) * Fraction(q) <= Fraction(p)
        assert accepts == (exact == "accepts")
        quotient, product = u <= p / q, u * q <= p
        if "both forms" in computed:
            assert quotient == product == ("both forms accept" in computed)
        else:
            assert ("u <= p/q accepts" in computed) == quotient
            assert ("u q <= p accepts" in computed) == product
        sets = {
            dtype: {bool(o.accepted_tokens) for o in acceptable_outcomes([0], [[q, 0.0]], [[p, 0.0]], [u], dtype=dtype)}
            for dtype in DTYPES
        }
        if acceptable.startswith("both"):
            assert sets["float64"] == {True, False}
        else:
            assert (sets["float64"], sets["float32"]) == ({True}, {True, False})


def test_the_examples_of_clauses_hold():
    text = _text("verification.md")
    assert "x_0 = 0, q_0 = [0, 1], p_0 = [1/4, 3/4], u_0 = 1/2" in text
    assert verify_speculative_tokens([0], [[0.0, 1.0]], [[0.25, 0.75]], [0.5])["accepted_tokens"] == [0]
    assert "x_0 = 0, q_0 = [0, 1/2, 1/2], p_0 = [0, 1/4, 3/4], u_0 = 1/2" in text
    rejected = verify_speculative_tokens([0], [[0.0, 0.5, 0.5]], [[0.0, 0.25, 0.75]], [0.5])
    assert rejected == {"accepted_tokens": [], "bonus_token": 2, "acceptance_count": 0}
    assert "| q_0 | [1/2, 1/4, 1/4] |\n| p_0 | [1/4, 0, 1/2] |\n| u_0 | 5/8 |" in text
    unnormalised = verify_speculative_tokens([0], [[0.5, 0.25, 0.25]], [[0.25, 0.0, 0.5]], [0.625])
    assert unnormalised == {"accepted_tokens": [], "bonus_token": 2, "acceptance_count": 0}
    assert 0.625 <= (0.25 / 0.75) / 0.5  # what normalising the target row would accept


_TEXTS = [*_DOCUMENTS, *(path for path in (_ROOT / "README.md", _ROOT / "CONTRIBUTING.md") if path.exists())]


def _paragraphs(text):
    """Each paragraph on one line, with the heading that it stands under."""
    heading = ""
    for part in re.split(r"\n\s*\n", text):
        if part.startswith("#"):
            heading = part.lstrip("# ")
        elif not part.startswith("|"):
            yield heading, " ".join(part.split())


def test_no_text_calls_the_profile_argmax_lossless():
    told = 0
    for path in _TEXTS:
        for heading, paragraph in _paragraphs(path.read_text(encoding="utf-8")):
            sentences = re.split(r"(?<=[.!?]) ", paragraph)
            for at, sentence in enumerate(sentences):
                about = heading == "Profile `argmax`" or "argmax" in " ".join(sentences[max(0, at - 1) : at + 1])
                others = re.search(r"`(sampled|one-hot|block|greedy)`", f"{heading} {sentence}")
                if re.search("(?i)lossless", sentence) and about and not others:
                    assert re.search(r"(?i)not lossless", sentence), f"{path.name}: {sentence!r}"
                    told += 1
    assert told >= 2  # README.md and profiles.md


def test_the_table_of_profiles_is_that_of_the_reference():
    rows = re.findall(r"^\| `([\w-]+)` \| (.*?) \| (.*?) \| (.*?) \| (.*?) \|$", _text("profiles.md"), re.MULTILINE)
    table = {name: cells for name, *cells in rows if name in PROFILES}
    assert list(table) == list(PROFILES)
    for name, (drafts, uniforms, last, lossless) in table.items():
        profile = PROFILES[name]
        assert (drafts != "None") is profile.drafts
        assert {"0": "empty", "K": "K uniforms", "K + 1": "K uniforms and a coin"}[profile.uniforms[0]] == uniforms
        assert (last == "drawn") is profile.draws
        assert (lossless == "yes") is profile.lossless
        assert profile.uniforms[1] in _LEVELS


def test_the_table_of_policies_is_that_of_the_reference():
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \| (.*) \| [^|]*\|$", _text("profiles.md"), re.MULTILINE)
    table = {name: re.findall(r"`(\w+)`", f"{d} {others}") for name, d, others in rows if name not in PROFILES}
    assert table == {name: list(values) for name, values in POLICIES.items()}
