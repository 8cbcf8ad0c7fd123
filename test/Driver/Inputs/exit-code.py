#!/usr/bin/env python3
"""exit-code.py CODE COMMAND...: succeeds if the command exits with CODE."""
import subprocess
import sys

code = subprocess.run(sys.argv[2:]).returncode
if code != int(sys.argv[1]):
    sys.exit(f"expected exit code {sys.argv[1]}, but found {code}")
