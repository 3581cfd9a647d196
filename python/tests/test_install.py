"""What `pip` installs: the command, a version, a source distribution that is whole."""

import importlib.util
import json
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from types import SimpleNamespace

import pytest

import patience
from patience import _native

ROOT = Path(__file__).parents[2]


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "patience", *words], capture_output=True, text=True, timeout=120
    )


needs_command = pytest.mark.skipif(
    not hasattr(_native, "command"), reason="built without the feature `command`"
)


@needs_command
def test_the_package_has_the_command():
    told = run("games", "--json")
    assert told.returncode == 0, told.stderr
    assert [game["name"] for game in json.loads(told.stdout)] == [g.name for g in patience.games()]
    assert run("--version").stdout.strip() == f"patience {patience.__version__}"
    wrong = run("hint", "klondyke")
    assert wrong.returncode == 2 and "did you mean `klondike`" in wrong.stderr
    assert run("nonsense").returncode == 2
    assert run("hint", "tic-tac-toe", "--iterations", "50").stdout.endswith("used up\n")


@needs_command
def test_the_command_is_installed():
    from importlib.metadata import PackageNotFoundError, entry_points, version

    try:
        assert version("patience-games") == patience.__version__
    except PackageNotFoundError:
        pytest.skip("the package is not installed")
    found = [e for e in entry_points(group="console_scripts") if e.name == "patience"]
    assert [e.value for e in found] == ["patience.__main__:main"]


def test_a_build_without_the_command_says_so(monkeypatch, capsys):
    from patience import __main__

    monkeypatch.delattr(_native, "command", raising=False)
    assert __main__.main() == 2
    assert "built without the command" in capsys.readouterr().err


@pytest.fixture
def backend():
    pytest.importorskip("maturin")
    spec = importlib.util.spec_from_file_location("backend", ROOT / "python/backend.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_is_said_what_is_missing(backend):
    def rust(version):
        return lambda *_, **__: SimpleNamespace(stdout=version)

    has = {"cargo", "rustc", "cc"}
    find = lambda name: name if name in has else None  # noqa: E731
    backend.check(rust("rustc 1.95.0 (x)"), find)
    with pytest.raises(SystemExit, match=r"needs Rust 1.89 or newer, but here is rustc 1.70.0"):
        backend.check(rust("rustc 1.70.0"), find)
    has.remove("cc")
    with pytest.raises(SystemExit, match="needs a C compiler"):
        backend.check(rust("rustc 1.95.0"), find)
    has.remove("cargo")
    with pytest.raises(SystemExit, match="no cargo on the path: get it at https://rustup.rs"):
        backend.check(rust("rustc 1.95.0"), find)


def test_the_versions_of_rust_are_one(backend):
    wanted = f'rust-version = "{backend.RUST[0]}.{backend.RUST[1]}"'
    assert wanted in (ROOT / "Cargo.toml").read_text()


def test_the_source_distribution_is_whole(tmp_path):
    """Unpacked in a bare folder it has all crates that the lock file names."""
    maturin = Path(sys.executable).with_name("maturin")
    if not maturin.exists() or shutil.which("cargo") is None:
        pytest.skip("maturin or cargo is not here")
    made = [str(maturin), "sdist", "--out", str(tmp_path)]
    subprocess.run(made, cwd=ROOT, check=True, capture_output=True, timeout=300)
    (packed,) = tmp_path.glob("patience_games-*.tar.gz")
    with tarfile.open(packed) as archive:
        archive.extractall(tmp_path / "bare")
    (folder,) = (tmp_path / "bare").iterdir()
    assert (folder / "python/backend.py").exists()
    words = ["cargo", "metadata", "--locked", "--offline", "--format-version", "1"]
    told = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    members = json.loads(told.stdout)["workspace_members"]
    assert len(members) == len(list((ROOT / "crates").iterdir()))
