#!/usr/bin/env python3
"""Makes the page of the ladder from its reports.

    patience experiment run experiments/ladder.toml --store ladder.db
    patience experiment report --store ladder.db --json > ladder.json
    python3 benches/ladder/page.py ladder.json > docs/ladder.md

Of several reports a later one has the arms that an earlier one has too.
"""

import json
import re
import sys

BASE = "selection=ucb1"
# How much of it there is follows from the range of the problem, so it is left out of the name.
SCALED = re.compile(r", (temperature|learning|low|high)=[-0-9.]+|urgency=[-0-9.]+")


def label(what):
    return SCALED.sub(lambda m: "urgency" if m[0].startswith("urgency") else "", what)


def cell(column, base):
    value, interval = column["value"], column["at95"]
    half = (interval["high"] - interval["low"]) / 2
    digits = 3 if half < 0.095 else 2 if half < 0.95 else 1
    text = f"{value:.{digits}f} ± {half:.{digits}f}"
    if base is None:
        return text
    if interval["high"] < base["at95"]["low"]:
        return f"**{text}**"
    if interval["low"] > base["at95"]["high"]:
        return f"*{text}*"
    return text


def table(series, at):
    """Ingredients by problem at a budget."""
    problems = [name for name, arms in series.items() if any(at in arms[what] for what in arms)]
    rows = []
    for arms in series.values():
        rows += [what for what in arms if what not in rows]
    names = {}
    for what in rows:
        names.setdefault(label(what), []).append(what)
    # Those on all problems first, in the order of the spec.
    order = sorted(names, key=lambda name: name != BASE)
    lines = ["| `uct` with | " + " | ".join(problems) + " |", "|---|" + "---|" * len(problems)]
    for name in order:
        cells = []
        for problem in problems:
            arms = series[problem]
            columns = [arms[what][at] for what in names[name] if at in arms.get(what, {})]
            base = None if name == BASE else arms[BASE].get(at)
            cells.append(cell(columns[0], base) if columns else "–")
        if any(text != "–" for text in cells):
            lines.append(f"| `{name}` | " + " | ".join(cells) + " |")
    return lines


def main(paths):
    series, claims, spec = {}, {}, None
    for path in paths:
        with open(path) as file:
            report = json.load(file)
        for experiment in report["experiments"]:
            if spec is None:
                spec = experiment
                claims = experiment["claims"]
            for arm in experiment["arms"]:
                what = arm["name"].rsplit(" | ", 1)[0]
                columns = {int(c["x"]): c for c in arm["columns"] if c["value"] is not None}
                series.setdefault(arm["series"], {})[what] = columns
    units = min(arm["units"] for arm in spec["arms"])
    budgets = sorted({at for arms in series.values() for what in arms for at in arms[what]})
    out = [
        "# The ladder",
        "",
        "<!-- Made by benches/ladder/page.py: change that, or the spec. -->",
        "",
        "Ingredients of `uct` on problems whose exact values are known: simple regret, by how much the",
        "recommended action is worth less than the best one, with 95% intervals. "
        f"{units:,} positions a problem,",
        f"the same for all ingredients; seed {spec['seed']}. Where a parameter is in units of reward, the",
        "[spec](../experiments/ladder.toml) sets it by the range of the problem and nothing is tuned. **Bold** is",
        "below plain UCT (`selection=ucb1`) with intervals that do not meet, *slanted* above; – was not run.",
        "",
        "```sh",
        "patience experiment run ladder --store ladder.db",
        "patience experiment report --store ladder.db --json > ladder.json",
        "python3 benches/ladder/page.py ladder.json",
        "```",
        "",
        "## What was claimed before the run",
        "",
        "| claim | difference, 95% interval | verdict |",
        "|---|---|---|",
    ]
    for claim in claims:
        for check in claim["checks"]:
            interval = check["at95"]
            low, high = (f"{interval[end]:.3f}" for end in ("low", "high"))
            value = f"{check['value']:.3f} [{low}, {high}]"
            wanted = [f"{key} {check[key]:g}" for key in ("above", "below") if check[key] is not None]
            out.append(f"| {claim['text']} | {value}, claimed {', '.join(wanted)} | {claim['verdict']} |")
    for at in sorted(budgets, key=lambda at: (at != 512, at)):
        out += ["", f"## After {at:,} episodes", ""] + table(series, at)
    out += ["", "## What was run, and what was not", "", spec["notes"].strip()]
    print("\n".join(out))


if __name__ == "__main__":
    main(sys.argv[1:])
