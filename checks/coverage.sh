#!/usr/bin/env bash
# Lines and branches of the codec and the kernels that the crate's own tests reach, file by file,
# and those that they miss.
#
# A generic line counts as reached where one of its types reaches it. What this machine does not
# compile is not counted: the kernels of other architectures, and builds without `std`.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-llvm-cov >/dev/null || { echo "cargo-llvm-cov is missing: cargo install cargo-llvm-cov --locked"; exit 1; }

# Branches are for the nightly compiler; without one, lines alone.
toolchain=() branch=()
if rustc +nightly --version >/dev/null 2>&1; then
    toolchain=(+nightly) branch=(--branch)
else
    echo "no nightly compiler: branches are not counted"
fi

# The tools must be of the compiler's own LLVM: its component llvm-tools, or the system's of that
# version.
tools=$(dirname "$(compgen -G "$(rustc "${toolchain[@]}" --print sysroot)/lib/rustlib/*/bin/llvm-cov" || true)")
if [ ! -x "$tools/llvm-cov" ]; then
    version=$(rustc "${toolchain[@]}" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    tools=/usr/lib/llvm-$version/bin
fi
export LLVM_COV=${LLVM_COV:-$tools/llvm-cov} LLVM_PROFDATA=${LLVM_PROFDATA:-$tools/llvm-profdata}
if [ ! -x "$LLVM_COV" ]; then
    echo "llvm-cov ${version:-} is missing: rustup component add llvm-tools, or apt install llvm-${version:-}"
    exit 1
fi

build=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# Tests of the tests reach nothing that the tests do not.
cargo "${toolchain[@]}" llvm-cov "${branch[@]}" --no-report --package zigzag-varint --locked \
    --features bytes,embedded-io,tokio-util --lib --tests -- --skip the_suite_detects_every_injected_fault
build=$build/llvm-cov-target
"$LLVM_PROFDATA" merge --sparse "$build"/*.profraw --output="$build/codec.profdata"

# Each test program by itself: of a function that several have, llvm-cov takes the first that it
# finds, which may be one that never ran.
for program in "$build"/debug/deps/*; do
    case $program in *.*) continue ;; esac
    "$LLVM_COV" export --format=lcov --instr-profile="$build/codec.profdata" "$program" 2>/dev/null
done | awk -f checks/coverage.awk
