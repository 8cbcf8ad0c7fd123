#!/usr/bin/env python3
"""Makes the test programs of this project: small modules exported by torch, with inputs and torch's answers.

    make_models.py OUT [NAME...]
    make_models.py --by-torch OUT NAME...

Each becomes a folder OUT/NAME as include/adze/Driver/Case.h says; with
--by-torch OUT/NAME-VERSION. What is committed in test/Inputs/cases was made by
`make_models.py cases` with torch 2.13, what is in test/Inputs/versions by
`make_models.py --by-torch versions mixture` with each torch of the names. The
older ones are installed into a virtual environment with pip's --no-deps, beside
numpy, sympy, networkx, jinja2, fsspec, filelock and typing_extensions. (Their
CUDA libraries may be empty ones of the same names and symbols.)
"""
import copy
import json
import pathlib
import re
import sys

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils._pytree as pytree
from torch._higher_order_ops import scan, while_loop
from torch.export import Dim

MODELS = {}


def model(build):
    """Registers build() -> dict(module, args[, dynamic, more, compare, rtol, atol])."""
    MODELS[build.__name__] = build
    return build


def of(forward, *args, **more):
    """A program that is one function of its inputs."""
    module = type("Function", (nn.Module,), {"forward": staticmethod(forward)})
    return dict(module=module(), args=args, **more)


# ------------------------------------------------------------ dense programs
def perceptron():
    return nn.Sequential(nn.Linear(24, 32), nn.GELU(), nn.LayerNorm(32),
                         nn.Linear(32, 10), nn.Softmax(-1))


@model
def mlp():
    return dict(module=perceptron(), args=(torch.randn(8, 24),))


@model
def mlp_dynamic():
    return dict(module=perceptron(), args=(torch.randn(8, 24),),
                dynamic=({0: Dim("batch", min=1, max=512)},),
                more=[(torch.randn(n, 24),) for n in (1, 2, 13, 512)])


@model
def convnet():
    layers = nn.Sequential(
        nn.Conv2d(3, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU(),
        nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, 2, 1, groups=2), nn.SiLU(),
        nn.Conv2d(16, 16, 3, padding=1, groups=16), nn.Hardswish(),
        nn.AdaptiveAvgPool2d((2, 3)), nn.Flatten(), nn.Linear(96, 5))
    return dict(module=layers, args=(torch.randn(2, 3, 20, 23),))


class Products(nn.Module):
    """Products of matrices whose sizes are no multiples of any tile."""
    sizes = [(1, 1), (3, 7), (9, 15), (8, 17), (33, 31), (5, 64), (64, 2)]

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(k, n, bias=n % 2 == 1) for k, n in self.sizes])
        self.wide = nn.Linear(9, 19).double()
        self.plain = nn.Parameter(torch.randn(17, 40))

    def forward(self, x, y):
        rows = [layer(x[:, :k]) for layer, (k, n) in zip(self.layers, self.sizes)]
        rows[3] = torch.relu(rows[3]) + x[:, :17]
        stacked = y @ y.transpose(1, 2)
        return (*rows, x[:, :17] @ self.plain, x[:, :40] @ self.plain.t(), self.wide(x[:, :9].double()),
                stacked, stacked @ y, y.transpose(1, 2) @ y[:, :, :3],
                y @ self.plain[:15, :33], x[:, :17].t() @ x[:, :9])


@model
def products():
    return dict(module=Products(), args=(torch.randn(6, 64), torch.randn(3, 10, 15)),
                dynamic=({0: Dim("rows", min=1, max=512)}, {1: Dim("length", min=1, max=64)}),
                more=[(torch.randn(m, 64), torch.randn(3, n, 15)) for m, n in ((1, 1), (2, 33), (4, 16), (9, 3), (21, 2))])


