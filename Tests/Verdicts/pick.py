#!/usr/bin/env python3
"""Pick findings in whole apps, to be read against the source.

    pick.py --lifelint BIN --count 20 --seed 2026 [--also-static] NAME@COMMIT=FOLDER...
    pick.py --lifelint BIN --of-each-rule 2 [--only-rule ID,ID] NAME@COMMIT=FOLDER...

The first form takes so many findings of the simulated rules from each app (`--also-static`: of all rules), errors and warnings
first, notes where there are not enough of them; the second so many of each rule and language from all apps together.  Prints one
JSON object a line: the app, the finding and an empty verdict.  The same binary, folders and seed give the same lines.
`verdicts.jsonl`, `apps.jsonl` and `catalogue.jsonl` hold what readers said of them: `right` when the run is possible and the
finding says what happens in it, `wrong` when not; `why` in a sentence.
"""
import argparse, collections, json, os, random, subprocess, sys

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--lifelint", required=True)
parser.add_argument("--count", type=int, default=20)
parser.add_argument("--also-static", action="store_true")
parser.add_argument("--of-each-rule", type=int)
parser.add_argument("--only-rule")
parser.add_argument("--seed", type=int, default=2026)
parser.add_argument("apps", nargs="+", metavar="NAME@COMMIT=FOLDER")
options = parser.parse_args()


def place(finding):
    return finding["path"], finding["line"], finding["column"], finding["rule"]


def findings(folder):
    """All findings in a folder, in order of their places."""
    if not os.path.isdir(folder):
        sys.exit(f"pick.py: '{folder}' is no folder; give NAME@COMMIT=FOLDER")
    command = [os.path.abspath(options.lifelint), ".", "--reporter", "json", "--quiet"] + (["--only-rule", options.only_rule] if options.only_rule else [])
    run = subprocess.run(command, capture_output=True, cwd=folder)
    if run.returncode not in (0, 2):
        sys.exit(f"pick.py: lifelint failed on '{folder}': {run.stderr.decode(errors='replace')}")
    return sorted(json.loads(run.stdout)["findings"], key=place)


def show(app, finding):
    line = {key: finding[key] for key in ("rule", "severity", "status", "path", "line", "type", "member", "message")}
    print(json.dumps({"app": app, **line, "verdict": "", "why": ""}, ensure_ascii=False), flush=True)


def language(path):
    return "swift" if path.endswith(".swift") else "objective-c" if path.endswith((".m", ".mm", ".h")) else "other"


def louder(found, count, chance):
    """So many of the findings, notes only where there are too few others."""
    loud = [f for f in found if f[1]["severity"] != "note"]
    quiet = [f for f in found if f[1]["severity"] == "note"]
    chosen = chance.sample(loud, min(count, len(loud)))
    return chosen + chance.sample(quiet, min(count - len(chosen), len(quiet)))


kinds = collections.defaultdict(list)
for app in options.apps:
    name, _, folder = app.partition("=")
    found = [(name, f) for f in findings(folder)]
    if options.of_each_rule:
        for one in found:
            kinds[one[1]["rule"], language(one[1]["path"])].append(one)
    else:
        chance = random.Random(f"{options.seed} {name.partition('@')[0]}")
        chosen = louder([one for one in found if options.also_static or one[1]["status"] != "static"], options.count, chance)
        for name, finding in sorted(chosen, key=lambda one: (one[1]["path"], one[1]["line"], one[1]["rule"])):
            show(name, finding)
for kind in sorted(kinds):
    chance = random.Random(f"{options.seed} {kind[0]} {kind[1]}")
    for name, finding in louder(kinds[kind], options.of_each_rule, chance):
        show(name, finding)
