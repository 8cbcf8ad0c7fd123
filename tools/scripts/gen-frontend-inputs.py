#!/usr/bin/env python3
"""Writes the small archives of test/Unit/Frontend/Inputs (needs torch 2.13).

usage: gen-frontend-inputs.py FOLDER

The same program in the three layouts that exist: raw.pt2 as torch 2.13 saves it,
bundle.pt2 as torch 2.8 did (weights in one torch.save file), flat.pt2 as 2.6
and 2.7 did. The last two are put together by hand from torch.save data; what those
versions really wrote is in test/Inputs/versions.
"""
import io
import os
import sys
import zipfile

import torch


class Model(torch.nn.Module):
    """Tied, transposed and sliced weights, a buffer, a constant."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.a = torch.nn.Parameter(torch.randn(4, 3))
        self.b = self.a
        storage = torch.arange(24, dtype=torch.float32)
        self.register_buffer("turned", storage.view(6, 4).t())
        self.register_buffer("tail", storage[20:])
        self.register_buffer("offset", torch.ones(2, dtype=torch.float16),
                             persistent=False)

    def forward(self, x, scale: int = 2):
        y = x @ self.a.t() + x @ self.b.t()
        return y @ self.turned + self.offset.sum(), y * self.tail * scale


def saved(value):
    buffer = io.BytesIO()
    torch.save(value, buffer)
    return buffer.getvalue()


def write(path, members):
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members:
            # A fixed date, so that the files can be compared.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    # Source locations are saved: they must not tell where this script lies.
    Model.forward.__code__ = Model.forward.__code__.replace(co_filename="model.py")
    x = torch.randn(2, 3)
    batch = torch.export.Dim("batch", min=2, max=64)
    program = torch.export.export(Model(), (x,), {"scale": 3},
                                  dynamic_shapes={"x": {0: batch}, "scale": None})
    raw = os.path.join(folder, "raw.pt2")
    torch.export.save(program, raw)
    with zipfile.ZipFile(raw) as archive:
        json = archive.read("raw/models/model.json")
    state = saved(dict(program.state_dict))
    constants = saved({"offset": program.constants["offset"]})
    inputs = saved(((x,), {"scale": 3}))
    write(os.path.join(folder, "bundle.pt2"), [
        ("bundle/data/weights/model.pt", state),
        ("bundle/data/constants/model.pt", constants),
        ("bundle/models/model.json", json),
        ("bundle/data/sample_inputs/model.pt", inputs),
        ("bundle/archive_format", "pt2"),
        ("bundle/archive_version", "0"),
        ("bundle/byteorder", "little"),
    ])
    write(os.path.join(folder, "flat.pt2"), [
        ("serialized_exported_program.json", json),
        ("serialized_state_dict.pt", state),
        ("serialized_constants.pt", constants),
        ("serialized_example_inputs.pt", inputs),
        ("version", "8.7"),
    ])


if __name__ == "__main__":
    main()
