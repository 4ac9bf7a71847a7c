#!/usr/bin/env python3
"""Pick findings of the simulated rules in whole apps, to be read against the source.

    pick.py --lifelint BIN --count 20 --seed 2026 NAME@COMMIT=FOLDER...

Prints one JSON object a line: the app, the finding and an empty verdict; errors and warnings first, notes where there are
not enough of them.  The same binary, folder and seed give the
same lines.  `verdicts.jsonl` holds what readers said: `right` when the run is possible and the finding says what
happens in it, `wrong` when not; `why` in a sentence.
"""
import argparse, json, os, random, subprocess, sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--lifelint", required=True)
parser.add_argument("--count", type=int, default=20)
parser.add_argument("--seed", type=int, default=2026)
parser.add_argument("apps", nargs="+", metavar="NAME@COMMIT=FOLDER")
options = parser.parse_args()

for app in options.apps:
    name, _, folder = app.partition("=")
    if not os.path.isdir(folder):
        sys.exit(f"pick.py: '{folder}' is no folder; give NAME@COMMIT=FOLDER")
    run = subprocess.run([os.path.abspath(options.lifelint), ".", "--reporter", "json", "--quiet"], capture_output=True, cwd=folder)
    if run.returncode not in (0, 2):
        sys.exit(f"pick.py: lifelint failed on '{folder}': {run.stderr.decode(errors='replace')}")
    found = [f for f in json.loads(run.stdout)["findings"] if f["status"] != "static"]
    found.sort(key=lambda f: (f["path"], f["line"], f["column"], f["rule"]))
    chance = random.Random(f"{options.seed} {name.partition('@')[0]}")
    loud = [f for f in found if f["severity"] != "note"]
    quiet = [f for f in found if f["severity"] == "note"]
    chosen = chance.sample(loud, min(options.count, len(loud)))
    chosen += chance.sample(quiet, min(options.count - len(chosen), len(quiet)))
    for f in sorted(chosen, key=lambda f: (f["path"], f["line"], f["rule"])):
        line = {key: f[key] for key in ("rule", "severity", "status", "path", "line", "type", "member", "message")}
        print(json.dumps({"app": name, **line, "verdict": "", "why": ""}, ensure_ascii=False))
