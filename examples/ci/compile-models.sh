#!/bin/sh
# Compiles every model of a folder, strictly, and verifies it: for every commit.
#
#   compile-models.sh MODELS OUT
#
# MODELS/NAME.pt2 becomes OUT/NAME.adze/, with OUT/NAME.diagnostics.jsonl (one
# JSON object per diagnostic) and OUT/NAME.times.json beside it. Exits with 1 if
# a model is at fault, with the first other code otherwise: those are not the
# models' fault. Compiling again gives the same bytes: OUT can be cached by the
# digest of MODELS and the version of adze.
set -u

models=$1 out=$2 adze=${ADZE:-adze} status=0
mkdir -p "$out" || exit 5

for model in "$models"/*.pt2; do
  name=$(basename "$model" .pt2)
  "$adze" compile "$model" -o "$out/$name.adze" --fullgraph \
    --target-cpu="${TARGET_CPU:-x86-64-v3}" --diagnostics-format=json \
    --time-report=json >"$out/$name.times.json" 2>"$out/$name.diagnostics.jsonl"
  code=$?
  if [ $code -eq 0 ]; then
    "$adze" verify "$model" --fullgraph --json >"$out/$name.verdict.json" \
      2>>"$out/$name.diagnostics.jsonl"
    code=$?
  fi
  case $code in
    0) echo "ok      $name" ;;
    1) echo "refused $name: see $out/$name.diagnostics.jsonl"; status=1 ;;
    3) echo "differs $name: see $out/$name.verdict.json"; status=1 ;;
    *) echo "failed  $name with exit code $code"; exit $code ;;
  esac
done
exit $status
