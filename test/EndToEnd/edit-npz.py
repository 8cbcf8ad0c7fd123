#!/usr/bin/env python3
"""edit-npz.py IN OUT STATEMENT...: changes the arrays `a[NAME]` of an npz.

    edit-npz.py in.npz out.npz "a['in_0'] = a['in_0'][:1]" "del a['in_1']"
"""
import sys

import numpy as np

a = dict(np.load(sys.argv[1]))
for statement in sys.argv[3:]:
    exec(statement)
np.savez(sys.argv[2], **a)