class Convolutions(nn.Module):
    """in, out, filter, stride, padding, dilation, groups, sizes of the image"""
    shapes = [(3, 10, (7, 7), (2, 2), (3, 3), 1, 1, 21, 19), (5, 33, (3, 3), 1, 1, 1, 1, 9, 9),
              (12, 64, 1, 1, 0, 1, 1, 3, 7), (16, 32, (3, 2), (1, 2), (2, 0), 1, 4, 6, 8),
              (12, 12, 3, 1, 1, 1, 12, 5, 17), (40, 40, (5, 3), 2, (2, 1), 1, 40, 5, 9),
              (8, 17, 3, 1, 2, 2, 1, 9, 10), (6, 9, 3, 1, (0, 1), 1, 3, 6, 31),
              (4, 4, 3, 1, 1, 1, 4, 3, 3), (9, 20, 3, 3, 1, 1, 1, 16, 16),
              (3, 2, (1, 5), 1, (0, 2), 1, 1, 1, 33), (6, 12, 3, 1, 1, 1, 6, 5, 9),
              (6, 35, 3, (2, 1), 1, (1, 3), 1, 5, 20)]
    signals = [(5, 7, 3, 1, 1, 1, 1, 31), (16, 33, 5, 2, 2, 1, 1, 40), (8, 8, 3, 1, 1, 2, 8, 17),
               (1, 20, 10, 5, 0, 1, 1, 100)]

    def __init__(self):
        super().__init__()
        self.images = nn.ModuleList([nn.Conv2d(*shape[:7], bias=i % 3 != 0) for i, shape in enumerate(self.shapes)])
        self.norms = nn.ModuleList([nn.BatchNorm2d(shape[1]) for shape in self.shapes])
        self.lines = nn.ModuleList([nn.Conv1d(*shape[:7]) for shape in self.signals])
        for norm in self.norms:
            nn.init.normal_(norm.weight)
            norm.running_mean.normal_()
            norm.running_var.uniform_(0.5, 2)

    def forward(self, *inputs):
        results = []
        for i, (x, convolve, norm) in enumerate(zip(inputs, self.images, self.norms)):
            y = convolve(x)
            if i % 2:
                y = torch.relu(norm(y))
            if i % 4 == 1:
                y = y + F.max_pool2d(y, 3, 1, 1)
            if i % 5 == 2:
                y = y.mean((2, 3), keepdim=True) * y
            results.append(y)
        for x, convolve in zip(inputs[len(self.images):], self.lines):
            results.append(torch.tanh(convolve(x)))
        return tuple(results)


@model
def convolutions():
    images = [torch.randn(2 if i in (1, 6) else 1, shape[0], *shape[7:]) for i, shape in enumerate(Convolutions.shapes)]
    lines = [torch.randn(2, shape[0], shape[7]) for shape in Convolutions.signals]
    return dict(module=Convolutions(), args=(*images, *lines))


@model
def row_exponentials():
    """Rows that need their exponentials after the reductions: softmax, and what is like it."""
    def forward(x, w):
        results = [x.softmax(-1), x.bfloat16().softmax(-1).float(), x[0, 0].softmax(0), x.double().softmax(-1),
                   x.transpose(1, 2).softmax(1), x.log_softmax(-1)]
        uses = [lambda y, total: y / total, lambda y, total: y.flip(-1) / total,
                lambda y, total: y / total - (y * w).sum(-1, keepdim=True), lambda y, total: y[:, [1, 0, 3, 2, 4]] * total,
                lambda y, total: torch.where(x > 0, y, w) / total, lambda y, total: y.tanh() + total,
                lambda y, total: y * w / total + y.amax(-1, keepdim=True)]
        for i, use in enumerate(uses):  # of exponentials of their own: one kernel each
            y = torch.exp(x * (i + 1) / 9)
            results.append(use(y, y.sum(-1, keepdim=True)))
        return tuple(results)

    columns = Dim("columns", min=1, max=300)
    call = lambda n: (torch.randn(1, 5, n), torch.randn(n))
    return of(forward, *call(37), dynamic=({2: columns}, {0: columns}), more=[call(n) for n in (1, 16, 65, 300)])


class ConvolutionsOfAnyRank(nn.Module):
    """Volumes, transposed convolutions, filters that are inputs or computed.

    in, out, filter, stride, padding, output padding, dilation, groups, sizes of the image; None: not transposed
    """
    shapes = [(3, 10, (3, 2, 3), (1, 2, 1), (1, 0, 1), None, 1, 1, (5, 4, 6)), (4, 17, 3, 2, 1, None, (1, 1, 2), 1, (6, 5, 7)),
              (6, 6, 3, 1, 1, None, 1, 6, (3, 4, 5)), (6, 9, (5, 1, 2), 1, (2, 0, 0), None, 1, 3, (2, 3, 4)),
              (5, 33, 4, 2, 1, 0, 1, 1, (5, 4)), (6, 8, 3, (3, 2), (0, 1), (2, 1), (1, 2), 2, (4, 5)),
              (8, 8, 3, 2, 1, 1, 1, 8, (4, 7)), (3, 4, (2, 5), (4, 1), 0, (3, 0), (1, 3), 1, (3, 6)),
              (4, 6, 3, (2, 4), 2, 1, (2, 4), 2, (5, 3)), (7, 3, 6, 3, 2, 2, 2, 1, (9,)),
              (2, 19, (1, 3, 2), (1, 2, 3), (0, 1, 1), (0, 1, 2), 1, 1, (2, 3, 3)), (17, 1, 1, 1, 0, 0, 1, 1, (3, 3))]

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([self.layer(*shape[:8], len(shape[8])) for shape in self.shapes])

    @staticmethod
    def layer(inputs, outputs, window, stride, padding, extra, dilation, groups, rank):
        if extra is None:
            kind = (nn.Conv1d, nn.Conv2d, nn.Conv3d)[rank - 1]
            return kind(inputs, outputs, window, stride, padding, dilation, groups)
        kind = (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)[rank - 1]
        return kind(inputs, outputs, window, stride, padding, extra, groups, True, dilation)

    def forward(self, filters, *images):
        results = [torch.relu(layer(x)) for layer, x in zip(self.layers, images)]
        results.append(F.conv2d(images[4], filters[0], padding=1))
        results.append(F.conv2d(images[6], filters[1], stride=2, padding=(2, 0), groups=8))
        results.append(F.conv_transpose2d(images[5], filters[2], stride=2, groups=2) * 2)
        results.append(F.conv2d(images[8], filters[3] * images[8].mean(), dilation=(1, 2), groups=2))
        return tuple(results)


