#!/usr/bin/env python3
"""Compares the reference interpreter with PyTorch, op by op.

Every case is a small prim program whose operands are constants. Cases are put
together in one file for `adze-opt --interpret`; their results are compared with
what torch computes eagerly: exactly for integers and for operations that IEEE
fixes, else within a few units in the last place of the element type.

usage: compare-with-torch.py ADZE_OPT [--seed N] [--only TEXT] [-v]
Exit code: 0 all agree, 3 some differ, 77 torch is absent.
"""
import argparse
import math
import re
import subprocess
import sys
import tempfile

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    print("torch is absent: the interpreter was not compared with it")
    sys.exit(77)

TYPES = {
    torch.bool: "i1", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32",
    torch.int64: "i64", torch.uint8: "ui8", torch.float16: "f16",
    torch.bfloat16: "bf16", torch.float32: "f32", torch.float64: "f64",
    torch.complex64: "complex<f32>", torch.complex128: "complex<f64>",
}
DTYPES = {name: dtype for dtype, name in TYPES.items()}
FLOATS = [torch.float32, torch.float64, torch.bfloat16, torch.float16]
COMPLEX = [torch.complex64, torch.complex128]
INTS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]
EPSILON = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8,
           torch.float32: 2.0**-24, torch.float64: 2.0**-53,
           torch.complex64: 2.0**-24, torch.complex128: 2.0**-53}

# ---------------------------------------------------------------------------
# Text of tensors
# ---------------------------------------------------------------------------


def type_text(tensor):
    sizes = "".join(f"{size}x" for size in tensor.shape)
    return f"tensor<{sizes}{TYPES[tensor.dtype]}>"


def bytes_of(tensor):
    flat = tensor.contiguous().reshape(-1)
    return flat.view(torch.uint8).numpy().tobytes() if flat.numel() else b""


def constant_text(tensor):
    if tensor.numel() == 0:
        return f"dense<> : {type_text(tensor)}"
    if tensor.dtype == torch.bool:
        text = str(tensor.tolist()).lower()
        return f"dense<{text}> : {type_text(tensor)}"
    return f'dense<"0x{bytes_of(tensor).hex().upper()}"> : {type_text(tensor)}'


def number_of(token, dtype):
    if token in ("true", "false"):
        return token == "true"
    if token.startswith("0x"):
        kind = EPSILON.get(dtype) and (dtype.to_real() if dtype.is_complex else dtype)
        size = torch.empty(0, dtype=kind).element_size()
        data = int(token, 16).to_bytes(size, "little")
        return torch.frombuffer(bytearray(data), dtype=kind).double().item()
    return float(token) if dtype.is_floating_point or dtype.is_complex else int(token)


def parse_result(line):
    body, sizes = re.fullmatch(r"dense<(.*)> : tensor<(.*)>", line).groups()
    *dims, element = re.fullmatch(r"((?:\d+x)*)(.*)", sizes).groups()
    shape = [int(d) for d in dims[0].split("x")[:-1]]
    dtype = DTYPES[element]
    if body.startswith('"'):
        data = bytearray(bytes.fromhex(body[3:-1]))
        if dtype == torch.bool:  # one bit each
            bits = [byte >> i & 1 for byte in data for i in range(8)]
            return torch.tensor(bits[:math.prod(shape)], dtype=dtype).reshape(shape)
        return torch.frombuffer(data, dtype=dtype).reshape(shape)
    values = [number_of(t, dtype) for t in re.findall(r"[^\s\[\],()]+", body)]
    if dtype.is_complex:
        values = [complex(*pair) for pair in zip(values[::2], values[1::2])]
    if len(values) == 1 and math.prod(shape) != 1:
        values *= math.prod(shape)
    return torch.tensor(values, dtype=dtype).reshape(shape)


# ---------------------------------------------------------------------------
# Cases
# ---------------------------------------------------------------------------


class Case:
    """`text` uses {0}, {1} for operands, {t0} for their types, {r0} for result
    types; one line that starts with `%r0, %r1 =` for all results."""

    def __init__(self, name, text, operands, expected, ulps=0, absolute=0.0):
        self.name, self.text, self.operands = name, text, operands
        self.expected = expected if isinstance(expected, (list, tuple)) else [expected]
        self.ulps, self.absolute = ulps, absolute

    def body(self, number):
        lines, values = [], {}
        for i, operand in enumerate(self.operands):
            value = f"%c{number}_{i}"
            lines.append(f"{value} = prim.constant {constant_text(operand)}")
            values[str(i)] = value
            values[f"t{i}"] = type_text(operand)
        results = [f"%v{number}_{i}" for i in range(len(self.expected))]
        for i, expected in enumerate(self.expected):
            values[f"r{i}"] = type_text(expected)
        text = re.sub(r"\{(\w+)\}", lambda m: values[m.group(1)], self.text)
        lines.append(f"{', '.join(results)} = {text}")
        return lines, results

    def check(self, found):
        for i, (expected, actual) in enumerate(zip(self.expected, found)):
            if actual.shape != expected.shape or actual.dtype != expected.dtype:
                return f"result {i}: {type_text(actual)} for {type_text(expected)}"
            problem = self.difference(expected, actual)
            if problem:
                return f"result {i}: {problem}"
        return None

    def difference(self, expected, actual):
        wide = torch.complex128 if expected.dtype.is_complex else torch.float64
        if not expected.dtype.is_floating_point and not expected.dtype.is_complex:
            bad = expected != actual
        else:
            a, b = expected.to(wide), actual.to(wide)
            tolerance = self.absolute + self.ulps * EPSILON[expected.dtype] * 2 * a.abs()
            same = (a == b) | ((a != a) & (b != b))
            bad = ~(same | ((a - b).abs() <= tolerance))
        if not bad.any():
            return None
        where = bad.nonzero()[0].tolist()
        at = tuple(where)
        inputs = [o[at].item() for o in self.operands if o.shape == expected.shape]
        return (f"{int(bad.sum())} of {bad.numel()} differ, first at {where}: torch "
                f"{expected[at].item()!r}, adze {actual[at].item()!r}, operands {inputs}")


