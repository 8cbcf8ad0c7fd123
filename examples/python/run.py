#!/usr/bin/env python3
"""Runs a compiled model with ctypes and NumPy: run.py model.adze inputs.npz outputs.npz

inputs.npz holds in_0, in_1, ...; outputs.npz will hold out_0, out_1, ... No PyTorch, no compiler.
"""
import ctypes as c
import pathlib
import sys

import numpy as np

API_VERSION = 1
NONE, TENSOR, INT, FLOAT, BOOL, MANAGED = 0, 1, 2, 3, 4, 6
CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}                # NumPy kind -> DLPack code


class DLDataType(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class DLTensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device_id", c.c_int32), ("ndim", c.c_int32),
                ("dtype", DLDataType), ("shape", c.POINTER(c.c_int64)), ("strides", c.POINTER(c.c_int64)),
                ("byte_offset", c.c_uint64)]


class DLManagedTensor(c.Structure):
    pass


DLManagedTensor._fields_ = [("tensor", DLTensor), ("context", c.c_void_p),
                            ("deleter", c.CFUNCTYPE(None, c.POINTER(DLManagedTensor)))]


class Payload(c.Union):
    _fields_ = [("tensor", c.POINTER(DLTensor)), ("managed", c.POINTER(DLManagedTensor)), ("integer", c.c_int64),
                ("real", c.c_double), ("string", c.c_char_p)]


class Value(c.Structure):
    _fields_ = [("kind", c.c_int32), ("reserved", c.c_int32), ("payload", Payload)]


class Error(c.Structure):
    _fields_ = [("status", c.c_int32), ("guard", c.c_int32), ("site", c.c_int32), ("reserved", c.c_int32),
                ("message", c.c_char * 1008)]


class ValueInfo(c.Structure):
    _fields_ = [("name", c.c_char_p)] + [(n, c.c_int32) for n in (
        "kind", "is_constant", "dtype", "rank", "alias_kind", "alias_index", "mutated", "device_type")]


class ModelInfo(c.Structure):
    _fields_ = [("name", c.c_char_p), ("producer", c.c_char_p), ("target_cpu", c.c_char_p)] + [
        (n, c.c_int64) for n in ("inputs", "outputs", "weights", "states", "guards", "sites", "threads", "weights_bytes",
                                 "weights_digest", "cpu_features")] + [("is_random", c.c_int32), ("is_stateful", c.c_int32)]


def function(result, *arguments):
    return c.CFUNCTYPE(result, *arguments)


class Api(c.Structure):
    """The first functions of adze_api, in their order; nothing here calls the rest."""
    _fields_ = [
        ("version", c.c_uint32), ("size", c.c_uint32),
        ("status_name", function(c.c_char_p, c.c_int32)),
        ("model_load", function(c.c_int32, c.c_char_p, c.c_void_p, c.POINTER(c.c_void_p), c.POINTER(Error))),
        ("model_release", function(None, c.c_void_p)),
        ("model_verify_weights", function(c.c_int32, c.c_void_p, c.POINTER(Error))),
        ("model_info", function(None, c.c_void_p, c.POINTER(ModelInfo))),
        ("input_info", function(c.c_int32, c.c_void_p, c.c_int64, c.POINTER(ValueInfo))),
        ("output_info", function(c.c_int32, c.c_void_p, c.c_int64, c.POINTER(ValueInfo))),
        ("input_dim", c.c_void_p), ("output_dim", c.c_void_p), ("guard_info", c.c_void_p), ("weight_info", c.c_void_p),
        ("state_info", c.c_void_p), ("error_site_info", c.c_void_p),
        ("session_create", function(c.c_int32, c.c_void_p, c.c_void_p, c.POINTER(c.c_void_p), c.POINTER(Error))),
        ("session_release", function(None, c.c_void_p)),
        ("run", function(c.c_int32, c.c_void_p, c.POINTER(Value), c.c_int64, c.POINTER(Value), c.c_int64, c.POINTER(Error))),
    ]


class Model:
    """model(array, 3, ...) -> list of arrays and numbers."""

    def __init__(self, folder):
        self.library = c.CDLL(str(pathlib.Path(folder).resolve() / "model.so"))
        self.library.adze_get_api.restype = c.POINTER(Api)
        self.api = self.library.adze_get_api(c.c_uint32(API_VERSION)).contents
        self.error, self.model, self.session = Error(), c.c_void_p(), c.c_void_p()
        self.check(self.api.model_load(str(folder).encode(), None, c.byref(self.model), c.byref(self.error)))
        self.check(self.api.session_create(self.model, None, c.byref(self.session), c.byref(self.error)))
        self.info = ModelInfo()
        self.api.model_info(self.model, c.byref(self.info))

    def check(self, status):
        if status:
            raise RuntimeError(self.error.message.decode())

    def kind(self, index):
        info = ValueInfo()
        self.api.input_info(self.model, index, c.byref(info))
        return info.kind

    def __call__(self, *arguments):
        keep = []                                                # what the call borrows
        inputs = (Value * len(arguments))(*[to_value(a, self.kind(i), keep) for i, a in enumerate(arguments)])
        outputs = (Value * self.info.outputs)()
        self.check(self.api.run(self.session, inputs, len(inputs), outputs, len(outputs), c.byref(self.error)))
        return [from_value(v) for v in outputs]

    def __del__(self):
        if self.session:
            self.api.session_release(self.session)
        if self.model:
            self.api.model_release(self.model)


def to_value(argument, kind, keep):
    value = Value(kind=kind)
    if kind == FLOAT:
        value.payload.real = float(argument)
    elif kind in (INT, BOOL):
        value.payload.integer = int(argument)
    elif kind == TENSOR:
        array = np.ascontiguousarray(argument).reshape(np.shape(argument))
        shape = (c.c_int64 * array.ndim)(*array.shape)
        dtype = DLDataType(CODES[array.dtype.kind], 8 * array.dtype.itemsize, 1)
        tensor = DLTensor(array.ctypes.data, 1, 0, array.ndim, dtype, shape, None, 0)
        keep += [array, shape, tensor]
        value.payload.tensor = c.pointer(tensor)
    return value


def from_value(value):
    """A copy of the output; its memory goes back to the model."""
    if value.kind == FLOAT:
        return value.payload.real
    if value.kind in (INT, BOOL):
        return value.payload.integer if value.kind == INT else bool(value.payload.integer)
    if value.kind != MANAGED:
        return None
    managed = value.payload.managed
    tensor = managed.contents.tensor
    kind = {v: k for k, v in CODES.items()}.get(tensor.dtype.code)
    dtype = np.dtype("?" if kind == "b" else f"{kind}{tensor.dtype.bits // 8}") if kind else np.dtype("V2")
    shape = tensor.shape[:tensor.ndim]
    strides = [s * dtype.itemsize for s in tensor.strides[:tensor.ndim]] if tensor.strides else None
    extent = sum((n - 1) * s for n, s in zip(shape, strides)) + dtype.itemsize if strides else dtype.itemsize * int(np.prod(shape))
    if 0 in shape:
        array = np.zeros(shape, dtype)
    else:
        memory = (c.c_char * extent).from_address(tensor.data + tensor.byte_offset)
        array = np.ndarray(shape, dtype, memory, strides=strides).copy()
    managed.contents.deleter(managed)
    return array


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    model = Model(sys.argv[1])
    given = np.load(sys.argv[2])
    outputs = model(*[given[f"in_{i}"] for i in range(model.info.inputs)])
    np.savez(sys.argv[3], **{f"out_{i}": v for i, v in enumerate(outputs) if v is not None})


if __name__ == "__main__":
    main()