@model
def convolutions_of_any_rank():
    def images(batch):
        return [torch.randn(batch + i % 2, shape[0], *shape[8]) for i, shape in enumerate(ConvolutionsOfAnyRank.shapes)]
    filters = [torch.randn(35, 5, 3, 3), torch.randn(8, 1, 5, 3), torch.randn(6, 7, 2, 3), torch.randn(6, 2, 3, 2)]
    sizes = tuple({0: Dim(f"batch{i}", min=1, max=8)} for i in range(len(ConvolutionsOfAnyRank.shapes)))
    return dict(module=ConvolutionsOfAnyRank(), args=(filters, *images(2)), dynamic=([{}] * 4, sizes), more=[(filters, *images(1))])


@model
def products_of_integers():
    def numbers(dtype, *sizes):
        low, high = max(torch.iinfo(dtype).min, -2**62), min(torch.iinfo(dtype).max, 2**62)
        return torch.randint(low, high, sizes).to(dtype)
    types = (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64)

    class Products(nn.Module):
        def __init__(self):
            super().__init__()
            for i, dtype in enumerate(types):
                self.register_buffer(f"weight{i}", numbers(dtype, 19, 37))

        def forward(self, matrices, batches):
            return [y for i, (x, b) in enumerate(zip(matrices, batches))
                    for y in (F.linear(x, getattr(self, f"weight{i}")), x.mT @ x + 1, b @ b.mT)]

    def args(rows, length):
        return [numbers(t, rows, 37) for t in types], [numbers(t, 3, 5, length) for t in types]
    rows, length = Dim("rows", min=1, max=64), Dim("length", min=1, max=64)
    return dict(module=Products(), args=args(6, 10), dynamic=([{0: rows}] * 5, [{2: length}] * 5), more=[args(1, 1), args(4, 33), args(21, 2)])


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.q, self.kv = nn.Linear(16, 16), nn.Linear(16, 32)
        self.up, self.down = nn.Linear(16, 48), nn.Linear(48, 16)

    def heads(self, x):
        return x.view(*x.shape[:2], 2, 8).transpose(1, 2)

    def forward(self, x, memory):
        k, v = self.kv(memory).chunk(2, -1)
        y = F.scaled_dot_product_attention(
            self.heads(self.q(self.norm(x))), self.heads(k), self.heads(v))
        x = x + y.transpose(1, 2).reshape(x.shape)
        return x + self.down(F.silu(self.up(self.norm(x))))


@model
def attention():
    return dict(module=Attention(),
                args=(torch.randn(2, 5, 16), torch.randn(2, 7, 16)))


@model
def attention_dynamic():
    batch, queries, keys = Dim("batch", max=32), Dim("q", max=64), Dim("k", max=64)
    call = lambda b, q, k: (torch.randn(b, q, 16), torch.randn(b, k, 16))
    return dict(module=Attention(), args=call(2, 5, 7),
                dynamic=({0: batch, 1: queries}, {0: batch, 1: keys}),
                more=[call(1, 1, 1), call(3, 31, 2), call(2, 1, 64)])


class Attentions(nn.Module):
    """Attention of sizes that are no multiples of any tile or block."""
    # batch, query heads, key heads, queries, keys, element size of keys, of values
    shapes = [(2, 2, 2, 17, 33, 5, 7), (1, 1, 1, 67, 67, 64, 40), (1, 4, 2, 9, 530, 5, 4), (2, 6, 2, 1, 301, 8, 8),
              (1, 2, 2, 3, 5, 33, 3), (1, 1, 1, 2, 40, 64, 17), (1, 2, 1, 70, 19, 8, 8), (1, 1, 1, 65, 257, 20, 17)]

    def forward(self, numbers, seen, lengths, *operands):
        calls, results = [operands[i:i + 3] for i in range(0, len(operands), 3)], []
        for i, ((q, k, v), shape) in enumerate(zip(calls, self.shapes)):
            gqa = shape[1] != shape[2]
            for causal in (False, True):
                y = F.scaled_dot_product_attention(q, k, v, is_causal=causal, enable_gqa=gqa,
                                                   scale=None if i % 2 else 0.3)
                results.append(y.transpose(1, 2).flatten(2) if i % 3 else torch.relu(y))
        (q, k, v), (q1, k1, v1), (q2, k2, v2) = calls[0], calls[3], calls[2]
        # As in decoders: heads stand behind the sequence, and keys are repeated by hand.
        heads = lambda x: x.transpose(1, 2).contiguous().transpose(1, 2)
        repeat = lambda x, n: x[:, :, None].expand(-1, -1, n, -1, -1).flatten(1, 2)
        attend = F.scaled_dot_product_attention
        return (*results, attend(q, k, v, numbers), attend(q, k, v, seen), attend(q, k, v, numbers[:1, :, :, :1]),
                attend(q, k, v, numbers[0, 0]), attend(q[0, 0], k[0, 0], v[0, 0], seen[0, 0]),
                attend(heads(q), heads(k), heads(v)[..., :4], seen).transpose(1, 2) + 1,
                attend(q1, repeat(k1, 3), repeat(v1, 3), lengths).transpose(1, 2),
                attend(q2, repeat(heads(k2), 2), repeat(heads(v2), 2)),
                attend(q, k[:, :, :0], v[:, :, :0]))


