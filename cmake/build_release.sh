#!/usr/bin/env bash
# Configures the preset release and builds it, from whatever working directory.
#   cmake/build_release.sh [TARGET...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# A file that includes LibTorch takes up to 2 GB of memory to compile.
kilobytes=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo)
jobs=$(nproc)
fitting=$((kilobytes / 2000000))
((fitting >= jobs)) || jobs=$((fitting > 1 ? fitting : 1))

cmake --preset release
targets=()
(($#)) && targets=(--target "$@")
nice cmake --build build/release --parallel "$jobs" "${targets[@]}"
