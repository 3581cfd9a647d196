"""Experiments and searches on a Ray cluster: `pip install 'patience-games[ray]'`.

The same units, the same streams and the same store as on one machine: a unit's result depends on its
name alone, so it does not matter which worker runs it, whether it is run twice, or whether workers
come and go. The driver hands out chunks of about a second and fills the store.

    import patience.cluster
    patience.cluster.run("klondike-baselines", quick=True, store="S.db", address="auto")

From the command line: `patience experiment run SPEC --ray auto --store S.db`, or
`python -m patience.cluster run SPEC --store S.db`. The package must be installed on every node, in
the same version: a node where it is missing, or is another one, is named.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from . import _games, _native, _spec
from ._native import State
from ._spec import Given
from .errors import FaultError, PatienceError, UsageError
from .experiment import warn_of_outdated, watcher
from .values import Advice, Played, Summary

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["ensemble", "run"]

#: Chunks per processor that are with the workers: one at work and one that waits for its turn, so
#: that nobody waits for the driver.
AHEAD = 2

#: Ranges of units, in the order in which one machine takes them.
Places = Sequence[tuple[int, int]]


def _ray() -> Any:
    try:
        import ray
    except ImportError as error:
        raise UsageError(
            f"Ray is needed for this: pip install 'patience-games[ray]' ({error})"
        ) from None
    return ray


#: How an HTTP/2 connection begins, as Ray's do (RFC 9113, section 3.4): the preface, and settings of which
#: there are none. Who speaks it answers with a frame of the same type.
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = 4

#: Seconds in which somebody must have answered.
_PATIENCE = 5.0


def _fault(address: str) -> str | None:
    """Why no cluster of Ray can be there, if that is so. Ray itself would go on asking: for minutes where
    nobody listens, and without end where something else does."""
    host, _, port = address.split("//")[-1].rpartition(":")
    if not port.isdigit():
        return None  # A name that Ray may know.
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE) as asked:
            if os.environ.get("RAY_USE_TLS", "0").lower() not in ("", "0", "false"):
                return None  # Encrypted: what is said cannot be read here.
            try:
                asked.sendall(_PREFACE)
                frame = b""
                while len(frame) < 4 and (more := asked.recv(9)):
                    frame += more
            except OSError:
                frame = b""
            spoken = len(frame) >= 4 and frame[3] == _SETTINGS
            return None if spoken else "what listens there is not Ray"
    except (OSError, OverflowError):
        return "nobody listens there"


def _running_here() -> str | None:
    """The address of this machine's cluster, if one is running: what Ray noted of the last one may
    be of one that was killed."""
    from ray._private.utils import read_ray_address

    address = os.environ.get("RAY_ADDRESS") or read_ray_address()
    return address if address and _fault(address) is None else None


#: Ray's own word for whether a token is shown: `token` or `disabled`.
_MODE = "RAY_AUTH_MODE"


def _set_mode(mode: str | None) -> None:
    """Says whether Ray shows its token; `None` is what it does by itself."""
    os.environ.pop(_MODE, None) if mode is None else os.environ.update({_MODE: mode})
    with suppress(ImportError, AttributeError):
        import_module("ray._raylet").Config.initialize("")  # What was read before is kept else.


def _has_token() -> bool:
    """Whether there is a token, and nobody said by hand whether it is to be shown."""
    if os.environ.get(_MODE) is not None:
        return False
    try:
        loader = import_module("ray._raylet").AuthenticationTokenLoader.instance()
        return bool(loader.has_token(ignore_auth_mode=True))
    except (ImportError, AttributeError, TypeError):
        return False  # A version without tokens.


def _join(ray: Any, address: str, options: Mapping[str, Any]) -> None:
    """Joins a cluster. One that was started where there was a token asks for it, one that was started
    without does not understand it, and neither tells beforehand: so both are tried."""
    modes = ["token", "disabled"] if _has_token() else [None]
    failures = []
    for mode in modes:
        if mode is not None:
            _set_mode(mode)
        try:
            ray.init(address=address, **options)
            return
        except Exception as error:  # Ray's errors have no common base.
            ray.shutdown()
            lines = str(error).strip().splitlines()
            failures.append(lines[0] if lines else type(error).__name__)
            if mode is not None:
                _set_mode(None)
    tried = "; with its token and without it" if len(modes) > 1 else ""
    help = ""
    if any(word in " ".join(failures).lower() for word in ("token", "auth")):
        help = (
            ". Its nodes and this program must all have the same token (~/.ray/auth_token), or all be "
            f"started with {_MODE}=disabled"
        )
    message = f"cannot connect to Ray at {address}{tried}: {'; '.join(dict.fromkeys(failures))}{help}"
    raise UsageError(message)


@contextmanager
def _connected(address: str | None) -> Iterator[Any]:
    """Ray, connected. A connection that is there is used and left alone. `auto` joins the cluster of
    this machine, or starts one for the time being; an address joins that cluster; `None` starts one
    for the time being unless `RAY_ADDRESS` says otherwise."""
    ray = _ray()
    if ray.is_initialized():
        yield ray
        return
    if address == "auto":
        address = _running_here()
        if address is None:
            print("no cluster is running here: starting one", file=sys.stderr)
    else:
        address = address or os.environ.get("RAY_ADDRESS")
    own = address in (None, "local")
    if not own and (fault := _fault(str(address))):
        raise UsageError(f"there is no Ray cluster at {address}: {fault}")
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error"}
    if own:
        try:
            ray.init(address="local", include_dashboard=False, **options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            reason = str(error).strip().splitlines()
            raise UsageError(f"cannot start Ray: {reason[0] if reason else error}") from None
    else:
        _join(ray, str(address), options)
    try:
        yield ray
    finally:
        # Only this program's connection ends, or the cluster that it started.
        ray.shutdown()


@lru_cache(maxsize=4)
def _crew(given: Given) -> _native.Crew:
    # Kept between the chunks that a worker gets: a spec may be long to resolve.
    return _native.Crew(*given)


def _chunk(given: Given, places: Places) -> tuple[str, bytes]:
    """On a worker: runs units and gives the results as bytes, with the node's name."""
    return socket.gethostname(), _crew(given).run(places)