def attention_operands(shapes):
    for b, hq, hk, q, k, e, ev in shapes:
        yield from (torch.randn(b, hq, q, e), torch.randn(b, hk, k, e), torch.randn(b, hk, k, ev))


@model
def attentions():
    seen = torch.rand(2, 1, 17, 33) < 0.3
    seen[0, 0, 4] = False  # a row that sees no key
    lengths = torch.arange(301) < torch.tensor([300, 13])[:, None, None, None]
    return dict(module=Attentions(), args=(torch.randn(2, 1, 17, 33), seen, lengths,
                                           *attention_operands(Attentions.shapes)))


@model
def attention_lengths():
    """Any number of queries and keys, through masks and repeated heads."""
    def forward(q, k, v, past, mask):
        attend = F.scaled_dot_product_attention
        keys, values = torch.cat([past, k], 2), torch.cat([past, v], 2)
        mask = torch.cat([mask, q[:, :1] @ k[:, :1].transpose(2, 3)], 3)
        return (attend(q, keys, values, enable_gqa=True).transpose(1, 2).flatten(2),
                attend(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1), is_causal=True),
                attend(q[:, :2], keys, values, mask), attend(q[:, :2], keys, values, mask < 0.5))

    batch, length, before = Dim("batch", max=8), Dim("length", max=512), Dim("before", max=1024)
    def call(b, n, m):
        heads = lambda h, length: torch.randn(b, h, length, 12)
        return heads(4, n), heads(2, n), heads(2, n), heads(2, m), torch.randn(b, 1, n, m)
    return dict(module=of(forward)["module"], args=call(2, 5, 7),
                dynamic=({0: batch, 2: length},) * 3 + ({0: batch, 2: before}, {0: batch, 2: length, 3: before}),
                more=[call(1, 1, 300), call(1, 67, 500), call(2, 2, 1), call(1, 3, 253)])


@model
def attention_half():
    """Half precision is computed in f32 and rounded once; torch rounds the weights too."""
    def forward(*operands):
        attend = F.scaled_dot_product_attention
        return tuple(attend(*(x.to(dtype) for x in operands[i:i + 3]), is_causal=causal).float()
                     for i in range(0, len(operands), 3) for dtype in (torch.bfloat16, torch.float16) for causal in (False, True))

    shapes = [(1, 2, 2, 33, 37, 20, 9), (1, 2, 2, 1, 270, 16, 16)]
    return dict(module=of(forward)["module"], args=tuple(attention_operands(shapes)), rtol=1e-2, atol=1e-3)


@model
def attention_specials():
    """What is no finite number: NaN and infinities in each operand."""
    def forward(q, k, v, mask):
        attend = F.scaled_dot_product_attention
        return attend(q, k, v), attend(q, k, v, mask), attend(q[:, :, :1], k, v)

    q, k, v = torch.randn(1, 3, 9, 6), torch.randn(1, 3, 40, 6), torch.randn(1, 3, 40, 6)
    q[0, 0, 2, 1], q[0, 0, 4, 1] = float("nan"), float("inf")
    k[0, 1, 35, 0] = float("nan")
    v[0, 2, 3, 2], v[0, 2, 7, 4] = float("nan"), -float("inf")
    mask = torch.randn(9, 40)
    mask[3], mask[5, 6], mask[6, 7], mask[7, ::2] = -float("inf"), float("nan"), float("inf"), -float("inf")
    return dict(module=of(forward)["module"], args=(q, k, v, mask))


@model
def relation():
    def forward(x, y):
        z = torch.cat([x, y[:, :-1]], 1).mean(1)
        return z / x.shape[1], y.amax((0, 1)), torch.arange(2 * x.shape[1])

    n = Dim("n", min=3, max=100)
    call = lambda k: (torch.randn(2, k, 4), torch.randn(2, k + 1, 4))
    return of(forward, *call(6), dynamic=({1: n}, {1: n + 1}),
              more=[call(k) for k in (3, 17, 100)])


