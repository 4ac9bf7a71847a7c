#!/usr/bin/env python3
"""Pick messages of Objective-C projects at random, to be read against `lifelint dump facts`.

    pick_sends.py --count 200 --seed 4 NAME=FOLDER...

Prints one JSON object a line: the project, where the message begins, its selector and line, and an empty verdict.  About as
many messages are taken from each project; folders of other people's code are left out.  The same folders and seed give the
same lines.  `sends.jsonl` holds what readers said.

The messages are found without a parser, so that nothing is taken from what is judged: brackets that hold a receiver and a
selector.  Comments, strings, literals, subscripts, attributes, captures of lambdas, lines of the preprocessor and `#if 0` hold none.
"""
import argparse, json, os, random, re, sys

THIRD_PARTY = {"Pods", "Carthage", ".build", "SourcePackages", "node_modules", "vendor", "Vendor", "ThirdParty", "Third Party"}
TOKEN = re.compile(
    r"""(?P<space>[ \t\v\f\r\n\\]+)|(?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))|(?P<string>R"(?P<mark>[^()\\\s]*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)"""
    r"""|(?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)|(?P<number>\.?\d[\w.]*)|(?P<sign>->|::|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/|^%&]=|.)""", re.S | re.A)
DIRECTIVE = re.compile(r"[ \t]*#(?:\\\r?\n|/\*.*?\*/|//[^\n]*|[^\n])*", re.S)
BEFORE_VALUES = {"return", "else", "in", "do", "case", "throw", "co_return", "co_await"}
PAIRS = {"[": "]", "(": ")", "{": "}"}


def tokens(text):
    """(kind, text, offset) of what the compiler sees, without directives and what `#if 0` hides."""
    found, position, dead, is_line_start = [], 0, [], True
    while position < len(text):
        if is_line_start and (directive := DIRECTIVE.match(text, position)):
            words = re.sub(r"/\*.*?\*/|//.*", " ", directive.group().strip()[1:], flags=re.S).split(None, 1) or [""]
            condition = words[1].strip("() \t\r\n") if len(words) > 1 else ""
            if words[0] in ("if", "ifdef", "ifndef"):
                dead.append(words[0] == "if" and condition in ("0", "false", "NO"))
            elif words[0] in ("else", "elif") and dead:
                dead[-1] = False
            elif words[0] == "endif" and dead:
                dead.pop()
            position = directive.end()
            continue
        match = TOKEN.match(text, position)
        kind = match.lastgroup if match.lastgroup != "mark" else "string"
        if kind in ("space", "comment"):
            is_line_start = is_line_start or "\n" in match.group() and kind == "space"
        else:
            is_line_start = False
            if not any(dead):
                found.append((kind, match.group(), position))
        position = match.end()
    return found


def partners(list):
    """The index of the closing bracket for each opening one."""
    closing, open = {}, []
    for index, (kind, text, _) in enumerate(list):
        if kind != "sign":
            continue
        if text in PAIRS:
            open.append(index)
        elif text in PAIRS.values():
            while open and PAIRS[list[open[-1]][1]] != text:
                open.pop()
            if open:
                closing[open.pop()] = index
    return closing


def selector(list, closing, start):
    """The selector of the message whose bracket has this index; None where it is none."""
    def sign(index, *texts):
        return list[index][0] == "sign" and list[index][1] in texts
    end = closing.get(start)
    if end is None or end < start + 3:
        return None
    if start:
        kind, text, _ = list[start - 1]
        if kind in ("string", "number") or kind == "word" and text not in BEFORE_VALUES or kind == "sign" and text in ("]", "@"):
            return None
    index = start + 1
    while index < end:
        after = closing.get(index, end) + 1
        if sign(index, "(") and after < end and not (list[after][0] == "word" and (sign(after + 1, ":") or after + 1 == end)):
            index = after
        elif sign(index, "*", "&", "@", "^", "!", "-", "~"):
            index += 1
        else:
            break
    if index >= end or list[index][0] == "sign" and list[index][1] not in PAIRS or list[index][0] == "number" and list[index - 1][1] != "@":
        return None
    index = closing.get(index, index) + 1
    while index < end:
        if sign(index, ".", "->", "::"):
            index += 2
        elif sign(index, "[", "(", "{"):
            index = closing.get(index, end) + 1
        elif sign(index, "<") and list[index - 1][0] == "word":
            while index < end and not sign(index, ">"):
                index += 1
            index += 1
        else:
            break
    if index >= end or not (list[index][0] == "word" or sign(index, ":")):
        return None
    if index + 1 == end:
        return list[index][1]
    if not sign(index, ":") and not sign(index + 1, ":"):
        return None
    parts, questions = [], 0
    while index < end:
        if sign(index, "?"):
            questions += 1
        elif sign(index, ":"):
            if questions:
                questions -= 1
            else:
                parts.append((list[index - 1][1] if list[index - 1][0] == "word" and (not parts or not sign(index - 2, ":")) else "") + ":")
        index = closing.get(index, index) + 1
    return "".join(parts)


def sends(path):
    with open(path, "rb") as file:
        # One character a byte, so that columns count bytes as those of the compiler do.
        text = file.read().decode("latin-1")
    lines = [0] + [match.end() for match in re.finditer(r"\r\n|\n|\r", text)]
    list = tokens(text)
    closing = partners(list)
    number = 0
    for start in (index for index, token in enumerate(list) if token[0] == "sign" and token[1] == "["):
        name = selector(list, closing, start)
        if name is None:
            continue
        offset = list[start][2]
        while number + 1 < len(lines) and lines[number + 1] <= offset:
            number += 1
        source = text[lines[number]:lines[number + 1] if number + 1 < len(lines) else len(text)]
        yield number + 1, offset - lines[number] + 1, name, source.encode("latin-1").decode("utf-8", "replace").strip()[:100]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--all", action="store_true", help="print every message instead of some")
    parser.add_argument("projects", nargs="+", metavar="NAME=FOLDER")
    options = parser.parse_args()
    for number, project in enumerate(options.projects):
        name, _, folder = project.partition("=")
        if not os.path.isdir(folder):
            sys.exit(f"pick_sends.py: '{folder}' is no folder; give NAME=FOLDER")
        found = []
        for place, folders, files in os.walk(folder):
            folders[:] = sorted(f for f in folders if f not in THIRD_PARTY and not f.startswith("."))
            for file in sorted(files):
                path = os.path.join(place, file)
                if file.endswith((".m", ".mm")) and not os.path.islink(path):
                    found += [(os.path.relpath(path, folder), *send) for send in sends(path)]
        found.sort()
        share = options.count // len(options.projects) + (number < options.count % len(options.projects))
        chosen = found if options.all else random.Random(f"{options.seed} {name.partition('@')[0]}").sample(found, min(share, len(found)))
        for path, line, column, selector, source in sorted(chosen):
            print(json.dumps({
                "project": name, "path": path, "line": line, "column": column, "source": source, "selector": selector,
                "verdict": "", "remark": ""}, ensure_ascii=False))


if __name__ == "__main__":
    main()