def _asker() -> Callable[[], tuple[str | None, str]]:
    """What a node is asked: it goes there whole, since the package may be missing there."""

    def ask() -> tuple[str | None, str]:
        try:
            import patience
        except Exception as error:
            return None, f"{type(error).__name__}: {error}"
        return getattr(patience, "__version__", "of an older version"), ""

    return ask


class _Nodes:
    """Nodes that work, each of which must have the package in this version."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._known: set[str] = set()

    def check(self) -> None:
        """Asks the nodes that are new."""
        ray = self._ray
        works = [n for n in ray.nodes() if n["Alive"] and n["Resources"].get("CPU", 0) > 0]
        new = [node for node in works if node["NodeID"] not in self._known]
        if not new:
            return
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as On

        ask = ray.remote(num_cpus=0, max_retries=0)(_asker())
        there = [
            ask.options(scheduling_strategy=On(node["NodeID"], soft=False)).remote()
            for node in new
        ]
        for node, answer in zip(new, there):
            self._known.add(node["NodeID"])
            try:
                version, why = ray.get(answer, timeout=60)
            except ray.exceptions.RayError:
                continue  # It is gone again, or busy: a chunk will tell.
            if (fault := mismatch(version, why)) is not None:
                name, place = node["NodeManagerHostname"], node["NodeManagerAddress"]
                raise UsageError(f"the node {name} ({place}) {fault}")


def mismatch(version: str | None, why: str) -> str | None:
    """What is wrong with a node that has this version of the package, or none."""
    here = _native.__version__
    if version == here:
        return None
    found = f"does not have the package ({why})" if version is None else f"has version {version}"
    return f"{found}, here it is {here}: pip install 'patience-games[ray]=={here}' there"


def _tree(
    state: State, planner: str, number: int, seed: int, budget: Mapping[str, Any]
) -> Advice:
    """On a worker: one tree."""
    return _games.tree(state, planner, number, seed, **budget)  # type: ignore[misc]


class _Processors:
    """How many processors there are; asked for again now and then, since nodes come and go."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._asked = float("-inf")
        self._count = 1
        self._nodes = _Nodes(ray)

    def count(self) -> int:
        if time.monotonic() - self._asked > 1.0:
            self._asked = time.monotonic()
            self._nodes.check()
            self._count = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        return self._count