@model
def embedding():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(50, 12, padding_idx=0)
            self.bag = nn.EmbeddingBag(50, 12, mode="mean")

        def forward(self, ids, offsets):
            return self.table(ids), self.bag(ids.flatten(), offsets)

    return dict(module=Model(), args=(torch.randint(0, 50, (3, 4)),
                                      torch.tensor([0, 3, 3, 9])))


@model
def broadcast_contraction():
    """A summed dim that is 1 in one factor and longer in another."""
    def forward(x, y, z):
        return (torch.einsum("ij,jk->ik", x, y), torch.einsum("jk,ij->ik", y, x), torch.tensordot(x, y, 1),
                torch.einsum("ij,jk,kl->il", x, y, z), torch.einsum("bij,bjk->bik", x[None], z[:, None, :2]))

    return of(forward, torch.randn(2, 5), torch.randn(1, 3), torch.randn(3, 4))


# ------------------------------------------------- weights, inputs, outputs
@model
def tied_weights():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(30, 8)
            self.head = nn.Linear(8, 30, bias=False)
            self.head.weight = self.embed.weight
            self.strided = nn.Parameter(torch.randn(6, 8).t())
            base = torch.randn(64)
            self.register_buffer("even", base[0:32:2])
            self.register_buffer("tail", base[16:24])

        def forward(self, ids):
            x = self.embed(ids)
            return self.head(x), (x + self.tail) @ self.strided, self.even * 2

    return dict(module=Model(), args=(torch.randint(0, 30, (2, 5)),))


@model
def mixture():
    """A little of all that versions of torch have written differently."""
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(7, 4)
            self.head = nn.Linear(4, 7, bias=False)
            self.head.weight = self.embed.weight
            self.memory = nn.LSTM(4, 3, batch_first=True)
            self.strided = nn.Parameter(torch.randn(3, 4).t())
            self.register_buffer("calls", torch.zeros(()))
            self.register_buffer("shift", torch.randn(4), persistent=False)
            self.scale = torch.tensor([0.5, 2.0, 1.0])

        def forward(self, batch, factor, nothing, mode):
            self.calls.add_(1)
            x = self.embed(batch["ids"])
            y, (h, c) = self.memory(x + self.shift)
            z = torch.cond(y.sum() > 0, lambda z: z.sin() + 1, lambda z: z * 2, (y[:, -1],))
            kept = torch.nonzero(batch["rest"][0])
            return {"logits": self.head(x), "state": (h, c)}, [z * factor * self.scale, x @ self.strided], kept

    call = lambda n: ({"ids": torch.randint(0, 7, (n, 2)), "rest": [torch.tensor([0, 3, 0, 1])]}, 0.1, None, "it's == 'a'")
    batch = Dim("batch", min=1, max=64)
    return dict(module=Model(), args=call(2), dynamic=({"ids": {0: batch}, "rest": [None]}, None, None, None),
                more=[call(5)])


@model
def nested_io():
    def forward(batch, pair):
        a, (b, c) = batch["a"], pair
        return {"sum": a + b, "list": [a * c, (b, None)], "scale": 2}

    batch = {"a": torch.randn(3, 4), "unused": torch.randn(2)}
    return of(forward, batch, (torch.randn(3, 4), torch.randn(4)))


@model
def constants():
    def forward(x, n, flag, nothing, factor, mode):
        y = x.sum(-1) if flag else x
        y = y * n + factor if nothing is None else y
        return y.relu() if mode == "relu" else y

    return of(forward, torch.randn(3, 5), 3, True, None, 0.25, "relu")


@model
def strided_input():
    return of(lambda x, y: (x @ y, x.reshape(-1)[3:7]),
              torch.randn(5, 4).t(), torch.randn(10, 6)[::2])


@model
def types():
    def forward(h, b, i, u, m, d, c):
        return (h + b, torch.where(m, i, u.to(torch.int64) - 7), b.float() * 3,
                i // 3, u + 200, d.sqrt(), c * c.conj(), m ^ (i > 0))

    return of(forward, torch.randn(6, dtype=torch.float16),
              torch.randn(6, dtype=torch.bfloat16),
              torch.randint(-9, 9, (6,)),
              torch.randint(0, 255, (6,), dtype=torch.uint8),
              torch.tensor([True, False, True, True, False, False]),
              torch.rand(6, dtype=torch.float64),
              torch.randn(6, dtype=torch.complex64))


@model
def bits_of_floats():
    """Subnormal and large 16-bit floats, seen as integers: no bit may change."""
    def forward(b, h, i):
        finite = i & ~0x400  # a signaling NaN may become a quiet one
        floats = (b, h, -i.view(torch.bfloat16), -finite.view(torch.float16),
                  torch.where(b > 0, b, i.view(torch.bfloat16)))
        return tuple(x.view(torch.int16) + 1 for x in floats)

    def patterns(infinity, dtype):
        low = torch.cat([torch.arange(200), torch.arange(infinity - 100, infinity + 1)])
        return torch.cat([low, low - 32768]).to(torch.int16).view(dtype)

    return of(forward, patterns(0x7f80, torch.bfloat16), patterns(0x7c00, torch.float16),
              patterns(0x7c00, torch.int16), float64=False)


@model
def view_outputs():
    """Views of inputs, weights and buffers, written and not."""
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(3, 4))
            self.register_buffer("state", torch.randn(5, 2))

        def forward(self, x, y):
            self.state.add_(1)
            y[0].mul_(2)
            return (x[1], x[1:, ::2], x.t()[2], x.view(-1)[3:7], y[0], y[1:].t(), self.weight[2, 1:],
                    self.weight.unsqueeze(0), self.state[3:], self.state[:, 1])

    return dict(module=Model(), args=(torch.randn(3, 4), torch.randn(2, 3)))


