#!/usr/bin/env python3
"""Pick places where lifelint says that no run goes wrong, to be read against the source.

    pick_refuted.py --count 60 --seed 5 NAME@COMMIT=REPORT...

A report is what `lifelint lint . --show-refuted --reporter json --output REPORT` writes.  Prints one JSON object a line: the
app, a place (path and line) with findings of status `refuted`, their rules and an empty verdict.  The apps take turns until
there are enough places.  The same reports and seed give the same lines.  `refuted.jsonl` holds what readers said: `right`
when no run breaks one of the rules there, or only as RULES.md leaves silent or a note; `wrong` when one does; `remark` says why.
"""
import argparse, json, os, random, sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--count", type=int, default=60)
parser.add_argument("--seed", type=int, default=5)
parser.add_argument("reports", nargs="+", metavar="NAME@COMMIT=REPORT")
options = parser.parse_args()

waiting = {}
for given in options.reports:
    app, _, report = given.partition("=")
    if not os.path.isfile(report):
        sys.exit(f"pick_refuted.py: '{report}' is no file; give NAME@COMMIT=REPORT")
    places = {}
    with open(report, encoding="utf-8") as file:
        for f in json.load(file)["findings"]:
            if f["status"] == "refuted":
                places.setdefault((f["path"], f["line"]), set()).add(f["rule"])
    order = sorted(places.items())
    random.Random(f"{options.seed} {app.partition('@')[0]}").shuffle(order)
    waiting[app] = order

chosen = []
while len(chosen) < options.count and any(waiting.values()):
    for app in sorted(waiting):
        if waiting[app] and len(chosen) < options.count:
            chosen.append((app, *waiting[app].pop()))
for app, (path, line), rules in sorted(chosen, key=lambda place: place[:2]):
    print(json.dumps({"app": app, "path": path, "line": line, "rules": sorted(rules), "verdict": "", "remark": ""}, ensure_ascii=False))
