"""The command and the package say the same of the same deal. Skipped where the command is not built."""

import json
import subprocess
from pathlib import Path

import pytest

import patience
from patience.values import Advice

TARGET = Path(__file__).parents[2] / "target"
SOLVED = [info.name for info in patience.games() if info.solver]


def command(*arguments):
    """What the command prints."""
    built = [path for kind in ("debug", "release") if (path := TARGET / kind / "patience").exists()]
    if not built:
        pytest.skip("the command is not built")
    told = subprocess.run([built[0], *arguments], capture_output=True, text=True, timeout=300)
    assert told.stdout, told.stderr
    return json.loads(told.stdout)


@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.parametrize("deal", ["seed:1", "seed:7", "7"])
def test_deals_are_solved_the_same(name, deal):
    told = command("solve", name, deal, "--iterations", "2000", "--json")
    solution = patience.solve(name, deal, iterations=2000)
    plain = {key: value for key, value in vars(solution).items() if key in told}
    plain["moves"] = solution.actions
    plain["bounds"] = solution.bounds._asdict()
    plain["stats"] = {**vars(solution.stats), "seconds": told["stats"]["seconds"]}
    assert {**told, **plain} == told
    assert {"game", "deal", "solver", "position", "verdict", "value", "moves", "goal"} < set(plain)


@pytest.mark.parametrize("name", [info.name for info in patience.games()])
@pytest.mark.parametrize(
    ("words", "arguments"),
    [([], {}), (["seed:7"], {"deal": "seed:7"}), (["7"], {"deal": 7}), (["--seed", "7"], {"seed": 7})],
)
def test_hints_are_the_same(name, words, arguments):
    planner = "uct(iterations=30)"
    told = command("hint", name, *words, "--planner", planner, "--json")
    advice = patience.hint(name, planner, **arguments)
    assert Advice.of({**told, "minimising": advice.minimising}) == advice
    if words:
        state = patience.table(name).start(**arguments)
        assert state.text == told["position"], "one deal for each name"


@pytest.mark.parametrize("name", SOLVED)
def test_validators_are_the_same(name):
    deals = [f"seed:{seed}" for seed in range(1, 100)]
    solved = ((deal, patience.solve(name, deal, iterations=20_000)) for deal in deals)
    deal, solution = next(found for found in solved if found[1].solution)
    told = command("verify", name, deal, solution.solution, "--json")
    assert told["valid"] and told["value"] == patience.verify(name, deal, solution)
