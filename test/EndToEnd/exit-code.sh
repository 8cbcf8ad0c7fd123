#!/bin/sh
# exit-code.sh CODE COMMAND...: succeeds if the command exits with CODE.
wanted=$1
shift
"$@"
found=$?
[ $found -eq "$wanted" ] || { echo "expected exit code $wanted, but found $found" >&2; exit 1; }
