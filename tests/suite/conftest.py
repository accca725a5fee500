import pytest

from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_files


@pytest.fixture(scope="session")
def clauses():
    return load_clauses()


@pytest.fixture
def load_text(tmp_path):
    """`load_text(text)` writes a case file, of text or bytes, and loads it."""

    def load(content, name="cases.yaml"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return load_files([path])

    return load
