#!/usr/bin/env python3
"""rename-op.py IN.pt2 OUT.pt2 OLD NEW: names an operator of a program anew."""
import sys
import zipfile

source, target, old, new = sys.argv[1:]
with zipfile.ZipFile(source) as a, zipfile.ZipFile(target, "w") as b:
    for name in a.namelist():
        b.writestr(name, a.read(name).replace(old.encode(), new.encode()))