@model
def sibling_outputs():
    """Outputs that are views of others, of written memory, and of none."""
    def forward(x):
        y, z = x + 1, x * 2
        z[1].mul_(3)
        return y, y[1:], y.t(), y, z[0], z, z.view(-1)[2:5], (x - 1)[0]

    return of(forward, torch.randn(3, 4))


@model
def input_mutation():
    def forward(x, y):
        x.mul_(2).add_(1)
        y[1:].zero_()
        return x.sum(0), y.t()[0]

    return of(forward, torch.randn(3, 4), torch.randn(3, 4))


# ------------------------------------------------------------------- state
@model
def kv_cache():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(16, 48), nn.Linear(16, 16)
            self.register_buffer("k", torch.zeros(1, 10, 16))
            self.register_buffer("v", torch.zeros(1, 10, 16))

        def forward(self, x, position):
            q, k, v = self.qkv(x).chunk(3, -1)
            self.k.index_copy_(1, position, k)
            self.v.index_copy_(1, position, v)
            seen = torch.arange(10) <= position
            y = F.scaled_dot_product_attention(q, self.k, self.v, seen)
            return self.out(y)

    return dict(module=Model(), args=(torch.randn(1, 1, 16), torch.tensor([3])))


@model
def batch_statistics():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.norm = nn.BatchNorm1d(6)
            self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

        def forward(self, x):
            self.calls.add_(1)
            return self.norm(x)

    return dict(module=Model().train(), args=(torch.randn(9, 6),), training=True)


class SharedBuffers(nn.Module):
    """One memory under two names, and two memories that are parts of one tensor."""
    def __init__(self, again):
        super().__init__()
        base, halves = torch.randn(4, 6), torch.randn(8, 6)
        self.register_buffer("sum", base)
        self.register_buffer("again", again(base))
        self.register_buffer("upper", halves[:4])
        self.register_buffer("lower", halves[4:])

    def forward(self, x):
        before = self.again * 1
        self.sum.add_(x)
        self.lower[1:].mul_(2)
        return before, self.again * 2, self.upper + self.lower


# .double() would give each name a memory of its own.
@model
def shared_buffers():
    return dict(module=SharedBuffers(lambda base: base.view(4, 6)), args=(torch.randn(4, 6),), float64=False)


@model
def overlapping_buffers():
    return dict(module=SharedBuffers(lambda base: base[1:3]), args=(torch.randn(4, 6),), float64=False, refused=True)


@model
def tied_buffers():
    """A strict export names one of the two only, and not the one that torch names first."""
    class Counter(nn.Module):
        def __init__(self, total):
            super().__init__()
            self.register_buffer("total", total)

    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("sum", torch.randn(6))
            self.counter = Counter(self.sum)

        def forward(self, x):
            self.sum.add_(x.sum(0))
            return x * self.counter.total

    return dict(module=Model(), args=(torch.randn(4, 6),), float64=False, strict=True)


# ------------------------------------------------------------ control flow
@model
def control_flow():
    def forward(x, n):
        y = torch.cond(x.sum() > 0, lambda x: x.sin(), lambda x: x.cos() - 1, (x,))
        _, y = while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y * 1.5 - 0.5),
                          (torch.zeros((), dtype=torch.int64), y))
        return y

    return of(forward, torch.randn(4, 3), torch.tensor(5),
              more=[(torch.full((4, 3), k), torch.tensor(n))
                    for k, n in ((-1.0, 0), (0.5, 1), (-0.25, 9))])


@model
def scan_rnn():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = nn.Linear(10, 6)

        def forward(self, h, xs):
            def step(h, x):
                h = torch.tanh(self.cell(torch.cat([h, x], -1)))
                return h, h * 2
            return scan(step, h, xs, dim=0)

    return dict(module=Model(), args=(torch.randn(3, 6), torch.randn(7, 3, 4)))


@model
def unbacked():
    def forward(x):
        chosen = x[x > 0]
        return chosen * 2, torch.nonzero(x > 1)

    return of(forward, torch.randn(5, 4), more=[(torch.full((5, 4), -1.0),)])


# ------------------------------------- what depends on the data of the call
@model
def data_errors():
    def forward(x, index, divisor):
        torch._assert_async(x.sum() > 0, "the sum must be positive")
        return x[index], index // divisor

    return of(forward, torch.rand(5, 3), torch.tensor([0, 4, -1]), torch.tensor([2, 3, 1]))


