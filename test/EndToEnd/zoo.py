#!/usr/bin/env python3
"""Verifies every case folder of a folder, and prints a table of the results.

    zoo.py ADZE CASES [--backend eager,inductor] [--made N] [--only NAME,...] [-j N]

Cases whose case.json says "training": true or "refused": true are left out.
--made N: N rounds of made inputs too, native code against the interpreter:
sizes as traced, smallest, largest, then random ones. Exits with 1 if any case
does not agree. A CASES that does not exist is no failure: the zoo is beside
some clones only.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import time

VERDICTS = {0: "agrees", 1: "refused", 3: "DIFFERS", 4: "FAILS", 5: "no file", 70: "BUG"}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("adze")
    parser.add_argument("cases", type=pathlib.Path)
    parser.add_argument("--backend", default="eager,inductor")
    parser.add_argument("--made", type=int, default=0, metavar="N")
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("-j", type=int, default=2)
    return parser.parse_args()


def info(folder):
    return json.loads((folder / "case.json").read_text())


def inference_cases(root, only):
    folders = sorted(p.parent for p in root.glob("*/case.json"))
    wanted = set(filter(None, only.split(",")))
    is_meant = lambda case: not case.get("training") and not case.get("refused")
    return [f for f in folders if is_meant(info(f)) and (not wanted or f.name in wanted)]


def verify(command, timeout):
    """(verdict, seconds, first lines of the message) of one run."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        verdict = VERDICTS.get(done.returncode, f"exit {done.returncode}")
        message = done.stderr.strip()
    except subprocess.TimeoutExpired:
        verdict, message = "TIMEOUT", ""
    return verdict, time.monotonic() - start, message


def runs_of(folder, args):
    """Column -> command."""
    runs = {backend: [args.adze, "verify", str(folder), f"--backend={backend}"]
            for backend in args.backend.split(",")}
    # Nothing says of random numbers that two ways to make them agree.
    if args.made and info(folder).get("compare") != "statistics":
        runs["made"] = [args.adze, "verify", str(folder / "model.pt2"), f"--rounds={args.made}"]
    return runs


def check(folder, args):
    return {column: verify(command, args.timeout) for column, command in runs_of(folder, args).items()}


def print_case(name, results, columns):
    cells = []
    for column in columns:
        verdict, seconds, _ = results.get(column, ("-", 0, ""))
        cells.append(f"{verdict:>8} {seconds:6.1f} s")
    print(f"{name:24}" + "".join(f"{c:>20}" for c in cells), flush=True)
    for column, (verdict, _, message) in results.items():
        if verdict != "agrees":
            for line in message.splitlines()[:4]:
                print(f"    {column}: {line[:200]}")


def main():
    args = arguments()
    if not args.cases.is_dir():
        print(f"no cases: {args.cases} does not exist")
        return 0
    folders = inference_cases(args.cases, args.only)
    if not folders:
        sys.exit(f"error: no case in {args.cases}")
    columns = args.backend.split(",") + (["made"] if args.made else [])
    print(f"{'case':24}" + "".join(f"{c:>20}" for c in columns))
    counts = {}
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        for folder, results in zip(folders, pool.map(lambda f: check(f, args), folders)):
            print_case(folder.name, results, columns)
            for verdict, _, _ in results.values():
                counts[verdict] = counts.get(verdict, 0) + 1
    print(f"{len(folders)} cases: " + ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items())))
    return 0 if set(counts) == {"agrees"} else 1


if __name__ == "__main__":
    sys.exit(main())
