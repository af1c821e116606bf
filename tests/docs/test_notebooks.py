# SPDX-License-Identifier: Apache-2.0
"""The notebooks of examples/ run from the first cell to the last, in a real kernel, and show what they promise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

import shoal

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.name)
def executed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """A notebook after its cells were run, and the folder in which it ran."""
    folder = tmp_path_factory.mktemp("notebook")
    notebook = nbformat.read(request.param, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    return notebook, folder


def test_a_release_is_saved_and_a_plot_is_shown(executed: tuple[Any, Path]) -> None:
    """The folder holds a release that passes the check; the last cell shows a picture."""
    notebook, folder = executed
    assert shoal.check(next((folder / "released").glob("table.*")), plan=shoal.Plan.read(folder / "released/plan.toml"))
    last = [cell for cell in notebook.cells if cell.cell_type == "code"][-1]
    shown = [output.data for output in last.outputs if output.output_type == "execute_result"]
    assert any("<svg" in data.get("text/html", data.get("image/svg+xml", "")) for data in shown)


def test_ten_lines_of_code(executed: tuple[Any, Path]) -> None:
    """From the import to the plot in at most ten lines; nothing is printed to standard error."""
    notebook, _ = executed
    lines = [line for cell in notebook.cells if cell.cell_type == "code" for line in cell.source.splitlines() if line]
    assert len(lines) <= 10
    streams = [one for cell in notebook.cells for one in cell.get("outputs", ()) if one.output_type == "stream"]
    assert streams == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    """So that a change is a change of the text."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in notebook.cells)
