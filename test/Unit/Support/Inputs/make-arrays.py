#!/usr/bin/env python3
"""Makes the NumPy files beside it, which NpzTest.cpp reads."""
import pathlib, numpy as np
from numpy.lib import format as npy

here = pathlib.Path(__file__).parent
ramp = np.arange(6).reshape(2, 3)
kinds = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
np.savez(here / "all-types.npz", **{np.dtype(k).name: ramp.astype(k) for k in kinds},
         big=ramp.astype(">i4"), big_complex=(ramp * (1 + 2j)).astype(">c8"), fortran=np.asfortranarray(ramp.astype("f4")),
         scalar=np.float64(2.5), empty=np.zeros((0, 3), "f4"), special=np.array([np.nan, np.inf, -np.inf, -0.0], "f4"))
np.savez_compressed(here / "compressed.npz", in_0=ramp.astype("f4"), in_2=np.zeros(1000, "i8"))
np.savez(here / "strings.npz", in_0=np.array(["a", "b"]))
for version in ((2, 0), (3, 0)):
    with open(here / f"format-{version[0]}.npy", "wb") as f:
        npy.write_array(f, ramp.astype("f4"), version=version)