def corners(dtype):
    if dtype == torch.bool:
        return torch.tensor([False, True])
    if dtype.is_complex:
        return torch.tensor([0j, 1 + 0j, -1 + 0j, 1j, 2 - 3j, -0.5 + 0.25j], dtype=dtype)
    if dtype.is_floating_point:
        info = torch.finfo(dtype)
        return torch.tensor([0.0, -0.0, 1, -1, 0.5, -0.5, 2.5, -2.5, 1.5, 3, -3, 127.5, 1e4,
                             info.max, info.min, info.tiny, info.eps, math.inf, -math.inf,
                             math.nan], dtype=dtype)
    info = torch.iinfo(dtype)
    return torch.tensor([0, 1, 2, 3, 7, 100, info.max, info.min, info.max - 1, info.min + 1],
                        dtype=dtype)


def random(generator, dtype, *shape, scale=2.0):
    if dtype == torch.bool:
        return torch.rand(shape, generator=generator) < 0.5
    if dtype.is_complex:
        parts = torch.randn(shape + (2,), generator=generator, dtype=torch.float64) * scale
        return torch.view_as_complex(parts).to(dtype)
    if dtype.is_floating_point:
        return (torch.randn(shape, generator=generator, dtype=torch.float64) * scale).to(dtype)
    info = torch.iinfo(dtype)
    low, high = max(info.min, -50), min(info.max, 50)
    return torch.randint(low, high, shape, generator=generator).to(dtype)


def grid(dtype, generator):
    """All pairs of corner values, and random ones."""
    c = corners(dtype)
    a, b = (x.reshape(-1) for x in torch.meshgrid(c, c, indexing="ij"))
    extra = random(generator, dtype, 40), random(generator, dtype, 40)
    return torch.cat([a, extra[0]]), torch.cat([b, extra[1]])


def line(dtype, generator):
    return torch.cat([corners(dtype), random(generator, dtype, 60),
                      random(generator, dtype, 30, scale=0.3)])


