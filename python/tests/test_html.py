"""Positions and advice in notebooks: drawn, whole, and with nothing in them that a browser would run."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import patience

from test_states import walk

NAMES = [info.name for info in patience.games()]
SVG = "{http://www.w3.org/2000/svg}"


def parsed(html):
    """As a browser takes it; what is not well formed raises."""
    return ET.fromstring("<div>" + html.replace("<br>", "<br/>") + "</div>")


def words(root):
    return ["".join(word.itertext()) for word in root.iter(f"{SVG}text")]


def boxes(root):
    return len(list(root.iter(f"{SVG}rect")))


@pytest.mark.parametrize("name", NAMES)
def test_every_table_is_drawn_whole(name):
    """All that lies on the table is in the picture, and nothing else."""
    states = 0
    for state in walk(patience.table(name).start(seed=3), most=12):
        scene, root = state.scene, parsed(state._repr_html_())
        if scene["kind"] == "cards":
            columns = [pile for pile in scene["piles"] if pile["kind"] == "column"]
            others = [pile for pile in scene["piles"] if pile["kind"] != "column"]
            cards = [card for pile in columns for card in pile["cards"]]
            cards += [pile["cards"][-1] for pile in others if pile["cards"]]
            suits = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
            expected = [card[:-1] + suits[card[-1]] for card in cards if card != "??"]
            told = [f"{pile['id']} {len(pile['cards'])}" for pile in others]
            assert sorted(words(root)) == sorted(expected + told)
            empty = sum(not pile["cards"] for pile in scene["piles"])
            assert boxes(root) == 1 + len(cards) + empty
        elif scene["kind"] == "tiles":
            tiles = [str(tile) for column in scene["columns"] for tile in column]
            assert sorted(words(root)) == sorted(tiles) and boxes(root) == 1 + len(tiles)
        elif scene["kind"] == "grid":
            squares = [word for row in scene["rows"] for word in row]
            assert words(root) == [word for word in squares if word]
            assert boxes(root) == 1 + len(squares)
        else:
            assert scene["kind"] == "text" and root.find("pre").text == scene["text"]
        seen = scene.get("seen")
        assert not seen or seen in "".join(root.itertext())
        states += 1
    assert states > 1


def test_pictures_lie_within_their_frames():
    for name in ("klondike", "freecell", "golf", "samegame", "connect-four", "2048"):
        for state in walk(patience.table(name).start(seed=5), most=30):
            root = parsed(state._repr_html_()).find(f"{SVG}svg")
            width, height = float(root.get("width")), float(root.get("height"))
            for box in root.iter(f"{SVG}rect"):
                right = float(box.get("x", 0)) + float(box.get("width"))
                assert right <= width and float(box.get("y", 0)) + float(box.get("height")) <= height


class Markup:
    """A game whose words are a browser's."""

    def start(self, rng):
        return 2

    def actions(self, state):
        return ["<b>&left", "right\"'>"][:state]

    def step(self, state, action, rng):
        return state - 1, 1.0, "<script>alert(1)</script>"

    def text(self, state):
        return f"<script>alert({state})</script> & more"

    def action_text(self, state, action):
        return action


def test_words_of_a_game_stay_words():
    state = patience.game(Markup()).start()
    state.step(0)
    advice = patience.advise(state, "mc", iterations=10)
    for html in (state._repr_html_(), advice._repr_html_()):
        assert "<script" not in html and "<b>&left" not in html
        parsed(html)
    assert "<script>alert(1)</script> & more" in "".join(parsed(state._repr_html_()).itertext())
    assert "<b>&left" in "".join(parsed(advice._repr_html_()).itertext())


@pytest.mark.parametrize("name", NAMES)
def test_advice_is_a_table(name):
    """The best move first, then the better ones before the worse ones, with values, intervals and visits."""
    state = patience.table(name).start(seed=2)
    advice = state.advise(iterations=30, time=1.0)
    root = parsed(advice._repr_html_())
    rows = [["".join(cell.itertext()).strip() for cell in row] for row in root.iter("tr")]
    assert [len(row) for row in rows] == [5] * (1 + min(20, len(advice.moves)))
    assert rows[1][0] == (advice.choice.label or advice.best)
    for row, element in zip(rows[1:], list(root.iter("tr"))[1:]):
        alike = [move for move in advice.moves if (move.label or move.action) == row[0]]
        assert int(row[4]) in [move.visits for move in alike]
        assert ("–" in row[1]) == all(move.value is None for move in alike) or len(alike) > 1
        assert bool(row[2]) == any((move.low, move.high) != (None, None) for move in alike) or len(alike) > 1
        dots = list(element.iter(f"{SVG}circle"))
        assert len(dots) == (0 if "–" in row[1] else 1)
    if len(advice.moves) > 20:
        assert f"and {len(advice.moves) - 20} more moves" in "".join(root.itertext())


def test_values_are_told_as_what_they_are():
    state = patience.game("connect-four").start(seed=1)
    advice = state.advise("uct(c=1)", iterations=400)
    rows = list(parsed(advice._repr_html_()).iter("tr"))[2:]
    told = [float("".join(row[1].itertext())) for row in rows]
    assert told == sorted(told, reverse=True) and len(told) == 6
    rest = sorted((m.value for m in advice.moves if m.action != advice.best), reverse=True)
    assert np.allclose(told, rest, atol=5e-4)
    assert not any("e-" in "".join(row[1].itertext()) for row in rows)
    lines = parsed(patience.hint("freecell", deal=1, iterations=50)._repr_html_()).iter("th")
    assert [line.text for line in lines][1:3] == ["steps to go", "bounds"]
    over = patience.game("tic-tac-toe").start()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        over.step(move)
    assert parsed(over.advise("mc", iterations=5)._repr_html_()) is not None
