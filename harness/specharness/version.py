"""Versions of the package and of the spec that it holds."""

VERSION = "0.1.0"
SPEC_VERSION = "1.0"