# name: (torch function, ulps, element types, domain)
POSITIVE = lambda x: x.abs()
UNIT = lambda x: x.clamp(-1, 1)
UNARY = {
    "neg": (torch.neg, 0, FLOATS + COMPLEX + INTS),
    "abs": (torch.abs, 0, FLOATS + INTS),
    "sign": (torch.sign, 0, FLOATS + INTS),
    "not": (torch.bitwise_not, 0, INTS + [torch.bool]),
    "ceil": (torch.ceil, 0, FLOATS), "floor": (torch.floor, 0, FLOATS),
    "trunc": (torch.trunc, 0, FLOATS), "round": (torch.round, 0, FLOATS),
    "sqrt": (torch.sqrt, 1, FLOATS), "rsqrt": (torch.rsqrt, 1, FLOATS),
    "exp": (torch.exp, 2, FLOATS + COMPLEX), "exp2": (torch.exp2, 2, FLOATS),
    "expm1": (torch.expm1, 2, FLOATS), "log": (torch.log, 2, FLOATS + COMPLEX),
    "log2": (torch.log2, 2, FLOATS), "log10": (torch.log10, 2, FLOATS),
    "log1p": (torch.log1p, 2, FLOATS), "sin": (torch.sin, 2, FLOATS),
    "cos": (torch.cos, 2, FLOATS), "tan": (torch.tan, 4, FLOATS),
    "asin": (torch.asin, 2, FLOATS), "acos": (torch.acos, 2, FLOATS),
    "atan": (torch.atan, 2, FLOATS), "sinh": (torch.sinh, 2, FLOATS),
    "cosh": (torch.cosh, 2, FLOATS), "tanh": (torch.tanh, 2, FLOATS),
    "asinh": (torch.asinh, 4, FLOATS), "acosh": (torch.acosh, 4, FLOATS),
    "atanh": (torch.atanh, 4, FLOATS), "erf": (torch.erf, 4, FLOATS),
    "erfc": (torch.erfc, 4, FLOATS), "sigmoid": (torch.sigmoid, 4, FLOATS),
}
WIDE = [torch.float32, torch.float64]
SPECIAL = {
    "lgamma": torch.lgamma, "digamma": torch.digamma, "erfinv": torch.erfinv,
    "i0": torch.special.i0, "i0e": torch.special.i0e, "i1": torch.special.i1,
    "i1e": torch.special.i1e, "ndtri": torch.special.ndtri,
    "log_ndtr": torch.special.log_ndtr, "erfcx": torch.special.erfcx,
    "bessel_j0": torch.special.bessel_j0, "bessel_j1": torch.special.bessel_j1,
    "bessel_y0": torch.special.bessel_y0, "bessel_y1": torch.special.bessel_y1,
    "modified_bessel_k0": torch.special.modified_bessel_k0,
    "modified_bessel_k1": torch.special.modified_bessel_k1,
    "scaled_modified_bessel_k0": torch.special.scaled_modified_bessel_k0,
    "scaled_modified_bessel_k1": torch.special.scaled_modified_bessel_k1,
    "spherical_bessel_j0": torch.special.spherical_bessel_j0,
    "airy_ai": torch.special.airy_ai,
}
BINARY = {
    "add": (torch.add, 0, FLOATS + COMPLEX + INTS + [torch.bool]),
    "sub": (torch.sub, 0, FLOATS + COMPLEX + INTS),
    "mul": (torch.mul, 0, FLOATS + INTS + [torch.bool]),
    "div": (torch.div, 0, FLOATS),
    "pow": (torch.pow, 2, FLOATS),
    "atan2": (torch.atan2, 2, FLOATS),
    "max": (torch.maximum, 0, FLOATS + INTS), "min": (torch.minimum, 0, FLOATS + INTS),
    "and": (torch.bitwise_and, 0, INTS + [torch.bool]),
    "or": (torch.bitwise_or, 0, INTS + [torch.bool]),
    "xor": (torch.bitwise_xor, 0, INTS + [torch.bool]),
    "shl": (torch.bitwise_left_shift, 0, INTS), "shr": (torch.bitwise_right_shift, 0, INTS),
    "nextafter": (torch.nextafter, 0, WIDE + [torch.bfloat16]),
    "copysign": (torch.copysign, 0, FLOATS),
    "rem": (torch.fmod, 0, FLOATS),
}


def elementwise_cases(g):
    for name, (function, ulps, dtypes) in UNARY.items():
        for dtype in dtypes:
            x = line(dtype, g)
            text = f"prim.{name} {{0}} : {{r0}}"
            yield Case(f"{name}.{TYPES[dtype]}", text, [x], function(x), ulps,
                       1e-6 if dtype == torch.complex64 else 2e-38)
    for name, (function, ulps, dtypes) in BINARY.items():
        for dtype in dtypes:
            a, b = grid(dtype, g)
            if name == "rem":  # torch gives NaN for quotients beyond its precision
                keep = ~((a / b).abs() > 1e4)
                a, b = a[keep], b[keep]
            if name in ("shl", "shr") and dtype != torch.uint8:
                b = b.clamp(0)
            yield Case(f"{name}.{TYPES[dtype]}", f"prim.{name} {{0}}, {{1}} : {{r0}}", [a, b],
                       function(a, b), ulps)
    for dtype in INTS:
        a, b = grid(dtype, g)
        keep = b != 0
        if dtype != torch.uint8:  # torch traps on INT_MIN / -1
            keep &= ~((b == -1) & (a == torch.iinfo(dtype).min))
        a, b = a[keep], b[keep]
        yield Case(f"idiv.{TYPES[dtype]}", "prim.idiv {0}, {1} : {r0}", [a, b],
                   torch.div(a, b, rounding_mode="trunc"))
        yield Case(f"rem.{TYPES[dtype]}", "prim.rem {0}, {1} : {r0}", [a, b], torch.fmod(a, b))
        yield Case(f"pow.{TYPES[dtype]}", "prim.pow {0}, {1} : {r0}", [a, b.abs() % 9],
                   torch.pow(a, b.abs() % 9))
    for name in ("mul", "div"):
        for dtype in COMPLEX:
            a, b = random(g, dtype, 50), random(g, dtype, 50)
            yield Case(f"{name}.{TYPES[dtype]}", f"prim.{name} {{0}}, {{1}} : {{r0}}", [a, b],
                       getattr(torch, name)(a, b), 4)