# Each takes (x, y, index) with x: [4, 3], y: [2, 3], index: [2]; index-errors.py
# knows the order, and which of them count from the end.
INDEXING = dict(
    embedding=lambda x, y, i: F.embedding(i, x),
    embedding_bag=lambda x, y, i: F.embedding_bag(i, x, i.new_zeros(1)),
    index_select=lambda x, y, i: x.index_select(0, i),
    gather=lambda x, y, i: x.gather(0, i[:, None].expand(2, 3)),
    scatter_src=lambda x, y, i: x.scatter(0, i[:, None].expand(2, 3), y),
    scatter_value=lambda x, y, i: x.scatter(0, i[:, None].expand(2, 3), 7.0),
    scatter_add=lambda x, y, i: x.scatter_add(0, i[:, None].expand(2, 3), y),
    scatter_reduce=lambda x, y, i: x.scatter_reduce(0, i[:, None].expand(2, 3), y, "amax"),
    index_add=lambda x, y, i: x.index_add(0, i, y),
    index_copy=lambda x, y, i: x.index_copy(0, i, y),
    index_reduce=lambda x, y, i: x.index_reduce(0, i, y, "prod"),
    nll_loss=lambda x, y, i: F.nll_loss(y, i, reduction="none"),
    cross_entropy=lambda x, y, i: F.cross_entropy(y, i),
    one_hot=lambda x, y, i: F.one_hot(i, 4),
    index_fill=lambda x, y, i: x.index_fill(0, i, 7.0),
    index=lambda x, y, i: x[i],
    index_put=lambda x, y, i: x.index_put((i,), y),
    index_put_accumulate=lambda x, y, i: x.index_put((i,), y, accumulate=True),
    take=lambda x, y, i: x.take(i),
    put=lambda x, y, i: x.put(i, y[:, 0]),
    take_along_flat=lambda x, y, i: torch.take_along_dim(x, i),
)


@model
def index_errors():
    def forward(x, y, indices):
        return {name: use(x, y, indices[name]) for name, use in INDEXING.items()}

    return of(forward, torch.randn(4, 3), torch.randn(2, 3), {name: torch.tensor([0, 2]) for name in INDEXING})


@model
def take_along():
    return of(lambda x, i: torch.take_along_dim(x, i, 0), torch.randn(4, 3), torch.tensor([[0, 1, 2], [3, 1, 2]]),
              more=[(torch.randn(4, 3), torch.tensor([[-1, 4, 5], [0, 0, -9]]))])


