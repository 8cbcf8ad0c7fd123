#!/usr/bin/env python3
"""Compares programs (--emit=exe) with artifacts: the same files, byte by byte.

    programs.py ADZE CASES FOLDER [CASE...]

For each case both are compiled into FOLDER and run with the case's inputs. The
program must write what `adze run` writes: outputs, what the call wrote, and the
state; from an npz and, where every input that is no constant is an array there,
from .npy files.
"""
import pathlib
import subprocess
import sys

import numpy as np


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"error: {' '.join(map(str, command))} exits with {done.returncode}:\n{done.stderr}")
    return done.stdout


def check_equal(case, name, found, wanted):
    if found.read_bytes() != wanted.read_bytes():
        sys.exit(f"error: {case}: the two files {name} differ")


def check_inputs(case, inputs, program, artifact, folder):
    names = ["out.npz", "mutated.npz", "state"]
    flags = [["-o", folder / f"{who}-{names[0]}", "--mutated", folder / f"{who}-{names[1]}",
              "--save-state", folder / f"{who}-{names[2]}", "--seed", "7", "--inputs", inputs]
             for who in ("program", "artifact")]
    run(program, *flags[0])
    run(*artifact, *flags[1])
    for name in names:
        check_equal(case, name, folder / f"program-{name}", folder / f"artifact-{name}")


def check_arrays(case, inputs, program, folder):
    """The same from .npy files; constants need none."""
    constants = {line.split()[0] for line in run(program, "--help").splitlines() if line.endswith(", constant")}
    files = []
    for i, (name, array) in enumerate(np.load(inputs).items()):
        if name not in constants:
            files.append(folder / f"{i}.npy")
            np.save(files[-1], array)
    run(program, *files, "-o", folder / "part", "--seed", "7")
    for name, wanted in np.load(folder / "program-out.npz").items():
        found = np.load(folder / f"part{name.removeprefix('out_')}.npy")
        if found.dtype != wanted.dtype or found.tobytes() != wanted.tobytes():
            sys.exit(f"error: {case}: {name} from .npy files differs")


def check(adze, case, folder):
    folder = folder.resolve() / case.name
    folder.mkdir()
    program, artifact = folder / "model", folder / "model.adze"
    run(adze, "compile", case / "model.pt2", "--emit=exe", "-o", program)
    run(adze, "compile", case / "model.pt2", "-o", artifact)
    inputs = case / "inputs.npz"
    check_inputs(case.name, inputs, program, [adze, "run", artifact], folder)
    check_arrays(case.name, inputs, program, folder)
    count = len(np.load(folder / "program-out.npz").files)
    print(f"{case.name}: {count} outputs agree, {program.stat().st_size} bytes", flush=True)


def main():
    adze, cases, folder, *names = sys.argv[1:]
    for name in names:
        check(adze, pathlib.Path(cases, name), pathlib.Path(folder))


if __name__ == "__main__":
    main()