def special_cases(g):
    for name, function in SPECIAL.items():
        for dtype in WIDE:
            x = torch.cat([corners(dtype), random(g, dtype, 40, scale=4), random(g, dtype, 20, scale=0.2)])
            x = x[~((x.abs() > 1e30) & x.isfinite())]
            if name in ("ndtri", "erfinv"):
                x = torch.cat([x, torch.rand(30, generator=g, dtype=torch.float64).to(dtype)])
            tolerance = 3e-6 if dtype == torch.float32 else 1e-12
            if name in ("digamma", "lgamma"):
                tolerance *= 10
            if name.startswith("bessel") or name == "airy_ai":
                tolerance = 1e-5  # torch's own float64 results are wrong from the 7th digit on
            yield Case(f"special.{name}.{TYPES[dtype]}", f"prim.special {name} {{0}} : {{r0}}", [x],
                       function(x), tolerance / EPSILON[dtype], tolerance)
    a = torch.rand(60, generator=g, dtype=torch.float64) * 6
    x = torch.rand(60, generator=g, dtype=torch.float64) * 6
    n = torch.randint(0, 9, (60,), generator=g).double()
    t = torch.randn(60, generator=g, dtype=torch.float64)
    pairs = {"zeta": (torch.special.zeta, a + 1.5, x + 0.1),
             "igamma": (torch.special.gammainc, a, x), "igammac": (torch.special.gammaincc, a, x)}
    for kind in ("chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v",
                 "chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
                 "laguerre_polynomial_l", "legendre_polynomial_p"):
        pairs[kind] = (getattr(torch.special, kind), t, n)
    for name, (function, p, q) in pairs.items():
        yield Case(f"special2.{name}", f"prim.special2 {name} {{0}}, {{1}} : {{r0}}", [p, q],
                   function(p, q), 1e5, 1e-10)
    for order in range(4):
        y = x + 0.2
        yield Case(f"special2.polygamma{order}", "prim.special2 polygamma {0}, {1} : {r0}",
                   [torch.full_like(y, order), y], torch.polygamma(order, y), 1e8)


def conversion_cases(g):
    everything = FLOATS + INTS + [torch.bool] + COMPLEX
    for source in everything:
        for target in everything:
            x = line(source, g)
            if source.is_floating_point and not (target.is_floating_point or target.is_complex or target == torch.bool):
                # Out of range, torch's own answer depends on how it was vectorised.
                limit = 120.0 if target == torch.int8 else 30000.0 if target == torch.int16 else 2e9
                x = x[x.abs() < limit] if target != torch.uint8 else x[(x >= 0) & (x < 255)]
            if source.is_complex and not target.is_complex and target != torch.bool:
                x = torch.complex(x.real.abs(), x.imag)
            if source.is_complex and not target.is_complex:
                expected = (x != 0) if target == torch.bool else x.real.to(target)
            else:
                expected = x.to(target)
            yield Case(f"convert.{TYPES[source]}.{TYPES[target]}", "prim.convert {0} : {t0} to {r0}",
                       [x], expected)
    for source, target in ((torch.float32, torch.int32), (torch.float64, torch.int64)):
        x = line(source, g)
        yield Case(f"convert.saturates.{TYPES[source]}", "prim.convert {0} : {t0} to {r0}", [x], x.to(target))
    for source, target in ((torch.float32, torch.int32), (torch.bfloat16, torch.int16),
                           (torch.int64, torch.float64), (torch.float16, torch.int16)):
        x = line(source, g)
        x = x[x == x]
        yield Case(f"bitcast.{TYPES[source]}", "prim.bitcast {0} : {t0} to {r0}", [x], x.view(target))
    z = random(g, torch.complex64, 7)
    yield Case("real", "prim.real {0} : {t0} to {r0}", [z], z.real.clone())
    yield Case("imag", "prim.imag {0} : {t0} to {r0}", [z], z.imag.clone())
    yield Case("complex", "prim.complex {0}, {1} : {t0} to {r0}", [z.real.clone(), z.imag.clone()], z)
    for dtype in FLOATS + INTS:
        a, b = grid(dtype, g)
        for predicate in ("eq", "ne", "lt", "le", "gt", "ge"):
            yield Case(f"compare.{predicate}.{TYPES[dtype]}", f"prim.compare {predicate} {{0}}, {{1}} : {{t0}}",
                       [a, b], getattr(torch, predicate)(a, b))
    c = random(g, torch.bool, 4, 5)
    a, b = random(g, torch.float32, 4, 5), random(g, torch.float32, 4, 5)
    yield Case("where", "prim.where {0}, {1}, {2} : {t0}, {r0}", [c, a, b], torch.where(c, a, b))