def _cause(ray: Any, error: BaseException) -> PatienceError | None:
    """The error of ours behind one of Ray's, or what else a task failed of; `None` if a task was
    lost, which is no error: it is run again."""
    if not isinstance(error, ray.exceptions.RayTaskError):
        return None
    cause = getattr(error, "cause", None)
    if isinstance(cause, PatienceError):
        return cause
    lines = str(error).strip().splitlines()
    return FaultError(f"a worker failed: {lines[-1] if lines else error}")


def run(
    spec: str | PathLike[str] | Mapping[str, Any],
    address: str | None = None,
    *,
    store: str | PathLike[str] = "patience.db",
    quick: bool = False,
    units: int | None = None,
    chunk: float = 1.0,
    progress: bool | Callable[[Mapping[str, Any]], object] = False,
) -> Summary:
    """Runs a spec, or what is left of it, on a Ray cluster.

    `address` is the cluster's: `auto` for the one of this machine (if there is none, one is started),
    `None` for a connection that is there or a cluster of its own. `chunk` is how many seconds of work
    a worker gets at a time. Ctrl-C ends it cleanly, and what is finished is stored: run it again to go
    on, here or on one machine.
    """
    if not chunk > 0:
        raise UsageError(f"chunk is {chunk}, expected a number of seconds above 0")
    given, about = _spec.read(spec, quick, units)
    watch = watcher(about["name"]) if progress is True else progress or None
    _ray()  # Before a store is made.
    warn_of_outdated(given, fspath(store))
    ledger = _native.Ledger(*given, fspath(store))
    try:
        with _connected(address) as ray:
            _drive(ray, ledger, given, chunk, watch)
        return Summary(**ledger.summary())
    finally:
        ledger.close()


def _drive(
    ray: Any,
    ledger: _native.Ledger,
    given: Given,
    seconds: float,
    watch: Callable[[Mapping[str, Any]], object] | None,
) -> None:
    remote = ray.remote(num_cpus=1, max_retries=-1)(_chunk)
    shared = ray.put(given)
    processors = _Processors(ray)
    flying: dict[Any, Places] = {}
    lost: list[Places] = []
    told = time.monotonic()
    try:
        while True:
            while len(flying) < AHEAD * processors.count():
                places = lost.pop() if lost else ledger.chunk(seconds)
                if not places:
                    break
                flying[remote.remote(shared, places)] = places
            if not flying:
                break
            ready, _ = ray.wait(list(flying), num_returns=1, timeout=0.1)
            if ready:
                # All that is there: many results share a transaction.
                ready, _ = ray.wait(list(flying), num_returns=len(flying), timeout=0)
            done = []
            for reference in ready:
                places = flying.pop(reference)
                try:
                    done.append(ray.get(reference))
                except ray.exceptions.RayError as error:
                    cause = _cause(ray, error)
                    if cause is not None:
                        raise cause from None
                    lost.append(places)
            if done:
                _take(ledger, done)
            if watch is not None and time.monotonic() - told >= 0.1:
                told = time.monotonic()
                watch(ledger.progress())
    finally:
        for reference in flying:
            ray.cancel(reference, force=True)
    if watch is not None:
        watch(ledger.progress())