@model
def division_errors():
    def forward(a, b):
        return [a[0] // b[0], torch.div(a[1], b[1], rounding_mode="trunc"), a[2] % b[2], torch.fmod(a[3], b[3]),
                a[4].div_(b[4], rounding_mode="floor"), 7 // b[5], 7 % b[6]]

    return of(forward, torch.full((7, 2), 9), torch.full((7, 2), 4))


@model
def dropout():
    def forward(x):
        return F.dropout(x, 0.25, training=True)

    return of(forward, torch.ones(64, 64), compare="statistics", training=True)


# -------------------------------------------------- what adze does not know
def unknown_operator(name, mutates, function):
    operator = torch.library.custom_op(f"unknown::{name}", function, mutates_args=mutates)
    operator.register_fake(lambda input: None if mutates else torch.empty_like(input))
    return operator


def rotate(input: torch.Tensor) -> torch.Tensor:
    return input.roll(1, -1)


def stir_(input: torch.Tensor) -> None:
    input.copy_(input.flip(0))


rotate = unknown_operator("rotate", (), rotate)
stir_ = unknown_operator("stir_", ("input",), stir_)


@model
def graph_breaks():
    class Model(nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = nn.Linear(8, 8)
            self.register_buffer("total", torch.arange(8.0))

        def forward(self, x, y):
            hidden = torch.relu(x @ x.t() + 1)
            left = rotate(hidden)
            right = rotate(y * 2)
            mixed = self.layer(left) + right
            stir_(self.total)
            flag = mixed.sum() > 0
            chosen = torch.cond(flag, lambda m: rotate(m), lambda m: m - 1, (mixed,))
            return torch.softmax(chosen, -1) + self.total, hidden.sum()

    return dict(module=Model(), args=(torch.randn(8, 8), torch.randn(8, 8)), refused=True)


# -------------------------------------------------------------- the archive
def wake(module):
    """Weights and statistics that keep signals near unit size."""
    with torch.no_grad():
        for p in module.parameters():
            p.add_(0.1 * torch.randn(p.shape))
        for m in module.modules():
            if isinstance(m, nn.modules.batchnorm._BatchNorm):
                m.running_mean.normal_()
                m.running_var.uniform_(0.5, 2)


def shorten_paths(program):
    """Archives must not say where they were made."""
    keep = lambda m: f'File "{m.group(1).split("site-packages/")[-1].rsplit("/", 1)[-1]}"'
    for module in program.graph_module.modules():
        for node in module.graph.nodes if hasattr(module, "graph") else ():
            if node.meta.get("stack_trace"):
                node.meta["stack_trace"] = re.sub(r'File "([^"]*)"', keep, node.meta["stack_trace"])


def clone(tree):
    return pytree.tree_map(lambda v: v.detach().clone(memory_format=torch.preserve_format)
                           if isinstance(v, torch.Tensor) else v, tree)


def double(tree):
    return pytree.tree_map(lambda v: v.double() if isinstance(v, torch.Tensor)
                           and v.is_floating_point() else v, tree)


def array(value):
    if isinstance(value, torch.Tensor):
        value = value.detach()
        return value.float().numpy() if value.dtype == torch.bfloat16 else value.resolve_conj().numpy().copy()
    return np.asarray(value)


def save(path, values, prefix):
    np.savez(path, **{f"{prefix}_{i}": array(v) for i, v in enumerate(values)
                      if v is not None and not isinstance(v, str)})


def call(module, args):
    """Flat outputs, and the flat inputs after the call."""
    torch.manual_seed(7)
    args = clone(args)
    return pytree.tree_leaves(module(*args)), pytree.tree_leaves(args)


def describe(value):
    if isinstance(value, torch.Tensor):
        return f"{value.dtype}{list(value.shape)}".removeprefix("torch.")
    return "none" if value is None else repr(value)


def is_bfloat16(value):
    return isinstance(value, torch.Tensor) and value.dtype == torch.bfloat16


def strides(value):
    is_strided = isinstance(value, torch.Tensor) and not value.is_contiguous()
    return list(value.stride()) if is_strided else None


def mutated(module, before, inputs, after):
    """Buffers and inputs that the call wrote."""
    same = lambda a, b: torch.equal(a, b) or (a.is_floating_point() and torch.allclose(a, b, 0, 0, equal_nan=True))
    written = {name: array(b) for name, b in module.named_buffers() if not same(b, before[name])}
    for i, (a, b) in enumerate(zip(inputs, after)):
        if isinstance(a, torch.Tensor) and not same(a, b):
            written[f"in_{i}"] = array(b)
    return written


def save_float64(module, args, folder):
    try:
        save(folder / "expected64.npz", call(copy.deepcopy(module).double(), double(args))[0], "out")
    except RuntimeError as error:  # mixed types have no float64 twin
        print(f"  no float64 answer: {str(error).splitlines()[0]}")


def export(name, folder):
    torch.manual_seed(sum(map(ord, name)))
    spec = MODELS[name]()
    module, args, compare = spec["module"], spec["args"], spec.get("compare", "values")
    module.train(spec.get("training", False))
    wake(module)
    program = torch.export.export(copy.deepcopy(module), clone(args), dynamic_shapes=spec.get("dynamic"),
                                  strict=spec.get("strict", False))
    shorten_paths(program)
    folder.mkdir(parents=True, exist_ok=True)
    torch.export.save(program, str(folder / "model.pt2"))

    inputs, first = pytree.tree_leaves(args), copy.deepcopy(module)
    before = {n: b.clone() for n, b in first.named_buffers()}
    outputs, after = call(first, args)
    save(folder / "inputs.npz", inputs, "in")
    save(folder / "expected.npz", outputs, "out")
    written = mutated(first, before, inputs, after)
    if written:
        np.savez(folder / "mutated.npz", **written)
    if compare == "values" and spec.get("float64", True):
        save_float64(module, args, folder)
    for i, more in enumerate(spec.get("more", [])):
        save(folder / f"more_inputs_{i}.npz", pytree.tree_leaves(more), "in")
        save(folder / f"more_expected_{i}.npz", call(copy.deepcopy(module), more)[0], "out")
    info = dict(name=name, training=False, torch=torch.__version__, compare=compare,
                rtol=spec.get("rtol", 1e-4), atol=spec.get("atol", 0.0), atol_rms=1e-5, noise_rms=8.0,
                inputs=[describe(v) for v in inputs], mutates=sorted(written))
    if spec.get("refused"):
        info["refused"] = True
    if any(map(is_bfloat16, outputs)):  # which npz does not know
        info["outputs"] = [describe(v) if is_bfloat16(v) else None for v in outputs]
    if any(map(strides, inputs)):
        info["input_strides"] = [strides(v) for v in inputs]
    (folder / "case.json").write_text(json.dumps(info, indent=1) + "\n")


def main():
    by_torch = sys.argv[1] == "--by-torch"
    out, *names = sys.argv[1 + by_torch:]
    for name in names or MODELS:
        folder = pathlib.Path(out, name + by_torch * f"-{torch.__version__.split('+')[0]}")
        export(name, folder)
        print(f"{folder.name}: {sum(f.stat().st_size for f in folder.iterdir())} bytes", flush=True)


if __name__ == "__main__":
    main()
