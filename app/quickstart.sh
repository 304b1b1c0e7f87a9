#!/usr/bin/env bash
# From a bare machine to a trained model: installs the packages, builds, trains on Fashion-MNIST. Run again, it trains
# again, into another folder. Works from any working directory.
#   app/quickstart.sh [key=value ...]      for a quick try: train.epochs=1 data.train.limit=6000
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

runs=runs
for argument in "$@"; do
  if [[ $argument == run.dir=* ]]; then
    runs=${argument#*=}
  elif [[ $argument != *=* || $argument == -* ]]; then
    echo "usage: $0 [key=value ...]    (all keys: build/release/troupe train --help-config)" >&2
    exit 2
  fi
done

cmake/install_packages.sh build run-example
cmake/build_release.sh troupe

folders() {
  find "$runs" -mindepth 1 -maxdepth 1 -type d 2>/dev/null | sort || true
}

before=$(folders)
code=0
build/release/troupe train app/examples/fashion-mnist.yaml "$@" || code=$?
run=$(comm -13 <(echo "$before") <(folders) | tail -n 1)
[[ -n $run ]] || exit "$code" # It did not begin, and has said why.

cat <<TEXT

The results are in $(realpath "$run")
  metrics.csv, validation.csv     loss, accuracy and speed over the steps
  summary.json                    how the run ended
  checkpoints/                    the newest models, and the best
Look at it next, from $PWD:
  tensorboard --logdir $runs
  build/release/troupe trace summary $run
Train on, from the newest checkpoint:
  build/release/troupe train $run/config.yaml train.epochs=20 --resume=$run
TEXT
exit "$code"
