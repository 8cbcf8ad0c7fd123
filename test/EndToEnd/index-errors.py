"""index-errors.py ADZE CASES: indices that torch refuses are errors of the call, at the operator and its line.

Indices out of range, negative ones, and divisors of zero, for native code and
the interpreter: exit 4. The error names the index as it was given. Operators
that count from the end must accept -1.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np

ADZE, CASES = sys.argv[1], pathlib.Path(sys.argv[2])
# In the order of INDEXING in make_models.py: operator, first index too large,
# and whether negative indices count from the end.
INDEXING = [
    ("embedding", 4, False), ("embedding_bag", 4, False), ("index_select", 4, False), ("gather", 4, False),
    ("scatter", 4, False), ("scatter", 4, False), ("scatter_add", 4, False), ("scatter_reduce", 4, False),
    ("index_add", 4, False), ("index_copy", 4, False), ("index_reduce", 4, False), ("nll_loss_nd", 3, False),
    ("cross_entropy_loss", 3, False), ("one_hot", 4, False), ("index_fill", 4, True), ("index", 4, True),
    ("index_put", 4, True), ("index_put", 4, True), ("take", 12, True), ("put", 12, True),
    ("take_along_dim", 12, False)]
DIVISION = ["floor_divide", "div", "remainder", "fmod", "div_", "floor_divide", "remainder"]
failures = []


def run(command, what, expected, op, index):
    done = subprocess.run(command, capture_output=True, text=True)
    named = "" if index is None else rf"index {index} is out of range for size \d+\b.*"
    message = rf"make_models\.py:\d+:.*aten\.({op})\b.*{named}\[ADZE3002\]"
    if done.returncode != expected or (expected == 4 and not re.search(message, done.stderr)):
        failures.append(f"{what}: expected exit {expected}, found {done.returncode}: {done.stderr.strip()[:300]}")


def attempt(case, inputs, what, expected, op, index=None):
    np.savez(case / "inputs.npz", **inputs)
    run([ADZE, "run", f"{case}.adze", "--inputs", case / "inputs.npz", "-o", "out.npz"], f"native {what}", expected, op, index)
    if expected == 4:
        run([ADZE, "verify", case, "--backend=eager"], f"eager {what}", expected, op, index)
    else:  # native code against the interpreter: the stored answers do not hold
        run([ADZE, "verify", case / "model.pt2", "--inputs", case / "inputs.npz"], f"both {what}", 0, op, index)


def prepare(name):
    case = pathlib.Path(name)
    shutil.copytree(CASES / name, case)
    subprocess.run([ADZE, "compile", case / "model.pt2", "-o", f"{name}.adze"], check=True)
    return case, dict(np.load(case / "inputs.npz"))


case, inputs = prepare("index_errors")
for k, (op, size, wraps) in enumerate(INDEXING):
    key = f"in_{k + 2}"
    for value, fails in ((size, True), (2**40, True), (-1, not wraps), (-size - 1, True)):
        changed = {**inputs, key: np.array([0, value])}
        named = None if op == "one_hot" else value  # whose classes are checked all at once
        attempt(case, changed, f"{op} [{k}] with {value}", 4 if fails else 0, op, named)

case, inputs = prepare("division_errors")
for k, op in enumerate(DIVISION):
    divisor = inputs["in_1"].copy()
    divisor[k, 1] = 0
    attempt(case, {**inputs, "in_1": divisor}, f"{op} [{k}] by zero", 4, op)

print(*failures, sep="\n")
print(f"{len(failures)} of {8 * len(INDEXING) + 2 * len(DIVISION)} attempts went wrong")
sys.exit(bool(failures))
