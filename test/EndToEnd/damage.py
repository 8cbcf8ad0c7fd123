#!/usr/bin/env python3
"""Makes broken copies of a program, and checks how adze refuses each.

    damage.py ADZE MODEL.pt2 FOLDER

Each must give one error, exit with 1 or 5, within 10 s and 1 GiB, and leave
nothing behind.
"""
import io
import json
import os
import pathlib
import pickle
import resource
import subprocess
import sys
import zipfile

KINDS = {}


def kind(make):
    """Registers make(bytes of a good archive) -> bytes of a broken one."""
    KINDS[make.__name__] = make
    return make


def rewrite(data, change):
    """change(name, bytes) -> bytes, or None to leave the record out."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w") as target:
        for name in source.namelist():
            content = change(name, source.read(name))
            if content is not None:
                target.writestr(name, content)
    return out.getvalue()


def rewrite_program(data, change):
    """change(the JSON of the program) changes it in place."""
    def each(name, content):
        if not name.endswith("models/model.json"):
            return content
        program = json.loads(content)
        change(program)
        return json.dumps(program).encode()
    return rewrite(data, each)


@kind
def empty(data):
    return b""


@kind
def truncated(data):
    return data[: len(data) * 2 // 3]


@kind
def no_zip(data):
    return b"this is no archive\n" * 100


@kind
def flipped_bits(data):
    return bytes(b ^ (0x10 if i % 97 == 0 else 0) for i, b in enumerate(data))


@kind
def missing_weights(data):
    return rewrite(data, lambda name, c: None if "/data/weights/weight" in name else c)


@kind
def short_weights(data):
    return rewrite(data, lambda name, c: c[:4] if "/data/weights/weight" in name else c)


@kind
def missing_program(data):
    return rewrite(data, lambda name, c: None if name.endswith("model.json") else c)


@kind
def program_is_no_json(data):
    return rewrite(data, lambda name, c: c[:-20] if name.endswith("model.json") else c)


@kind
def deep_nesting(data):
    return rewrite(data, lambda name, c: b"[" * 5_000_000 if name.endswith("model.json") else c)


@kind
def unknown_operator(data):
    def change(program):
        for node in program["graph_module"]["graph"]["nodes"]:
            node["target"] = "torch.ops.aten.no_such_operator.default"
    return rewrite_program(data, change)


@kind
def future_schema(data):
    def change(program):
        program["schema_version"]["major"] = 99
    return rewrite_program(data, change)


@kind
def dangling_value(data):
    def change(program):
        program["graph_module"]["graph"]["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "nowhere"}}
    return rewrite_program(data, change)


@kind
def overflowing_sizes(data):
    def change(program):
        for meta in program["graph_module"]["graph"]["tensor_values"].values():
            meta["sizes"] = [{"as_int": 1 << 62}] * 3
    return rewrite_program(data, change)


@kind
def path_traversal(data):
    return rewrite(data, lambda name, c: c.replace(b'"weight_0"', b'"../../../../etc/passwd"'))


class Hostile:
    def __reduce__(self):
        return os.system, ("touch hostile-pickle-ran",)


@kind
def torch_save(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("archive/data.pkl", pickle.dumps(Hostile(), 2))
        archive.writestr("archive/version", "3\n")
    return out.getvalue()


@kind
def torchscript(data):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("model/data.pkl", pickle.dumps({}, 2))
        archive.writestr("model/code/__torch__.py", "class Model(Module):\n  pass\n")
        archive.writestr("model/constants.pkl", pickle.dumps((), 2))
        archive.writestr("model/version", "3\n")
    return out.getvalue()


@kind
def zip_bomb(data):
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            if name.endswith("model.json"):
                with target.open(name, "w", force_zip64=True) as record:
                    for _ in range(3000):
                        record.write(b" " * (1 << 20))
            else:
                target.writestr(name, source.read(name))
    return out.getvalue()


def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))


def problems(adze, folder, name):
    """What is wrong with how adze refuses FOLDER/NAME.pt2."""
    before = set(os.listdir(folder))
    try:
        done = subprocess.run([adze, "compile", f"{name}.pt2"], cwd=folder, capture_output=True,
                              text=True, timeout=10, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return ["it took more than 10 s"]
    errors = [line for line in done.stderr.splitlines() if "error: " in line]
    found = []
    if done.returncode not in (1, 5):
        found.append(f"exit code {done.returncode}: {done.stderr.strip()[-300:]}")
    if not errors or (len(errors) > 1 and "unsupported operator" not in errors[0]):
        found.append(f"expected one error, but found {len(errors)}")
    if not all(line.endswith("]") and "[ADZE" in line for line in errors):
        found.append(f"an error without an id: {errors[:1]}")
    if set(os.listdir(folder)) != before:
        found.append(f"it left {set(os.listdir(folder)) - before}")
    print(f"{name:20} {done.returncode} {errors[0][:140] if errors else ''}")
    return found


def main():
    adze, model, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    folder.mkdir(parents=True)
    failures = 0
    for name, make in KINDS.items():
        (folder / f"{name}.pt2").write_bytes(make(model.read_bytes()))
        for problem in problems(adze, folder, name):
            print(f"error: {name}: {problem}")
            failures += 1
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
