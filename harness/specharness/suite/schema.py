"""The shape of case, model and baseline files, checked against spec/schema/, in messages that name what to write."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from specharness.errors import BadSuite
from specharness.locations import data_root
from specharness.names import did_you_mean
from specharness.suite.problems import Problem
from specharness.suite.yaml12 import locate, shorten

if TYPE_CHECKING:
    from jsonschema import ValidationError

_MOST = 1000
_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "null": "null",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}


def check_shape(document: Any, file: str, *, schema: str = "cases") -> list[Problem]:
    """What in a parsed file breaks the schema of its kind (cases, model or baseline), in the order of the file."""
    found = [
        Problem(file, locate(document, path), _case_of(document, path), message)
        for path, message in shape_problems(document, schema)
    ]
    return sorted(found, key=lambda problem: problem.mark or (0, 0))


def shape_problems(document: Any, schema: str, *, newer: bool = False) -> Iterator[tuple[list[str | int], str]]:
    """Path and message of each thing in a document that breaks a schema of spec/schema/.

    With `newer` it may have keys that the schema lacks.
    """
    for error in islice(_validator(schema, newer=newer).iter_errors(document), _MOST):
        yield from _explain(error)


@cache
def _validator(kind: str, *, newer: bool = False) -> Any:
    from jsonschema import Draft202012Validator, validators

    path = data_root() / "spec" / "schema" / f"{kind}.schema.json"
    try:
        schema = json.loads(path.read_text(encoding="utf-8"))
        Draft202012Validator.check_schema(schema)
    except Exception as error:  # whatever is wrong with the schema file, it is the suite that is bad
        raise BadSuite([f"{path}: {error}"]) from None
    extend: Any = validators.extend
    quick = {"items": _quick_items, "uniqueItems": _quick_unique, "pattern": _whole_pattern}
    passed_over = {"additionalProperties": lambda *_: iter(())} if newer else {}
    checker = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return extend(Draft202012Validator, quick | passed_over, type_checker=checker)(schema)


def _quick_items(validator: Any, subschema: Any, instance: Any, parent: Any) -> Any:
    """Rows hold up to millions of numbers; one that holds only numbers needs no look at each."""
    from jsonschema import Draft202012Validator

    if subschema == {"$ref": "#/$defs/number"} and isinstance(instance, list):
        kinds = set(map(type, instance))
        if all(issubclass(kind, int | float) and kind is not bool for kind in kinds):
            return iter(())
    return Draft202012Validator.VALIDATORS["items"](validator, subschema, instance, parent)


def _quick_unique(_: Any, wanted: Any, instance: Any, __: Any) -> Any:
    """The library's check is quadratic where items are of several types."""
    from jsonschema import ValidationError

    if wanted and isinstance(instance, list) and len(set(map(repr, instance))) < len(instance):
        yield ValidationError("an item stands twice")


def _whole_pattern(_: Any, pattern: Any, instance: Any, __: Any) -> Any:
    """Python's `$` lets a line end through; our patterns mean the whole text."""
    from jsonschema import ValidationError

    if isinstance(instance, str) and not re.fullmatch(pattern, instance):
        yield ValidationError("another form")


def _explain(error: ValidationError) -> Iterator[tuple[list[str | int], str]]:
    """Path and message of each thing that one schema error stands for."""
    path: list[str | int] = list(error.absolute_path)
    schema: Any = error.schema
    instance: Any = error.instance
    if error.validator == "additionalProperties":
        known = schema["properties"]
        for key in instance:
            if key not in known:
                suggestion = did_you_mean(key, known)
                yield [*path, key], f"found the key {shorten(key)}; expected {_listed(known)}.{suggestion}"
    elif error.validator == "required":
        missing = next(key for key in schema["required"] if key not in instance and repr(key) in error.message)
        yield path, f"the key {missing} is missing; expected {_listed(schema['required'])}"
    elif error.validator == "anyOf" and all("required" in option for option in schema["anyOf"]):
        keys = [key for option in schema["anyOf"] for key in option["required"]]
        yield path, f"the key {' or '.join(keys)} is missing"
    elif error.validator in ("oneOf", "anyOf"):
        branch = int(error.validator == "oneOf" and isinstance(instance, dict) and "raises" in instance)
        for inner in error.context or ():
            if inner.schema_path[0] == branch:
                yield from _explain(inner)
    else:
        yield path, f"found {shorten(instance)}; expected {_expected(error.validator, schema)}"


def _expected(keyword: Any, schema: Any) -> str:
    value = schema[keyword]
    match keyword:
        case "type" if value == "object" and "required" in schema:
            return f"a mapping with the keys {_listed(schema['required'])}"
        case "type":
            kinds = value if isinstance(value, list) else [value]
            return " or ".join(_TYPES[kind] for kind in kinds)
        case "const":
            return f"{value!r}, in quotes" if isinstance(value, str) else repr(value)
        case "enum":
            return "one of " + ", ".join(map(str, value))
        case "pattern" if "/" in value:
            form: str = schema["description"].rstrip(".")
            return form[0].lower() + form[1:]
        case "pattern":
            return f"text such as {schema['examples'][0]}"
        case "minItems" | "minLength" | "minProperties":
            return f"at least {value} of it"
        case "maxProperties":
            return f"at most {value} of it"
        case "maxLength":
            return f"at most {value} characters"
        case "uniqueItems":
            return "each item once"
        case "minimum":
            return f"{value} or more"
        case "maximum":
            return f"{value} or less"
    return json.dumps({keyword: value})


def _listed(keys: Any) -> str:
    return ", ".join(keys)


def _case_of(document: Any, path: list[str | int]) -> str:
    if len(path) < 2 or path[0] != "cases" or not isinstance(path[1], int):
        return ""
    case = document["cases"][path[1]]
    name = case.get("id") if isinstance(case, dict) else None
    return name if isinstance(name, str) and len(name) <= 40 and name.isprintable() else f"case {path[1] + 1}"
