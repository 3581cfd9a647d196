"""The notebook is run from its first cell to its last, with two games per row."""

from pathlib import Path

import pytest

import patience

NOTEBOOK = Path(__file__).parents[2] / "docs/notebooks/klondike-table-2.ipynb"


@pytest.mark.slow
def test_the_notebook_runs(monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("matplotlib")
    assert "klondike-table-2" in patience.specs()
    monkeypatch.setenv("PATIENCE_GAMES", "2")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
    pictures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(pictures) == 2
    table = next(
        output["data"]["text/plain"]
        for cell in notebook.cells
        if "table.round" in cell.source
        for output in cell.outputs
    )
    assert "UCT" in table and "seconds a game" in table


def test_the_notebook_is_kept_without_output():
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)
