"""Pictures of what lies on the table, all of one size, so that they make a film."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .errors import UsageError

WIDTH, HEIGHT = 640, 480
PAPER, INK, LINE = (250, 249, 246), (34, 34, 34), (170, 170, 170)
RED, BACK = (190, 30, 45), (70, 100, 150)
#: Colours of tiles that are told apart in print and by most eyes.
TILES = [
    *[(0, 114, 178), (230, 159, 0), (0, 158, 115), (204, 121, 167), (213, 94, 0)],
    *[(86, 180, 233), (240, 228, 66), (110, 80, 160), (120, 120, 120), (60, 60, 60)],
]


class _Paper:
    """A sheet to draw on."""

    def __init__(self) -> None:
        try:
            from PIL import Image, ImageDraw, ImageFont
        except ImportError as error:
            raise UsageError(
                f"pictures need Pillow: pip install 'patience-games[gymnasium]' ({error})"
            ) from None
        self._font = ImageFont.load_default
        self.image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
        self._draw = ImageDraw.Draw(self.image)

    def box(self, x: float, y: float, width: float, height: float, fill: Any) -> None:
        corners = (round(x), round(y), round(x + width) - 1, round(y + height) - 1)
        self._draw.rectangle(corners, fill=fill, outline=LINE)

    def word(self, x: float, y: float, size: float, text: str, ink: Any = INK) -> None:
        """A word with its middle there."""
        font = self._font(size=max(6, size))
        self._draw.text((x, y), text, fill=ink, font=font, anchor="mm")


def picture(scene: Mapping[str, Any]) -> NDArray[np.uint8]:
    """A scene as an image of 480 rows and 640 columns in red, green and blue."""
    paper = _Paper()
    {"cards": _cards, "tiles": _tiles, "grid": _grid, "text": _text}[scene["kind"]](paper, scene)
    return np.asarray(paper.image, np.uint8).copy()


def _tiles(paper: _Paper, scene: Mapping[str, Any]) -> None:
    side = min(WIDTH / scene["width"], HEIGHT / scene["height"])
    for column, tiles in enumerate(scene["columns"]):
        for row, colour in enumerate(tiles):
            y = HEIGHT - (row + 1) * side
            paper.box(column * side, y, side, side, TILES[colour % len(TILES)])


def _grid(paper: _Paper, scene: Mapping[str, Any]) -> None:
    rows = scene["rows"]
    side = min(WIDTH / max(1, *map(len, rows)), (HEIGHT - 30) / len(rows)) if rows else 1
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            paper.box(x * side, y * side, side, side, PAPER)
            paper.word((x + 0.5) * side, (y + 0.5) * side, 1.2 * side / max(2, len(word)), word)
    paper.word(WIDTH / 2, HEIGHT - 15, 14, scene["text"].replace("\n", ", "))


def _text(paper: _Paper, scene: Mapping[str, Any]) -> None:
    lines = scene["text"].splitlines() or [""]
    across = min(WIDTH / max(24, *map(len, lines)), 0.6 * HEIGHT / max(8, len(lines)))
    down = across / 0.6
    for y, line in enumerate(lines):
        for x, letter in enumerate(line):  # Each in a place of its own: boards stand in columns.
            paper.word((x + 0.5) * across, (y + 0.5) * down, down * 0.8, letter)


def _cards(paper: _Paper, scene: Mapping[str, Any]) -> None:
    """Columns below, everything else above them, of a long pile in sight only its last card."""
    piles = scene["piles"]
    above = [pile for pile in piles if pile["kind"] != "column"]
    below = [pile for pile in piles if pile["kind"] == "column"]
    width = WIDTH / max(8, len(above), len(below))
    tall = min(1.4 * width, 90)
    for place, pile in enumerate(above):
        card = pile["cards"][-1] if pile["cards"] else ""
        _card(paper, place * width, 4, width - 4, tall, card)
        paper.word((place + 0.5) * width - 2, tall + 14, 10, f"{pile['id']} {len(pile['cards'])}")
    longest = max([2, *(len(pile["cards"]) for pile in below)])
    apart = min(24, (HEIGHT - 2 * tall - 30) / (longest - 1))
    for place, pile in enumerate(below):
        for depth, card in enumerate(pile["cards"]):
            _card(paper, place * width, tall + 28 + depth * apart, width - 4, tall, card)


def _card(paper: _Paper, x: float, y: float, width: float, height: float, card: str) -> None:
    hidden = card == "??"
    paper.box(x, y, width, height, BACK if hidden else (255, 255, 255) if card else PAPER)
    if card and not hidden:
        ink = RED if card[-1] in "DH" else INK
        paper.word(x + width / 2, y + 11, 14, card, ink)
