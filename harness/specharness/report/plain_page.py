"""Pages of HTML that are headings and tables: one look, nothing from the network, no script."""

from __future__ import annotations

from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from specharness.version import SPEC_VERSION, VERSION


def render_plain_page(template: str, **values: Any) -> str:
    """The page of a template that extends `plain.html`. Text is escaped for HTML; what is untrusted is `printable`."""
    environment = Environment(
        loader=PackageLoader("specharness.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template).render(version=VERSION, spec=SPEC_VERSION, **values) + "\n"
