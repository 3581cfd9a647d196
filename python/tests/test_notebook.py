"""The notebooks are run from their first cells to their last, at a small size."""

from pathlib import Path

import pytest

import patience

FOLDER = Path(__file__).parents[2] / "docs/notebooks"


@pytest.fixture
def run(monkeypatch):
    """Runs a notebook; gives its cells by what they are, and how many pictures it drew."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    for module in ("matplotlib", "pandas", "ipykernel"):
        pytest.importorskip(module)

    def of(name, **size):
        for variable, value in size.items():
            monkeypatch.setenv(variable, str(value))
        notebook = nbformat.read(FOLDER / name, as_version=4)
        nbclient.NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
        outputs = [(cell.source, out) for cell in notebook.cells for out in cell.get("outputs", [])]
        pictures = sum("image/png" in out.get("data", {}) for _, out in outputs)
        told = {
            source: out.get("data", {}).get("text/plain", out.get("text", ""))
            for source, out in outputs
        }
        return told, pictures

    return of


def of_cell(told, part):
    return next(text for source, text in told.items() if part in source)


def test_a_table_is_reproduced(run):
    assert "klondike-table-2" in patience.specs()
    told, pictures = run("klondike-table-2.ipynb", PATIENCE_GAMES=2)
    assert pictures == 2
    table = of_cell(told, "table.round")
    assert "UCT" in table and "seconds a game" in table


def test_a_network_is_trained(run):
    pytest.importorskip("torch")
    told, pictures = run("train-a-network.ipynb", PATIENCE_ROUNDS=2)
    assert pictures == 1
    assert "lost" in of_cell(told, "history")
    assert "visits" in of_cell(told, "advice.moves")


def test_a_game_is_reviewed(run):
    told, pictures = run("review-klondike.ipynb", PATIENCE_ITERATIONS=5)
    assert pictures == 1
    assert "cost" in of_cell(told, "costly")
    assert any(word in of_cell(told, "fate is None") for word in ("proven", "lost after"))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebooks_are_kept_without_output(path):
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)
