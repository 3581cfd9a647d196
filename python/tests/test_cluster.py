"""Ray: a head and two workers as separate processes; one is killed, another joins; the table is that
of one process, to the bit."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import patience
import patience.cluster

SPEC = """\
name = "spread"
seed = 5
units = {units}
task = {{ kind = "play", opponent = "random", won_at = 1 }}

[[arm]]
name = "few"
game = "connect-four"
planner = "uct(iterations=1000)"

[[arm]]
name = "many"
game = "connect-four"
planner = "uct(iterations={most})"
"""


def test_without_ray_the_error_says_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(sys.modules, "ray", None)
    spec = tmp_path / "spread.toml"
    spec.write_text(SPEC.format(units=2, most=2000))
    with pytest.raises(patience.UsageError, match=r"pip install 'patience\[ray\]'"):
        patience.cluster.run(spec, store=tmp_path / "S.db")
    code = patience.cluster.main(["run", str(spec), "--store", str(tmp_path / "S.db")])
    assert code == 2 and "pip install" in capsys.readouterr().err
    assert not (tmp_path / "S.db").exists(), "no store was made"


def test_what_is_wrong_is_said_before_anything_is_started(tmp_path, capsys):
    with pytest.raises(patience.InputError, match="no such file or spec"):
        patience.cluster.run("nowhere.toml")
    with pytest.raises(patience.UsageError, match="chunk is 0"):
        patience.cluster.run("uct-figure-2", chunk=0)
    assert patience.cluster.main(["run", "nowhere.toml"]) == 3
    assert "error: nowhere.toml: there is no such file" in capsys.readouterr().err


def test_a_cluster_that_is_gone_is_not_waited_for(monkeypatch, tmp_path):
    pytest.importorskip("ray")
    spec = tmp_path / "spread.toml"
    spec.write_text(SPEC.format(units=2, most=2000))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        dead = f"127.0.0.1:{free.getsockname()[1]}"
    begin = time.monotonic()
    with pytest.raises(patience.UsageError, match="there is no Ray cluster at 127.0.0.1"):
        patience.cluster.run(spec, dead, store=tmp_path / "S.db")
    # What Ray noted of a cluster that was killed is not taken for one that runs.
    monkeypatch.setenv("RAY_ADDRESS", dead)
    assert patience.cluster._running_here() is None
    assert time.monotonic() - begin < 60


class Cluster:
    """A head without processors and workers with one each, all processes of their own."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.processes = []
        port = self.address.split(":")[1]
        head = ["--head", f"--port={port}", "--num-cpus=0", "--include-dashboard=false"]
        self.start([*head, "--disable-usage-stats"])

    def start(self, options):
        ray = Path(sys.executable).with_name("ray")
        command = [str(ray), "start", "--block", "--object-store-memory=80000000", *options]
        process = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "RAY_USAGE_STATS_ENABLED": "0"},
        )
        self.processes.append(process)
        return process

    def worker(self):
        return self.start([f"--address={self.address}", "--num-cpus=1"])

    def kill(self, process):
        """Kills a node: the processes that this test started, by their ids, and no others."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait(30)

    def close(self):
        for process in reversed(self.processes):
            self.kill(process)


def wait(what, until, seconds=240):
    deadline = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < deadline, what
        time.sleep(0.5)


@pytest.fixture
def cluster():
    ray = pytest.importorskip("ray")
    made = Cluster()
    try:

        def connected():
            if not patience.cluster._answers(made.address):
                return False  # Ray would go on asking for minutes.
            patience.cluster._show_token()
            try:
                ray.init(address=made.address, log_to_driver=False, logging_level="error")
            except (ConnectionError, RuntimeError, ValueError):
                return False
            return True

        wait("the head does not start", connected)
        # One after the other: a worker that finds no head gives up.
        workers = []
        for count in (1, 2):
            workers.append(made.worker())
            wait("a worker does not join", lambda: processors(ray) >= count)
        yield made, workers
    finally:
        ray.shutdown()
        made.close()


def processors(ray):
    return ray.cluster_resources().get("CPU", 0)


@pytest.mark.slow
def test_a_worker_dies_and_another_joins_and_the_table_is_the_same_to_the_bit(cluster, tmp_path):
    made, workers = cluster
    spec = tmp_path / "spread.toml"
    spec.write_text(SPEC.format(units=40, most=20000))
    alone = patience.Experiment(spec, store=tmp_path / "alone.db")
    alone.run(threads=1)
    events = []

    def disturb(progress):
        if not events and progress["done"] >= 8:
            made.kill(workers[0])
            made.worker()
            events.append(progress["done"])

    summary = patience.cluster.run(
        spec, store=tmp_path / "spread.db", chunk=0.5, progress=disturb
    )
    assert events and events[0] < 80, "a worker was killed in the middle"
    assert summary.complete and summary.ran == 80
    import ray

    # Ray finds out in its own time.
    wait("it is known to be dead", lambda: not all(node["Alive"] for node in ray.nodes()))
    spread = patience.Experiment(spec, store=tmp_path / "spread.db")
    a, b = alone.columns(), spread.columns()
    assert a["arm"] == b["arm"] and a["column"] == b["column"]
    assert np.array_equal(a["unit"], b["unit"])
    assert a["value"].tobytes() == b["value"].tobytes(), "equal to the bit"
    tables = [[{**arm, "seconds": 0} for arm in e.report()["arms"]] for e in (alone, spread)]
    assert tables[0] == tables[1]
    # Nothing is left to do, on one machine or on many.
    assert spread.run().ran == 0
    assert patience.cluster.run(spec, store=tmp_path / "spread.db").ran == 0

    # The command that `patience experiment run --ray` starts.
    command = [sys.executable, "-m", "patience.cluster", "run", "--address", made.address]
    command += ["--store", str(tmp_path / "command.db"), "--units", "5", "--", str(spec)]
    told = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    assert "10/10 in all" in told.stdout
    few = patience.Experiment(spec, units=5, store=tmp_path / "command.db").columns()["value"]
    once = patience.Experiment(spec, units=5, store=tmp_path / "few.db")
    once.run()
    assert few.tobytes() == once.columns()["value"].tobytes()

    # One decision across the workers: the trees of one machine.
    state = patience.game("klondike").start(seed=7)
    state.step(0)
    here = patience.ensemble(state, "uct(c=1)", trees=6, seed=3, iterations=100)
    there = patience.cluster.ensemble(state, "uct(c=1)", trees=6, seed=3, iterations=100)
    assert here == there
    # And a whole deal.
    here = patience.play(state, "uct(c=1)", trees=3, seed=3, iterations=5)
    there = patience.cluster.play(state, "uct(c=1)", trees=3, seed=3, iterations=5)
    assert here == there and here.decisions > 5

    # What fails on a worker is said here.
    broken = tmp_path / "broken.toml"
    broken.write_text(SPEC.format(units=2, most=10).replace("won_at = 1", "max_moves = 1"))
    patience.cluster.run(broken, store=tmp_path / "broken.db")
    with pytest.raises(patience.InputError, match="there is no planner utc"):
        patience.cluster.ensemble(state, "utc", trees=2, iterations=1)
