#!/bin/bash
# Runs all tests of a tree that tools/setup.sh has built.
#
#   tools/test.sh [--no-sanitizers] [--gcc]
#
# --gcc: builds with g++ too, which takes long; warnings are failures.
# ADZE_REQUIRE_ALL=1: a test that cannot run here (no torch) is a failure.
# ADZE_ZOO: folder of further cases; the default is ../shared/zoo/cases.
set -uo pipefail
cd "$(dirname "$0")/.."

failed=() passed=()

# step NAME COMMAND...
step() {
  local name=$1 start=$SECONDS
  shift
  echo "==== $name"
  if "$@"; then passed+=("$name"); else failed+=("$name"); fi
  echo "==== $name: $((SECONDS - start)) s"
}

# The test suites of the build: lit, GoogleTest, end to end, docs, torch.
release_tests() {
  local log=build/ctest.log
  ctest --test-dir build -j2 --output-on-failure | tee $log || return 1
  if [ -n "${ADZE_REQUIRE_ALL-}" ] && grep -q '(Skipped)' $log; then
    echo "error: tests were skipped, and ADZE_REQUIRE_ALL is set"
    return 1
  fi
}

check_format() {
  git ls-files '*.cpp' '*.h' | xargs clang-format-22 --dry-run --Werror
}

sanitized=(AdzeSupportTests FrontendTests FuzzReplayTests AdzeRuntimeTests AdzeRunnerTests)
fuzzers=(archive program pickle expression arrays)

build_sanitized() {
  cmake --preset asan -DPython3_EXECUTABLE="${ADZE_PYTHON:-/usr/bin/python3}" &&
    cmake --build --preset asan --target "${sanitized[@]}" "${fuzzers[@]/#/fuzz-}"
}

# fuzz NAME: a short run from a copy of the stored corpus.
fuzz() {
  local corpus=build-asan/corpus-$1
  rm -rf "$corpus" && cp -r "test/Fuzz/corpus/$1" "$corpus" &&
    build-asan/bin/fuzz-"$1" -max_total_time="${ADZE_FUZZ_SECONDS:-10}" \
      -verbosity=0 -artifact_prefix=build-asan/ "$corpus"
}

build_gcc() {
  cmake --preset gcc -DCMAKE_COMPILE_WARNING_AS_ERROR=ON &&
    cmake --build --preset gcc
}

has() { [[ " $arguments " == *" $1 "* ]]; }

arguments=$*
step "format" check_format
step "build" cmake --build --preset release
step "tests" release_tests
if ! has --no-sanitizers; then
  step "sanitizers: build" build_sanitized
  for test in "${sanitized[@]}"; do
    step "sanitizers: $test" build-asan/bin/"$test" --gtest_brief=1
  done
  for name in "${fuzzers[@]}"; do
    step "fuzz: $name" fuzz "$name"
  done
fi

! has --gcc || step "g++" build_gcc

printf 'failed: %s\n' "${failed[@]-none}"
echo "steps: ${#passed[@]} passed, ${#failed[@]} failed"
[ ${#failed[@]} = 0 ]
