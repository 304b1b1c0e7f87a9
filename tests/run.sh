#!/usr/bin/env bash
# Installs what the tests need, builds, and runs them all. Arguments go to ctest.
#   tests/run.sh [-L fast] [-R NAME] ...
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cmake/install_packages.sh build run-example test
cmake/install_readers.sh
cmake/build_release.sh
exec nice ctest --test-dir build/release --output-on-failure --no-tests=error --parallel 2 "$@"
