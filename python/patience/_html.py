"""Positions and advice as HTML, for notebooks: needs nothing but a browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .values import Advice, MoveAdvice

PAPER, INK, LINE = "#faf9f6", "#222", "#aaa"
RED, BACK, BAR = "#be1e2d", "#46649a", "#9db7d5"
#: Colours of tiles that are told apart in print and by most eyes.
TILES = [
    *("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00"),
    *("#56b4e9", "#f0e442", "#6e50a0", "#787878", "#3c3c3c"),
]
SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
#: Moves of an advice that are listed.
MOST = 20


def scene(drawn: Mapping[str, Any]) -> str:
    """What lies on the table: SVG, or text in its columns."""
    kinds = {"cards": _cards, "tiles": _tiles, "grid": _grid, "text": _text}
    body = kinds[drawn["kind"]](drawn)
    seen = drawn.get("seen")
    return body + (f"<div>seen: {escape(seen)}</div>" if seen else "")


def _svg(width: float, height: float, parts: list[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" style="max-width:100%" font-family="sans-serif">'
        f'<rect width="{width:g}" height="{height:g}" fill="{PAPER}"/>{"".join(parts)}</svg>'
    )


def _box(x: float, y: float, width: float, height: float, fill: str, round_by: float = 0) -> str:
    corner = f' rx="{round_by:g}"' if round_by else ""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{corner} '
        f'fill="{fill}" stroke="{LINE}"/>'
    )


def _word(x: float, y: float, size: float, text: str, ink: str = INK) -> str:
    """A word with its middle there."""
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{size:g}" fill="{ink}" text-anchor="middle" '
        f'dominant-baseline="central">{escape(text)}</text>'
    )


def _tiles(drawn: Mapping[str, Any]) -> str:
    side, width, height = 20, drawn["width"], drawn["height"]
    parts = []
    for column, tiles in enumerate(drawn["columns"]):
        for row, colour in enumerate(tiles):
            x, y = column * side, (height - 1 - row) * side
            parts.append(_box(x, y, side, side, TILES[colour % len(TILES)]))
            # Colours alone do not tell tiles apart for everybody.
            ink = INK if colour % len(TILES) in (1, 5, 6) else PAPER
            parts.append(_word(x + side / 2, y + side / 2, 10, str(colour), ink))
    return _svg(width * side, height * side, parts)


def _grid(drawn: Mapping[str, Any]) -> str:
    side, rows = 32, drawn["rows"]
    parts = []
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            parts.append(_box(x * side, y * side, side, side, "#fff" if word else PAPER))
            if word:
                size = min(16, 1.5 * side / len(word))
                parts.append(_word((x + 0.5) * side, (y + 0.5) * side, size, word))
    board = _svg(side * max([1, *map(len, rows)]), side * max(1, len(rows)), parts)
    return board + (f"<div>{_lines(drawn['text'])}</div>" if drawn["text"] else "")


def _text(drawn: Mapping[str, Any]) -> str:
    return f"<pre>{escape(drawn['text'])}</pre>"


def _lines(text: str) -> str:
    return "<br>".join(escape(line) for line in text.splitlines())


#: Of a card: its width, its height, and what is seen of one that others lie on.
WIDE, TALL, SEEN = 40, 54, 17


def _cards(drawn: Mapping[str, Any]) -> str:
    """Columns below, everything else above them, of a pile there only its last card and how many it has."""
    above = [pile for pile in drawn["piles"] if pile["kind"] != "column"]
    below = [pile for pile in drawn["piles"] if pile["kind"] == "column"]
    step = WIDE + 6
    parts: list[str] = []
    for place, pile in enumerate(above):
        count = len(pile["cards"])
        x = 3 + place * step
        parts += _card(x, 3, pile["cards"][-1] if count else "")
        parts.append(_word(x + WIDE / 2, TALL + 11, 9, f"{pile['id']} {count}"))
    top = TALL + 22 if above else 3
    longest = max([1, *(len(pile["cards"]) for pile in below)])
    for place, pile in enumerate(below):
        x = 3 + place * step
        for depth, card in enumerate(pile["cards"] or [""]):
            parts += _card(x, top + depth * SEEN, card)
    height = top + (TALL + (longest - 1) * SEEN + 3 if below else 0)
    return _svg(step * max(1, len(above), len(below)), height, parts)


def _card(x: float, y: float, card: str) -> Iterator[str]:
    hidden = card == "??"
    yield _box(x, y, WIDE, TALL, BACK if hidden else "#fff" if card else PAPER, 4)
    if card and not hidden:
        shown = card[:-1] + SUITS.get(card[-1], card[-1])
        yield _word(x + WIDE / 2, y + SEEN / 2 + 1, 14, shown, RED if card[-1] in "DH" else INK)


def advice(said: Advice) -> str:
    """What is known of the moves: a table with the recommended one first."""
    moves = sorted(said.moves, key=lambda move: _rank(said, move))
    shown = moves[:MOST]
    ends = [end for move in shown for end in (move.low, move.value, move.high) if end is not None]
    scale = (min(ends), max(ends)) if ends else (0.0, 0.0)
    most = max([1, *(move.visits for move in shown)])
    rows = "".join(_row(said, move, scale, most) for move in shown)
    ends_are = "bounds" if said.measure == "steps_to_go" else "95%"
    heads = ["move", _MEASURES.get(said.measure, said.measure), ends_are, "", "visits"]
    head = "".join(f"<th>{escape(word)}</th>" for word in heads)
    stats = said.stats
    end = f"{stats.iterations} iterations, {stats.seconds:.2f} s"
    left = len(moves) - len(shown)
    notes = [
        *([f"and {left} more moves"] if left else []),
        *([said.why] if said.why else []),
        *([said.lost] if said.lost else []),
        f"{said.game}, {said.planner}: {end}",
    ]
    note = "".join(f"<div>{_lines(line)}</div>" for line in notes)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{note}"


_MEASURES = {"win_probability": "wins", "steps_to_go": "steps to go"}


def _rank(said: Advice, move: MoveAdvice) -> tuple[bool, bool, float]:
    """The recommended move first, then those with the better values."""
    fewer = said.minimising or said.measure == "steps_to_go"
    value = 0.0 if move.value is None else move.value if fewer else -move.value
    return move.action != said.best, move.value is None, value


def _number(said: Advice, value: float | None) -> str:
    if value is None:
        return "–"
    # What a sum of rewards leaves by rounding is nothing.
    value = 0.0 if abs(value) < 1e-9 else value
    return f"{value:.1%}" if said.measure == "win_probability" else f"{value:.4g}"


def _row(said: Advice, move: MoveAdvice, scale: tuple[float, float], most: int) -> str:
    name = escape(move.label or move.action)
    proven = "loses" if move.loses else "proven" if move.sure else "leads back" if move.again else ""
    value = _number(said, move.value) + (f" ({proven})" if proven else "")
    interval = _interval(said, move)
    visits = f"{_bar(move.visits / most)} {move.visits}"
    cells = [f"<b>{name}</b>" if move.action == said.best else name, value, interval]
    cells += [_range(move, scale), visits]
    return "<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>"


def _interval(said: Advice, move: MoveAdvice) -> str:
    if move.low is None:
        return "" if move.high is None else f"at most {_number(said, move.high)}"
    if move.high is None:
        return f"at least {_number(said, move.low)}"
    return f"{_number(said, move.low)} to {_number(said, move.high)}"


def _range(move: MoveAdvice, scale: tuple[float, float]) -> str:
    """A value as a dot on a line of all values, with its interval."""
    if move.value is None:
        return ""
    least, span = scale[0], scale[1] - scale[0]

    def at(value: float) -> float:
        return 5 + 90 * ((value - least) / span if span > 0 else 0.5)

    line = ""
    if move.low is not None and move.high is not None:
        low, high = at(move.low), at(move.high)
        line = f'<line x1="{low:g}" x2="{high:g}" y1="7" y2="7" stroke="{BACK}" stroke-width="2"/>'
    dot = f'<circle cx="{at(move.value):g}" cy="7" r="3.5" fill="{BACK}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="100" height="14">{line}{dot}</svg>'


def _bar(share: float) -> str:
    width = round(60 * share, 1)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="10">'
        f'<rect width="{width:g}" height="10" fill="{BAR}"/></svg>'
    )
