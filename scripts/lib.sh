# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2034
# Shared by the scripts of this project: what a Debian machine must have.

build_packages=(build-essential cmake ninja-build libjemalloc-dev
                libarchive-dev libbz2-dev pkg-config zlib1g-dev)
docs_packages=(furo man-db python3 python3-myst-parser python3-sphinx)
petsc_packages=(libpetsc-real-dev mpi-default-bin mpi-default-dev)
test_packages=("${build_packages[@]}" "${docs_packages[@]}" "${petsc_packages[@]}"
               libcriterion-dev chromium clang curl git libclang-rt-dev
               libgraphblas-dev libomp-dev libpython3-dev llvm meson python3
               python3-matplotlib python3-pytest python3-scipy spin fish man-db
               valgrind xz-utils zsh zstd)
wheel_packages=(libpython3-dev python3-venv)
coverage_packages=("${test_packages[@]}" gcovr)
package_packages=("${build_packages[@]}" debhelper dh-python dpkg-dev fakeroot
                  libpython3-dev python3-scipy)
migration_packages=(libgraphblas-dev libtrilinos-kokkos-dev
                    libtrilinos-kokkos-kernels-dev mpi-default-dev
                    libpetsc-real-dev python3-venv)
arm_packages=(gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
root_packages=(bc debootstrap git)
format_packages=(clang-format-14)
bench_packages=(g++ git libeigen3-dev libgraphblas-dev libhypre-dev
                libpetsc-real-dev libpython3-dev libtrilinos-kokkos-dev
                libtrilinos-kokkos-kernels-dev python3-scipy python3-venv)

say() { printf '==> %s\n' "$*"; }

die() {
    printf '%s\n' "$@" >&2
    exit 1
}

is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# Install those of the named packages that this machine lacks.
ensure_packages() {
    command -v dpkg-query >/dev/null || die \
        "This script installs packages on Debian and Ubuntu only." \
        "Install the equivalents of: $*" \
        "and build with: cmake --preset release && cmake --build --preset release"

    local package missing=() as_root=()
    for package in "$@"; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0

    local how="apt-get update && apt-get install -y ${missing[*]}"
    if ((EUID != 0)); then
        how="sudo apt-get update && sudo apt-get install -y ${missing[*]}"
        # Without a terminal nobody can type a password.
        if ! command -v sudo >/dev/null ||
           { [[ ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
            die "These packages are missing: ${missing[*]}" \
                "Ask an administrator to run:" "    $how"
        fi
        as_root=(sudo)
    fi

    say "installing ${missing[*]}"
    local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq)
    "${apt[@]}" update </dev/null ||
        say "the package lists could not be refreshed; trying those at hand"
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" </dev/null ||
        die "The packages could not be installed. Run:" "    $how" \
            "and then this script again."
}

# The files of this tree, each ended by a NUL: without what git ignores, where it
# is a clone.
list_sources() {
    if [[ -e .git ]] && command -v git >/dev/null; then
        git ls-files -z --cached --others --exclude-standard | while read -rd '' file; do
            [[ ! -e $file ]] || printf '%s\0' "$file"
        done
    else
        find . -path ./build -prune -o -type f -printf '%P\0'
    fi | sort -zu
}

# Configure a preset; further arguments are for cmake.
configure_preset() {
    say "configuring $1"
    cmake --preset "$@"
}

# Configure it and build all of it.
build_preset() {
    configure_preset "$@"
    say "building $1"
    cmake --build --preset "$1" --parallel "$(nproc)"
}

test_preset() {
    say "testing $1"
    ctest --preset "$1" --parallel "$(nproc)"
}
