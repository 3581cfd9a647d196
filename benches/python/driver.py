"""Where the driver or the store becomes the limit: measured rates, simulated arrivals.

    python benches/python/driver.py

First it measures what the driver does with a chunk: taking results into the store (a transaction
each, on this disk) and handing out the next. Then chunks are let arrive as from 10, 100 and 1,000
nodes, of 1, 10 and 60 seconds of work each, at random; the driver takes all that is there in one
transaction, as `patience.cluster` does, and every processor has one more chunk in hand.
"""

import heapq
import random
import tempfile
import time

from patience import _native

SPEC = """\
name = "rates"
seed = 1
units = 400000
task = { kind = "play" }

[[arm]]
name = "random"
game = "tiger(horizon=1)"
planner = "random"
"""
PROCESSORS = 16  # Of a node.
RAY = 0.62e-3  # Seconds of the driver per task, pipelined, as measured with Ray alone.


def rates():
    """Seconds per transaction, by the clock, and per row in it, by the processor; of each the least
    of several, because machines are busy."""
    given = ("rates.toml", SPEC, False, None)
    crew = _native.Crew(*given)
    ledger = _native.Ledger(*given, tempfile.mkdtemp() + "/S.db")
    place, clock, processor = 0, {}, {}
    for rows in (1, 100, 10000):
        for _ in range(12):
            result = crew.run([(place, place + rows)])
            place += rows
            begin = time.monotonic(), time.process_time()
            ledger.take(result)
            took = time.monotonic() - begin[0], time.process_time() - begin[1]
            clock[rows] = min(took[0], clock.get(rows, took[0]))
            processor[rows] = min(took[1], processor.get(rows, took[1]))
        print(f"  {rows:6} rows: {1e3 * clock[rows]:7.2f} ms, {1e3 * processor[rows]:7.2f} of them computing")
    per_row = (processor[10000] - processor[100]) / 9900
    return clock[1], per_row


def simulate(nodes, chunk, rows, commit, per_row):
    """How busy the driver is, how long results wait for it, and how busy the workers are."""
    rng = random.Random(1)
    workers, seconds = nodes * PROCESSORS, 20 * chunk
    # Each worker works on one chunk and has another in hand.
    in_hand, idle = [1] * workers, [False] * workers
    finishing = [(rng.uniform(0.0, chunk), worker) for worker in range(workers)]
    heapq.heapify(finishing)
    now = busy = worked = 0.0
    waits = []

    def begin(worker, at):
        nonlocal worked
        length = chunk * rng.uniform(0.8, 1.2)
        worked += length
        heapq.heappush(finishing, (at + length, worker))

    while now < seconds:
        if not finishing or finishing[0][0] > now:
            now = finishing[0][0]
        batch = []
        while finishing and finishing[0][0] <= now:
            came, worker = heapq.heappop(finishing)
            batch.append((came, worker))
            if in_hand[worker]:
                in_hand[worker] -= 1
                begin(worker, came)
            else:
                idle[worker] = True
        cost = commit + len(batch) * (rows * per_row + RAY)
        waits += [now - came for came, _ in batch]
        now += cost
        busy += cost
        for _, worker in batch:
            if idle[worker]:
                idle[worker] = False
                begin(worker, now)
            else:
                in_hand[worker] += 1
    waits.sort()
    return busy / now, waits[int(0.99 * len(waits))], worked / now / workers


print("what the store takes:")
commit, per_row = rates()
print(f"a transaction costs {1e3 * commit:.1f} ms and {1e6 * per_row:.1f} us a row")
print("nodes | chunks of | units/s of a processor | driver busy | results wait (99%) | workers busy")
for nodes in (10, 100, 1000):
    for chunk in (1, 10, 60):
        for rate in (1, 100, 10000):
            rows = min(rate * chunk, 200_000)  # No chunk has more.
            load, wait, work = simulate(nodes, rows / rate, rows, commit, per_row)
            print(
                f"{nodes:5} | {rows / rate:7.0f} s | {rate:22} | {load:11.0%} | "
                f"{wait:16.2f} s | {min(work, 1):12.0%}"
            )
