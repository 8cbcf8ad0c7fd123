#!/usr/bin/env python3
"""Lists files over 600 lines and functions over 80 lines: information, not a check.

    size-report.py [--files N] [--functions N] [FOLDER...]

Functions are found by their braces: a body that starts at the end of a line
with no open brace but those of namespaces and classes.
"""
import argparse
import pathlib
import re
import subprocess

SCOPE = re.compile(r"^\s*(inline )?(namespace|class|struct|union|enum|extern)\b")
QUOTED = re.compile(r'"(\\.|[^"\\])*"|\'(\\.|[^\'\\])*\'|//.*')
GENERATED = (".inc",)


def sources(folders):
    listed = subprocess.run(["git", "ls-files", "--", *folders], capture_output=True, text=True, check=True)
    suffixes = (".cpp", ".h", ".td", ".py", ".sh", ".c")
    return [pathlib.Path(p) for p in listed.stdout.split("\n")
            if p.endswith(suffixes) and not p.endswith(GENERATED)]


def functions(lines):
    """Yields (first line, name, number of lines) of each function body."""
    scopes, start = [], None  # True: a namespace or class; False: a body
    head = ""
    for number, line in enumerate(lines, 1):
        code = QUOTED.sub("", line)
        for character in code:
            if character == "{":
                isScope = bool(SCOPE.match(head.strip() or code))
                if start is None and not isScope and all(scopes):
                    start = (number, (head + code).strip(), len(scopes))
                scopes.append(isScope)
            elif character == "}" and scopes:
                scopes.pop()
                if start and len(scopes) == start[2]:
                    yield start[0], start[1], number - start[0] + 1
                    start = None
        stripped = code.strip()
        head = "" if not stripped or stripped[-1] in ";{}:" or stripped[0] == "#" else head + " " + stripped


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=["."])
    parser.add_argument("--files", type=int, default=600)
    parser.add_argument("--functions", type=int, default=80)
    args = parser.parse_args()
    total = count = 0
    for path in sources(args.folders):
        lines = path.read_text(errors="replace").splitlines()
        total, count = total + len(lines), count + 1
        if len(lines) > args.files:
            print(f"{path}: {len(lines)} lines")
        if path.suffix in (".cpp", ".h", ".c"):
            for first, head, size in functions(lines):
                if size > args.functions:
                    print(f"{path}:{first}: {size} lines: {head[:60]}")
    print(f"sizes: {count} files, {total} lines")


if __name__ == "__main__":
    main()
