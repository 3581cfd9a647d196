"""The examples in the docstrings and in the guide are run, and the types are checked."""

import doctest
import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest

import patience

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL
ROOT = Path(__file__).parents[2]


def objects():
    """Everything with a docstring: modules, classes, methods and functions, native ones too."""
    seen = set()
    for info in pkgutil.iter_modules(patience.__path__, "patience."):
        if info.name == "patience.cluster":
            continue  # Its examples need a cluster; they are tested in test_cluster.py.
        module = importlib.import_module(info.name)
        found = [(info.name, module)]
        for name, value in vars(module).items():
            if getattr(value, "__module__", "").startswith("patience"):
                found.append((f"{info.name}.{name}", value))
                if inspect.isclass(value):
                    found += [(f"{info.name}.{name}.{m}", v) for m, v in vars(value).items()]
        for name, value in found:
            text = inspect.getdoc(value) if not isinstance(value, (int, str)) else None
            if text and ">>>" in text and text not in seen:
                seen.add(text)
                yield pytest.param(text, id=name)


def run(text, name):
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    output = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    return runner.tries


@pytest.mark.parametrize("text", list(objects()))
def test_docstrings(text):
    assert run(text, "docstring") > 0


def test_there_are_enough_examples():
    assert len(list(objects())) >= 15


def blocks(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page", ["python.md"])
def test_the_guide(page, tmp_path, monkeypatch):
    pytest.importorskip("gymnasium")
    pytest.importorskip("pandas")
    assert len(blocks(page)) >= 5
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for block in blocks(page):
        exec(compile(block, page, "exec"), names)  # The page is one program.


def test_types(tmp_path, monkeypatch):
    """Those of the package, and those of the guide's lines, which are one program."""
    api = pytest.importorskip("mypy.api")
    guide = tmp_path / "guide.py"
    guide.write_text("\n".join(blocks("python.md")))
    monkeypatch.setenv("MYPYPATH", str(ROOT / "python"))
    words = ["--config-file", str(ROOT / "pyproject.toml"), str(ROOT / "python/patience"), str(guide)]
    out, errors, code = api.run(words)
    assert code == 0, out + errors


def test_the_stub_names_what_there_is():
    stub = (ROOT / "python/patience/_native.pyi").read_text()
    from patience import _native

    names = {name for name in vars(_native) if not name.startswith("_")}
    told = set(re.findall(r"^(?:class|def) (\w+)", stub, re.MULTILINE))
    assert names == told
    for name in told:
        value = getattr(_native, name)
        if inspect.isclass(value):
            body = stub.split(f"class {name}:")[1].split("\nclass ")[0].split("\ndef ")[0]
            members = set(re.findall(r"^    def ([a-z]\w*)", body, re.MULTILINE))
            assert members == {m for m in vars(value) if not m.startswith("_") and m.islower()}
