#!/usr/bin/env python3
"""Print the table of rules: seeds, examples that are run as tests, and findings in real code that readers held for right.

    table.py --lifelint BIN

The rules come from the binary (`rules --format json`), the findings from the `right` lines of `verdicts.jsonl`,
`catalogue.jsonl` and `unseen.jsonl`.
"""
import argparse, collections, json, os, pathlib, subprocess

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--lifelint", required=True)
options = parser.parse_args()

run = subprocess.run([os.path.abspath(options.lifelint), "rules", "--format", "json"], capture_output=True, check=True)
rules = json.loads(run.stdout)
seen = collections.Counter()
for name in ("verdicts.jsonl", "catalogue.jsonl", "unseen.jsonl"):
    for line in pathlib.Path(__file__).with_name(name).read_text().splitlines():
        finding = json.loads(line)
        if finding["verdict"] == "right":
            seen[finding["rule"], "swift" if finding["path"].endswith(".swift") else "objective-c"] += 1

def examples(rule, language):
    verdicts = collections.Counter(e["verdict"] for e in rule["examples"] if e["language"] == language)
    return f"{verdicts['bad']} + {verdicts['good']}" if verdicts else ""

print("| Rule | Seeds | Swift examples | Objective-C examples | Seen in Swift | Seen in Objective-C |")
print("|---|---|---|---|---|---|")
for rule in rules:
    cells = [rule["id"], " ".join(rule["sources"]), examples(rule, "swift"), examples(rule, "objective-c"),
             str(seen[rule["id"], "swift"] or ""), str(seen[rule["id"], "objective-c"] or "")]
    print("| " + " | ".join(cells) + " |")
missing = [f"{rule['id']} ({language})" for rule in rules for language in ("swift", "objective-c") if not seen[rule["id"], language]]
print(f"\n{len(rules)} rules; no finding in real code has been read yet for {len(missing)} of {2 * len(rules)} pairs of rule and language.")