def _take(ledger: _native.Ledger, done: Sequence[tuple[str, bytes]]) -> None:
    """Stores results; if they are refused, the node is named from which such results came."""
    try:
        ledger.take(b"".join(results for _, results in done))
    except PatienceError:
        for node, results in done:
            try:
                ledger.take(results)
            except PatienceError as error:
                raise type(error)(f"results of the node {node}: {error}") from None


def ensemble(
    state: State,
    planner: str,
    *,
    trees: int,
    address: str | None = None,
    seed: int = 0,
    **budget: Unpack[_games.Budget],
) -> Advice:
    """Root-parallel search of one decision across the cluster. The same trees as those of
    `patience.ensemble`, so the same advice, to the bit if the budget is no time."""
    with _connected(address) as ray:
        return _ensemble(ray, state, planner, trees, seed, budget)


def play(
    state: State,
    planner: str,
    *,
    trees: int,
    address: str | None = None,
    seed: int = 0,
    **budget: Unpack[_games.Budget],
) -> Played:
    """Plays a deal to its end, each decision searched across the cluster: the game that
    `patience.play` plays, to the bit if the budget is no time."""
    with _connected(address) as ray:

        def decide(position: State, number: int) -> Advice:
            own = _native.tree_seed(seed, number)
            return _ensemble(ray, position, planner, trees, own, budget)

        return _games.played(state, decide)


def _ensemble(
    ray: Any, state: State, planner: str, trees: int, seed: int, budget: Mapping[str, Any]
) -> Advice:
    if trees < 1:
        raise UsageError(f"{trees} trees: expected at least 1")
    state.game.check(planner)
    remote = ray.remote(num_cpus=1, max_retries=-1)(_tree)
    shared = ray.put(state)
    grown = [remote.remote(shared, planner, i, seed, dict(budget)) for i in range(trees)]
    try:
        advice = ray.get(grown)
    except BaseException as error:
        # Only what is not done: Ray may fall over a cancelled task that has just ended.
        _, running = ray.wait(grown, num_returns=len(grown), timeout=0)
        for reference in running:
            ray.cancel(reference, force=True)
        cause = _cause(ray, error)
        if cause is not None:
            raise cause from None
        raise
    return _native.merge_trees(advice, seed)


def _duration(seconds: float) -> str:
    s = max(0, round(seconds))
    if s < 60:
        return f"{s} s"
    if s < 3600:
        return f"{s // 60} min {s % 60:02} s"
    return f"{s // 3600} h {s // 60 % 60:02} min"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command `python -m patience.cluster`; exit codes are those of `patience`."""
    parser = argparse.ArgumentParser(prog="python -m patience.cluster")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("run", help="run a spec, or what is left of it, on a Ray cluster")
    command.add_argument("spec", help="the spec's file, or the name of a built-in one")
    command.add_argument("--address", default="auto", help="the cluster's address (default: auto)")
    command.add_argument("--store", default="patience.db", help="the store's file")
    command.add_argument("--quick", action="store_true", help="the quick version of the spec")
    command.add_argument("--units", type=int, help="so many units per arm")
    command.add_argument("--chunk", type=float, default=1.0, help="seconds of work at a time")
    command.add_argument("--json", action="store_true", help="print JSON")
    args = parser.parse_args(arguments)
    again = f"continue with: patience experiment resume --store {args.store}"
    try:
        summary = run(
            args.spec,
            args.address,
            store=args.store,
            quick=args.quick,
            units=args.units,
            chunk=args.chunk,
            progress=True,
        )
    except KeyboardInterrupt:
        print(f"interrupted; {again}", file=sys.stderr)
        return 4
    except PatienceError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    if args.json:
        print(json.dumps([vars(summary)], indent=2))
    else:
        took, done = _duration(summary.seconds), summary.before + summary.ran
        print(
            f"{summary.experiment}: {summary.ran} units in {took}, {done}/{summary.total} in all"
        )
    return 0


if __name__ == "__main__":
    # Workers import what they run by the module's name, and here that is `__main__`.
    from patience import cluster

    sys.exit(cluster.main())
