"""What Ray costs at chunks of a second: the same experiment on two threads and on a local cluster of
two processors, in turn.

    python benches/python/overhead.py [units]

Processor seconds of this process and of all that it started (driver, workers, Ray's daemons), and the
wall clock. What daemons use while nothing runs is measured apart: on a machine that is busy with
other things a run takes longer, and they cost more of it.
"""

import os
import sys
import tempfile
import time

import ray

import patience
import patience.cluster

SPEC = """\
name = "overhead"
seed = 5
units = 100
task = { kind = "play", opponent = "random" }

[[arm]]
name = "UCT"
game = "connect-four"
planner = "uct(iterations=20000)"
"""
TICKS = os.sysconf("SC_CLK_TCK")


def family():
    """Processor seconds of all processes below this one, those that ended included."""
    parents, times = {}, {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/stat") as stat:
                fields = stat.read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(pid)] = int(fields[1])
        times[int(pid)] = sum(map(int, fields[11:15])) / TICKS

    def below(pid):
        while pid in parents:
            if pid == os.getpid():
                return True
            pid = parents[pid]
        return False

    return sum(t for pid, t in times.items() if below(pid))


def measure(act):
    cpu, wall = family(), time.monotonic()
    act()
    return family() - cpu, time.monotonic() - wall


units = int(sys.argv[1]) if len(sys.argv) > 1 else 300
folder = tempfile.mkdtemp()
spec = os.path.join(folder, "overhead.toml")
with open(spec, "w") as file:
    file.write(SPEC)
ray.init(address="local", num_cpus=2, include_dashboard=False, log_to_driver=False)
patience.cluster.run(spec, units=8, store=os.path.join(folder, "warm.db"))
idle = measure(lambda: time.sleep(10))[0] / 10
for i in range(2):
    one = patience.Experiment(spec, units=units, store=os.path.join(folder, f"one{i}.db"))
    alone, wall_alone = measure(lambda: one.run(threads=2))
    alone -= idle * wall_alone  # The daemons are there then too.
    store = os.path.join(folder, f"ray{i}.db")
    spread, wall = measure(lambda: patience.cluster.run(spec, units=units, store=store))
    own = spread - idle * wall
    print(f"two threads {alone:.2f} processor s in {wall_alone:.1f} s; Ray {own:.2f} s in {wall:.1f} s")
    print(f"  and its daemons {idle:.3f} s a second: {(own / alone - 1):+.1%} of the work, and")
    print(f"  {(own + idle * alone / 2) / alone - 1:+.1%} with the daemons, were both processors free")