def movement_cases(g):
    x = random(g, torch.float32, 3, 4, 5)
    zero = torch.zeros(())
    yield Case("reshape", "prim.reshape {0} : {t0} to {r0}", [x], x.reshape(5, 12))
    yield Case("transpose", "prim.transpose {0} by [2, 0, 1] : {t0} to {r0}", [x],
               x.permute(2, 0, 1).contiguous())
    y = random(g, torch.int32, 4, 1)
    yield Case("broadcast", "prim.broadcast {0} : {t0} to {r0}", [y], y.expand(3, 4, 6).contiguous())
    exprs = lambda *v: "[" + ", ".join(f"#sym.expr<{i}>" for i in v) + "]"
    yield Case("slice", f"prim.slice {{0}} from {exprs(1, 0, 1)} by [1, 2, 3] : {{t0}} to {{r0}}", [x],
               x[1:3, 0::2, 1::3].contiguous())
    u = random(g, torch.float32, 2, 2, 2)
    z = x.clone()
    z[1:3, 0::2, 1::3] = u
    yield Case("update_slice", f"prim.update_slice {{0}}, {{1}} from {exprs(1, 0, 1)} by [1, 2, 3] : {{t0}}, {{t1}}",
               [x, u], z)
    yield Case("pad", f"prim.pad {{0}} with {{1}} low {exprs(1, 0, 2)} high {exprs(0, 3, 1)} : {{t0}}, {{t1}} to {{r0}}",
               [x, zero + 7], F.pad(x, (2, 1, 0, 3, 1, 0), value=7))
    w = random(g, torch.float32, 3, 2, 5)
    yield Case("concat", "prim.concat {0}, {1} dim = 1 : {t0}, {t1} to {r0}", [x, w], torch.cat([x, w], 1))
    yield Case("reverse", "prim.reverse {0} dims = [0, 2] : {r0}", [x], x.flip(0, 2))


def reduction_cases(g):
    for dtype in FLOATS + INTS:
        x = random(g, dtype, 4, 7, 5)
        for kind, function in (("sum", torch.sum), ("prod", torch.prod), ("max", torch.amax), ("min", torch.amin)):
            wide = {"dtype": dtype} if kind in ("sum", "prod") else {}
            ulps = 16 if dtype.is_floating_point and kind in ("sum", "prod") else 0
            yield Case(f"reduce.{kind}.{TYPES[dtype]}", f"prim.reduce {kind} {{0}} dims = [1] : {{t0}} to {{r0}}",
                       [x], function(x, 1, **wide), ulps, 1e-2 if dtype in (torch.bfloat16, torch.float16) else 1e-5)
        if dtype.is_floating_point:
            x = x.clone()
            x[1, 2, 3] = x[1, 4, 3] = math.nan
        for kind in ("max", "min"):
            index = getattr(torch, "arg" + kind)(x, 1)
            yield Case(f"arg_reduce.{kind}.{TYPES[dtype]}", f"prim.arg_reduce {kind} {{0}} dim = 1 : {{t0}} to {{r0}}",
                       [x], index)
            values, index = getattr(torch, "cum" + kind)(x, 1)
            yield Case(f"cumulative.{kind}.{TYPES[dtype]}", f"prim.cumulative {kind} {{0}} dim = 1 : {{r0}}", [x], values)
            yield Case(f"arg_cumulative.{kind}.{TYPES[dtype]}", f"prim.arg_cumulative {kind} {{0}} dim = 1 : {{t0}}", [x], index)
        for kind in ("sum", "prod"):
            x = random(g, dtype, 4, 7, 5)
            ulps = 8 if dtype in (torch.bfloat16, torch.float16) else 4 if dtype.is_floating_point else 0
            yield Case(f"cumulative.{kind}.{TYPES[dtype]}", f"prim.cumulative {kind} {{0}} dim = 1 : {{r0}}", [x],
                       getattr(torch, "cum" + kind)(x, 1, dtype=dtype), ulps, 1e-2 if dtype in (torch.bfloat16, torch.float16) else 1e-6)
        x = random(g, dtype, 3, 9, 4)
        if dtype.is_floating_point:
            x[0, 3, 1] = math.nan
        for flag in (False, True):
            values, index = torch.sort(x, dim=1, descending=flag, stable=True)
            yield Case(f"sort.{flag}.{TYPES[dtype]}", f"prim.sort {{0}} dim = 1 {'descending' if flag else ''} : {{t0}}",
                       [x], [values, index])
            values, _ = torch.topk(x, 4, dim=1, largest=not flag)
            index = torch.sort(x, dim=1, descending=not flag, stable=True)[1][:, :4].contiguous()
            yield Case(f"topk.{flag}.{TYPES[dtype]}", f"prim.topk {{0}} dim = 1 {'smallest' if flag else ''} : {{t0}} to {{r0}}, {{r1}}",
                       [x], [values, index])
        s = torch.sort(random(g, dtype, 3, 8), dim=1)[0]
        v = random(g, dtype, 3, 6)
        for flag in (False, True):
            yield Case(f"searchsorted.{flag}.{TYPES[dtype]}", f"prim.searchsorted {{0}}, {{1}} {'right' if flag else ''} : {{t0}}, {{t1}}",
                       [s, v], torch.searchsorted(s, v, right=flag))
    b = random(g, torch.bool, 5, 6)
    yield Case("reduce.any", "prim.reduce any {0} dims = [0] : {t0} to {r0}", [b], b.any(0))
    yield Case("reduce.all", "prim.reduce all {0} dims = [0] : {t0} to {r0}", [b], b.all(0))
    x = random(g, torch.float32, 3, 8)
    yield Case("cumulative.logsumexp", "prim.cumulative logsumexp {0} dim = 1 : {r0}", [x], torch.logcumsumexp(x, 1), 8)
    x = random(g, torch.float32, 2, 3, 4)
    yield Case("reduce.all_dims", "prim.reduce sum {0} dims = [0, 1, 2] : {t0} to {r0}", [x], x.sum(), 8, 1e-5)
    yield Case("reduce.empty", "prim.reduce sum {0} dims = [1] : {t0} to {r0}", [torch.zeros(3, 0)], torch.zeros(3))


