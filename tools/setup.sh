#!/bin/bash
# Set-up on Debian 12: installs what adze needs, builds it, compiles a program
# and verifies it.
#
#   tools/setup.sh [--packages-only]
#
# ADZE_PYTHON: the python3 that the tests use; one with torch 2.13 runs those
# that compare with it too.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  clang-22 clang-format-22 lld-22 llvm-22-dev llvm-22-tools libmlir-22-dev mlir-22-tools
  liblld-22-dev libclang-rt-22-dev
  g++ cmake ninja-build ccache git python3 python3-numpy python3-venv
  libzip-dev zlib1g-dev libzstd-dev nlohmann-json3-dev libcli11-dev
  libspdlog-dev libdlpack-dev libgtest-dev libgmock-dev
)

is_installed() {
  dpkg-query -W -f='${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed$'
}

install_packages() {
  local missing=() sudo=() package
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  [ "$(id -u)" = 0 ] || sudo=(sudo)
  echo "installing ${missing[*]}"
  "${sudo[@]}" apt-get update -q
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}"
}

build() {
  cmake --preset release -DPython3_EXECUTABLE="${ADZE_PYTHON:-/usr/bin/python3}"
  cmake --build --preset release
}

try_it() {
  local adze=$PWD/build/bin/adze case=$PWD/test/Inputs/cases/mlp_dynamic
  cd build
  "$adze" compile "$case/model.pt2" -o mlp_dynamic.adze
  "$adze" verify "$case"
}

install_packages
[ "${1-}" = --packages-only ] && exit
build
try_it
echo "adze is built: build/bin/adze --help"
