#!/usr/bin/env bash
# Installs what the project needs from the packages of Debian 12 or Ubuntu 24.04, or newer. Does nothing, and needs no
# network, where all of it is there.
#   cmake/install_packages.sh GROUP...
set -euo pipefail

# What the build finds; the compiler's cache makes building again cheap. OpenBLAS replaces the reference BLAS, which is
# several times slower; it comes in the variant that shares OpenMP's threads with LibTorch.
build=(g++ cmake ninja-build ccache git
  libcaf-dev libtorch-dev libopenblas0-openmp libopencv-dev libjpeg-dev libarchive-dev
  libboost-dev libxxhash-dev zlib1g-dev
  libyaml-cpp-dev nlohmann-json3-dev libcli11-dev libfmt-dev doctest-dev)
# What app/examples/fashion-mnist.yaml trains on.
run_example=(dataset-fashion-mnist)
# What the tests run besides what they test.
test=(clang-format python3 python3-pip nodejs)
# What tests/bench makes its photos of, and the Python scripts that it compares with.
bench=(mate-backgrounds plasma-workspace-wallpapers lomiri-wallpapers-16.04 lomiri-wallpapers-20.04
  python3-torch python3-torchvision python3-pil)

usage() {
  echo "usage: $0 GROUP...    GROUP: build, run-example, test or bench" >&2
  exit 2
}

fail() {
  echo "$0: $*" >&2
  exit 1
}

# shellcheck source=/dev/null
check_system() {
  local file=${OS_RELEASE:-/etc/os-release} id='' version='' name='an unknown system'
  if [[ -r $file ]]; then
    id=$(. "$file" && echo "${ID:-}")
    version=$(. "$file" && echo "${VERSION_ID:-999}") # Debian's testing and unstable have no number.
    name=$(. "$file" && echo "${PRETTY_NAME:-$id}")
  fi
  case $id in
    debian) ((${version%%.*} >= 12)) && return ;;
    ubuntu) ((${version%%.*} >= 24)) && return ;;
  esac
  fail "this needs Debian 12 or Ubuntu 24.04, or newer, and here is $name. Install the counterparts of: $*"
}

as_root() {
  if [[ $(id -u) == 0 ]]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    fail "neither root nor sudo is there for: $*"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=300 "$@"
}

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

install_missing() {
  local missing=() package
  for package in "${packages[@]}"; do
    is_installed "$package" || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  check_system "${missing[@]}"
  echo "installing: ${missing[*]}"
  # Fresh lists are fetched only where the ones here do not know the packages, or know them by files that are gone.
  apt-get --simulate -q install "${missing[@]}" >/dev/null 2>&1 || apt_get update
  local install=(apt_get install --no-install-recommends "${missing[@]}")
  "${install[@]}" || { apt_get update && "${install[@]}"; }
}

# Another BLAS on the machine may have been chosen, for example OpenBLAS with threads of its own.
select_openmp_blas() {
  local folder triplet library name chosen
  folder=$(dpkg -L libopenblas0-openmp | sed -n 's|/libblas\.so\.3$||p')
  triplet=$(basename "$(dirname "$folder")")
  for library in libblas.so.3 liblapack.so.3 libopenblas.so.0; do
    name=$library-$triplet
    chosen=$(update-alternatives --query "$name" | sed -n 's/^Value: //p')
    if [[ $chosen != "$folder/$library" ]]; then
      echo "choosing $folder/$library as $library, instead of ${chosen:-none}"
      as_root update-alternatives --set "$name" "$folder/$library"
    fi
  done
}

(($#)) || usage
packages=()
for group in "$@"; do
  case $group in
    build) packages+=("${build[@]}") ;;
    run-example) packages+=("${run_example[@]}") ;;
    test) packages+=("${test[@]}") ;;
    bench) packages+=("${bench[@]}") ;;
    *) usage ;;
  esac
done
install_missing
if [[ " ${packages[*]} " == *" libopenblas0-openmp "* ]]; then
  select_openmp_blas
fi