def loose(dtype):
    return {torch.float32: 1e-5, torch.float64: 1e-12, torch.bfloat16: 4e-2, torch.float16: 6e-3}.get(dtype, 0)


def neural_cases(g):
    for dtype in FLOATS + [torch.int32]:
        a, b = random(g, dtype, 2, 5, 7), random(g, dtype, 2, 7, 3)
        yield Case(f"matmul.{TYPES[dtype]}", "prim.matmul {0}, {1} : {t0}, {t1} to {r0}", [a, b], a @ b, 4, 8 * loose(dtype))
        yield Case(f"matmul.transposed.{TYPES[dtype]}", "prim.matmul {0}, {1} transpose_lhs transpose_rhs : {t0}, {t1} to {r0}",
                   [a.mT.contiguous(), b.mT.contiguous()], a @ b, 4, 8 * loose(dtype))
    a, b = random(g, torch.float64, 2, 3, 5, 7), random(g, torch.float64, 4, 7)
    yield Case("matmul.shared", "prim.matmul {0}, {1} transpose_rhs : {t0}, {t1} to {r0}", [a, b], a @ b.mT, 8, 1e-12)
    attrs = "stride = array<i64: {0}>, low = array<i64: {1}>, high = array<i64: {1}>, dilation = array<i64: {2}>, output_padding = array<i64: {3}>"
    for groups, stride, pad, dilation in ((1, (1, 1), (0, 0), (1, 1)), (2, (2, 1), (1, 2), (1, 2)), (4, (3, 2), (2, 0), (2, 1))):
        x, w = random(g, torch.float32, 2, 4, 9, 10), random(g, torch.float32, 8, 4 // groups, 3, 2)
        csv = lambda v: ", ".join(map(str, v))
        text = attrs.format(csv(stride), csv(pad), csv(dilation), "0, 0")
        expected = F.conv2d(x, w, None, stride, pad, dilation, groups)
        yield Case(f"convolution.g{groups}", "prim.convolution {0}, {1} {" + text + f", groups = {groups}" + "} : {t0}, {t1} to {r0}",
                   [x, w], expected, 16, 1e-4)
        last = [x.permute(0, 2, 3, 1).contiguous(), w.permute(2, 3, 1, 0).contiguous()]
        yield Case(f"convolution.last.g{groups}", "prim.convolution {0}, {1} {" + text + f", groups = {groups}, layout = 1 : i32" + "} : {t0}, {t1} to {r0}",
                   last, expected.permute(0, 2, 3, 1).contiguous(), 16, 1e-4)
        wt = random(g, torch.float32, 4, 8 // groups, 3, 2)
        extra = tuple(min(s, d) - 1 if max(s, d) > 1 else 0 for s, d in zip(stride, (2, 2)))
        text = attrs.format(csv(stride), csv(pad), csv(dilation), csv(extra))
        expected = F.conv_transpose2d(x, wt, None, stride, pad, extra, groups, dilation)
        yield Case(f"convolution.transposed.g{groups}", "prim.convolution {0}, {1} {" + text + f", groups = {groups}, transposed" + "} : {t0}, {t1} to {r0}",
                   [x, wt], expected, 16, 1e-4)
        # [groups, inputs, outputs, filter] to [filter, inputs, groups * outputs]
        apart = wt.reshape(groups, 4 // groups, 8 // groups, 3, 2).permute(3, 4, 1, 0, 2)
        last = [x.permute(0, 2, 3, 1).contiguous(), apart.reshape(3, 2, 4 // groups, 8)]
        yield Case(f"convolution.transposed.last.g{groups}", "prim.convolution {0}, {1} {" + text + f", groups = {groups}, transposed, layout = 1 : i32" + "} : {t0}, {t1} to {r0}",
                   last, expected.permute(0, 2, 3, 1).contiguous(), 16, 1e-4)
    x, w = random(g, torch.float64, 1, 2, 5, 6, 4), random(g, torch.float64, 3, 2, 2, 2, 2)
    yield Case("convolution.3d", "prim.convolution {0}, {1} {" + attrs.format("1, 1, 1", "1, 0, 1", "1, 1, 1", "0, 0, 0") + ", groups = 1} : {t0}, {t1} to {r0}",
               [x, w], F.conv3d(x, w, None, 1, (1, 0, 1)), 16, 1e-12)
    pool = "window = array<i64: 3, 2>, stride = array<i64: 2, 2>, low = array<i64: 1, 0>, high = array<i64: 1, 0>, dilation = array<i64: 1, 2>"
    x = random(g, torch.float32, 2, 3, 9, 10)
    x[0, 0, 3, 4] = math.nan
    values, index = F.max_pool2d(x, (3, 2), 2, (1, 0), (1, 2), return_indices=True)
    yield Case("pool.max", "prim.pool max {0} {" + pool + "} : {t0} to {r0}", [x], values)
    yield Case("arg_pool", "prim.arg_pool {0} {" + pool + "} : {t0} to {r0}", [x], index)
    last = x.permute(0, 2, 3, 1).contiguous()
    yield Case("pool.max.last", "prim.pool max {0} {" + pool + ", layout = 1 : i32} : {t0} to {r0}", [last],
               values.permute(0, 2, 3, 1).contiguous())
    y = random(g, torch.float32, 2, 3, 9, 10)
    expected = F.avg_pool2d(y, (3, 2), 2, (1, 0)) * 6
    yield Case("pool.sum", "prim.pool sum {0} {" + pool.replace("1, 2>", "1, 1>") + "} : {t0} to {r0}", [y], expected, 8, 1e-5)
    for dtype in FLOATS:
        x = random(g, dtype, 3, 6, 4)
        yield Case(f"softmax.{TYPES[dtype]}", "prim.softmax {0} dim = 1 : {r0}", [x], x.softmax(1), 16)
        yield Case(f"log_softmax.{TYPES[dtype]}", "prim.log_softmax {0} dim = 1 : {r0}", [x], x.log_softmax(1), 8, loose(dtype))
        w, b = random(g, dtype, 6, 4), random(g, dtype, 6, 4)
        if dtype in WIDE:
            y, mean, rstd = torch.native_layer_norm(x, (6, 4), w, b, 1e-5)
            yield Case(f"layer_norm.{TYPES[dtype]}", "prim.layer_norm {0} weight {1} : {t1} bias {2} : {t2} {axes = 2, eps = 1.0e-05 : f64} : {t0} to {r1}",
                       [x, w, b], [y, mean, rstd], 16, 8 * loose(dtype))
        yield Case(f"rms_norm.{TYPES[dtype]}", "prim.rms_norm {0} weight {1} : {t1} {axes = 2, eps = 1.0e-05 : f64} : {t0}",
                   [x, w], F.rms_norm(x, (6, 4), w, 1e-5), 8, loose(dtype))
        q, k, v = random(g, dtype, 2, 2, 5, 4), random(g, dtype, 2, 2, 6, 4), random(g, dtype, 2, 2, 6, 3)
        m = random(g, torch.bool, 1, 1, 5, 6)
        m[..., 2, :] = False
        sdpa = F.scaled_dot_product_attention
        tail = ": {t0}, {t1}, {t2} to {r0}"
        yield Case(f"attention.{TYPES[dtype]}", f"prim.attention {{0}}, {{1}}, {{2}} scale = 5.0e-01 {tail}", [q, k, v],
                   sdpa(q, k, v, scale=0.5), 16, 4 * loose(dtype))
        yield Case(f"attention.mask.{TYPES[dtype]}", f"prim.attention {{0}}, {{1}}, {{2}} mask {{3}} : {{t3}} scale = 5.0e-01 {tail}", [q, k, v, m],
                   sdpa(q, k, v, attn_mask=m, scale=0.5), 16, 4 * loose(dtype))
        yield Case(f"attention.causal.{TYPES[dtype]}", f"prim.attention {{0}}, {{1}}, {{2}} scale = 5.0e-01 causal {tail}", [q, k, v],
                   sdpa(q, k, v, is_causal=True, scale=0.5), 16, 4 * loose(dtype))


def indexing_cases(g):
    x = random(g, torch.float32, 5, 6, 4)
    i, j = torch.randint(5, (2, 3), generator=g), torch.randint(4, (2, 3), generator=g)
    yield Case("index.adjacent", "prim.index {0}[{1}] dims = [1] position = 1 : {t0}, {t1} to {r0}", [x, i], x[:, i])
    yield Case("index.apart", "prim.index {0}[{1}, {2}] dims = [0, 2] position = 0 : {t0}, {t1}, {t2} to {r0}", [x, i, j], x[i, :, j])
    for kind in ("set", "add"):
        i, j = torch.tensor([[0, 3, 4]]), torch.tensor([[1, 2, 0]])
        v = random(g, torch.float32, 1, 3, 6)
        expected = x.clone().index_put_((i, torch.arange(6)[:, None, None], j), v.permute(2, 0, 1), accumulate=kind == "add")
        yield Case(f"index_put.{kind}", f"prim.index_put {kind} {{0}}, {{1}}[{{2}}, {{3}}] dims = [0, 2] position = 0 : {{t0}}, {{t1}}, {{t2}}, {{t3}}",
                   [x, v, i, j], expected)
    i = torch.randint(0, 6, (4, 3, 4), generator=g)
    yield Case("gather", "prim.gather {0}[{1}] dim = 1 : {t0}, {t1}", [x, i], x.gather(1, i))
    i = torch.stack([torch.randperm(6, generator=g)[:3] for _ in range(16)]).reshape(4, 4, 3).permute(0, 2, 1).contiguous()
    for kind, name in (("set", None), ("add", "sum"), ("mul", "prod"), ("max", "amax"), ("min", "amin")):
        for dtype in (torch.float32, torch.bfloat16, torch.int16):
            y, v = random(g, dtype, 5, 6, 4), random(g, dtype, 4, 3, 4)
            expected = y.scatter(1, i, v) if name is None else y.scatter_reduce(1, i, v, name)
            yield Case(f"scatter.{kind}.{TYPES[dtype]}", f"prim.scatter {kind} {{0}}[{{1}}], {{2}} dim = 1 : {{t0}}, {{t1}}, {{t2}}",
                       [y, i, v], expected)


def science_cases(g):
    for n in (1, 2, 7, 12, 30):
        z = random(g, torch.complex128, 3, n)
        yield Case(f"fft.{n}", "prim.fft {0} dim = 1 : {r0}", [z], torch.fft.fft(z), 16, 1e-12)
        yield Case(f"ifft.{n}", "prim.fft {0} dim = 1 inverse : {r0}", [z], torch.fft.ifft(z, norm="forward"), 16, 1e-12)
    for shape in ((2, 5, 5), (2, 6, 4), (2, 3, 6)):
        a = random(g, torch.float64, *shape)
        lu, pivots, info = torch.linalg.lu_factor_ex(a)
        yield Case(f"lu.{shape}", "prim.lu {0} : {t0} to {r0}, {r1}, {r2}", [a], [lu.contiguous(), pivots, info], 1e4, 1e-10)
        for mode in ("reduced", "complete"):
            q, r = torch.linalg.qr(a, mode=mode)
            yield Case(f"qr.{mode}.{shape}", "prim.qr {0} : {t0} to {r0}, {r1}", [a], [q.contiguous(), r.contiguous()], 1e4, 1e-10)
    a = random(g, torch.float64, 2, 5, 5)
    spd = a @ a.mT + torch.eye(5, dtype=torch.float64)
    factor, info = torch.linalg.cholesky_ex(spd)
    yield Case("cholesky", "prim.cholesky {0} : {t0} to {r0}, {r1}", [spd], [factor.contiguous(), info], 1e4, 1e-10)
    b = random(g, torch.float64, 2, 5, 3)
    for upper in (False, True):
        t = (a.triu() if upper else a.tril()) + 5 * torch.eye(5, dtype=torch.float64)
        yield Case(f"triangular_solve.{upper}", f"prim.triangular_solve {{0}}, {{1}} {'upper' if upper else ''} : {{t0}}, {{t1}}",
                   [t, b], torch.linalg.solve_triangular(t, b, upper=upper).contiguous(), 1e4, 1e-10)
        yield Case(f"triangular_solve.transpose.{upper}", f"prim.triangular_solve {{0}}, {{1}} {'upper' if upper else ''} transpose : {{t0}}, {{t1}}",
                   [t, b], torch.linalg.solve_triangular(t.mT, b, upper=not upper).contiguous(), 1e4, 1e-10)


FAMILIES = [elementwise_cases, special_cases, conversion_cases, movement_cases, reduction_cases,
            neural_cases, indexing_cases, science_cases]

# ---------------------------------------------------------------------------
# Running
# ---------------------------------------------------------------------------


def interpret(tool, cases):
    """The results of each case, or the message of the tool."""
    lines, returned, types = [], [], []
    for number, case in enumerate(cases):
        body, results = case.body(number)
        lines += body
        returned += results
        types += [type_text(e) for e in case.expected]
    signature = ", ".join(types)
    text = (f"func.func @main() -> ({signature}) {{\n  " + "\n  ".join(lines) +
            f"\n  return {', '.join(returned)} : {signature}\n}}\n")
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        run = subprocess.run([tool, file.name, "--interpret=main",
                              "--mlir-print-elementsattrs-with-hex-if-larger=0"],
                             capture_output=True, text=True)
    if run.returncode != 0:
        return run.stderr.strip().splitlines()[0][:400] if run.stderr else f"exit code {run.returncode}"
    found = [parse_result(line) for line in run.stdout.splitlines()]
    answer = []
    for case in cases:
        answer.append(found[:len(case.expected)])
        found = found[len(case.expected):]
    return answer


def run_cases(tool, cases):
    """One problem (or none) per case; a broken case is found on its own."""
    answer = interpret(tool, cases)
    if isinstance(answer, list):
        return [case.check(found) for case, found in zip(cases, answer)]
    if len(cases) == 1:
        return [answer]
    half = len(cases) // 2
    return run_cases(tool, cases[:half]) + run_cases(tool, cases[half:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    generator = torch.Generator().manual_seed(options.seed)
    bad = total = 0
    for family in FAMILIES:
        cases = [c for c in family(generator) if options.only in c.name]
        for case, problem in zip(cases, run_cases(options.tool, cases) if cases else []):
            total += 1
            if problem:
                bad += 1
                print(f"{case.name}: {problem}")
            elif options.verbose:
                print(f"{case.name}: ok")
    print(f"{total - bad} of {total} cases agree with torch {torch.__version__}")
    return 3 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
