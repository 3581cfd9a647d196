"""Ray: a head and two workers as separate processes; one is killed, another joins; the table is that
of one process, to the bit."""

import os
import signal
import socket
import subprocess
import sys
import threading
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
    with pytest.raises(patience.UsageError, match=r"pip install 'patience-games\[ray\]'"):
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


@pytest.fixture
def listener():
    """A server that says something to whoever connects."""
    servers = []

    def serve(words, wait=0.0):
        server = socket.create_server(("127.0.0.1", 0))
        servers.append(server)

        def run():
            while True:
                try:
                    asked, _ = server.accept()
                except OSError:
                    return
                with asked:
                    asked.recv(100)
                    asked.sendall(words)
                    time.sleep(wait)

        threading.Thread(target=run, daemon=True).start()
        return f"127.0.0.1:{server.getsockname()[1]}"

    yield serve
    for server in servers:
        server.close()


def test_something_else_that_listens_is_not_waited_for(listener, monkeypatch, tmp_path):
    fault = patience.cluster._fault
    monkeypatch.setattr(patience.cluster, "_PATIENCE", 0.5)
    assert fault(listener(b"HTTP/1.1 400 Bad Request\r\n\r\n")) == "what listens there is not Ray"
    assert fault(listener(b"")) == "what listens there is not Ray"
    assert fault(listener(b"", wait=3)) == "what listens there is not Ray", "it says nothing"
    assert fault(listener(bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))) is None
    assert fault("ray-head") is None, "a name that Ray may know"
    monkeypatch.setenv("RAY_USE_TLS", "1")
    assert fault(listener(b"")) is None, "encrypted"
    monkeypatch.delenv("RAY_USE_TLS")
    pytest.importorskip("ray")
    spec = tmp_path / "spread.toml"
    spec.write_text(SPEC.format(units=2, most=2000))
    with pytest.raises(patience.UsageError, match="what listens there is not Ray"):
        patience.cluster.run(spec, listener(b"220 mail\r\n"), store=tmp_path / "S.db")


def test_a_node_of_another_version_is_named():
    mismatch = patience.cluster.mismatch
    assert mismatch(patience.__version__, "") is None
    assert "has version 0.0.1, here it is" in mismatch("0.0.1", "")
    missing = mismatch(None, "ModuleNotFoundError: No module named 'patience'")
    assert "does not have the package (ModuleNotFound" in missing
    assert f"pip install 'patience-games[ray]=={patience.__version__}'" in missing
    # What a node is asked goes there whole.
    pickle = pytest.importorskip("ray.cloudpickle")
    sent = pickle.dumps(patience.cluster._asker())
    code = "import sys, pickle; sys.modules['patience'] = None; "
    code += f"print(pickle.loads({sent!r})())"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert told.stdout.startswith("(None, 'ModuleNotFoundError"), told.stderr


class Refusing:
    """A ledger that takes no results of one kind."""

    def take(self, done):
        if b"bad" in done:
            raise patience.InputError("of another version")


def test_results_that_are_refused_name_their_node():
    patience.cluster._take(Refusing(), [("a", b"good"), ("b", b"good")])
    with pytest.raises(patience.InputError, match="results of the node b: of another version"):
        patience.cluster._take(Refusing(), [("a", b"good"), ("b", b"bad")])


class Unfriendly:
    """Ray whose cluster takes connections of one mode alone."""

    def __init__(self, takes):
        self.takes, self.asked = takes, []

    def init(self, **_):
        self.asked.append(os.environ.get("RAY_AUTH_MODE"))
        if self.asked[-1] != self.takes:
            raise RuntimeError("Unauthenticated: InvalidAuthToken\nmore")

    def shutdown(self):
        pass


def test_clusters_with_and_without_a_token_are_joined(monkeypatch):
    """What is shown depends on what the cluster takes, not on whether a token file exists."""
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    monkeypatch.setattr(patience.cluster, "_has_token", lambda: True)
    modes = []
    monkeypatch.setattr(
        patience.cluster,
        "_set_mode",
        lambda mode: modes.append(mode)
        or (os.environ.pop("RAY_AUTH_MODE", None) if mode is None else os.environ.update(RAY_AUTH_MODE=mode)),
    )
    for takes in ("token", "disabled"):
        os.environ.pop("RAY_AUTH_MODE", None)
        ray = Unfriendly(takes)
        patience.cluster._join(ray, "host:1", {})
        assert ray.asked == ["token", "disabled"][: 1 + (takes == "disabled")]
    os.environ.pop("RAY_AUTH_MODE", None)
    with pytest.raises(patience.UsageError, match="with its token and without it.*same token"):
        patience.cluster._join(Unfriendly("another"), "host:1", {})
    assert "RAY_AUTH_MODE" not in os.environ, "all is as it was"


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["disabled", "token"])
def test_a_token_file_does_not_decide_which_clusters_are_joined(mode, tmp_path):
    """A cluster that was started with or without a token is joined where there is one."""
    pytest.importorskip("ray")
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray/auth_token").write_text("7" * 32)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    places = {**os.environ, "HOME": str(tmp_path)}
    places.pop("RAY_AUTH_MODE", None)
    ray = Path(sys.executable).with_name("ray")
    command = [str(ray), "start", "--head", "--block", f"--port={port}", "--num-cpus=1"]
    command += ["--include-dashboard=false", "--object-store-memory=80000000", "--disable-usage-stats"]
    head = subprocess.Popen(
        command,
        env={**places, "RAY_AUTH_MODE": mode},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    spec = tmp_path / "spread.toml"
    spec.write_text(SPEC.format(units=2, most=2000))
    try:
        wait("the head answers", lambda: patience.cluster._fault(f"127.0.0.1:{port}") is None)
        run = [sys.executable, "-m", "patience.cluster", "run", "--address", f"127.0.0.1:{port}"]
        run += ["--store", str(tmp_path / "S.db"), "--", str(spec)]
        told = subprocess.run(run, env=places, capture_output=True, text=True, timeout=300)
        assert told.returncode == 0, told.stderr
        assert "4/4 in all" in told.stdout
    finally:
        os.killpg(head.pid, signal.SIGTERM)
        head.wait(60)


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
            if patience.cluster._fault(made.address):
                return False  # Ray would go on asking for minutes.
            options = {"log_to_driver": False, "logging_level": "error"}
            try:
                patience.cluster._join(ray, made.address, options)
            except patience.UsageError:
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
