"""The shapes that a drawing is made of, in units of the SVG's viewBox. A `kind` is a class of the style sheet."""

from __future__ import annotations

from dataclasses import dataclass

WIDTH = 336
"""Of every drawing: it fits a narrow screen without being made smaller."""


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    kind: str
    tag: str = "rect"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A path."""

    path: str
    kind: str
    tag: str = "path"


@dataclass(frozen=True, slots=True)
class Label:
    """A text. `anchor` is "start", "middle" or "end"; `aside` follows it, set off."""

    x: float
    y: float
    text: str
    kind: str
    anchor: str = "start"
    aside: str = ""
    tag: str = "text"


Shape = Box | Stroke | Label


@dataclass(frozen=True, slots=True)
class Plot:
    """A drawing with its title, what it says in words, and a note on what it leaves out."""

    title: str
    words: str
    note: str
    height: float
    shapes: tuple[Shape, ...]
    width: int = WIDTH
