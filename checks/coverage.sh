#!/usr/bin/env bash
# Counts the lines and branches of the codec and the kernels that the crate's tests reach, by file,
# and lists those that they miss.
#
# A generic line is reached if one of its types reaches it. Code that is not compiled here is not
# counted: the kernels of other architectures, and builds without `std`.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-llvm-cov >/dev/null || { echo "cargo-llvm-cov is missing; run cargo install cargo-llvm-cov --locked"; exit 1; }

# Branch coverage needs a nightly compiler. Stable counts lines only.
toolchain=() branch=()
if rustc +nightly --version >/dev/null 2>&1; then
    toolchain=(+nightly) branch=(--branch)
else
    echo "no nightly compiler: branches are not counted"
fi

# The tools must have the compiler's version of LLVM: those of its component llvm-tools, or the
# system's.
tools=$(dirname "$(compgen -G "$(rustc "${toolchain[@]}" --print sysroot)/lib/rustlib/*/bin/llvm-cov" || true)")
if [ ! -x "$tools/llvm-cov" ]; then
    version=$(rustc "${toolchain[@]}" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    tools=/usr/lib/llvm-$version/bin
fi
export LLVM_COV=${LLVM_COV:-$tools/llvm-cov} LLVM_PROFDATA=${LLVM_PROFDATA:-$tools/llvm-profdata}
if [ ! -x "$LLVM_COV" ]; then
    echo "llvm-cov ${version:-} is missing; run rustup component add llvm-tools, or apt install llvm-${version:-}"
    exit 1
fi

build=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# Tests of the test suite itself are skipped: they add no coverage.
cargo "${toolchain[@]}" llvm-cov "${branch[@]}" --no-report --package zigzag-varint --package zigzag-varint-tests --locked \
    --features bytes,embedded-io,tokio-util --lib --tests -- --skip the_suite_detects_every_injected_fault
build=$build/llvm-cov-target
"$LLVM_PROFDATA" merge --sparse "$build"/*.profraw --output="$build/codec.profdata"

# Each test program is exported by itself. If several contain a function, llvm-cov takes the first
# one, which may never have run.
for program in "$build"/debug/deps/*; do
    case $program in *.*) continue ;; esac
    "$LLVM_COV" export --format=lcov --instr-profile="$build/codec.profdata" "$program" 2>/dev/null
done | awk -f checks/coverage.awk
