#!/usr/bin/env bash
# Proves properties of the crate's compiled code for all inputs, and shows that injected faults are
# stopped (README.md). Arguments go to the prover: `proofs/run.sh --jobs 4`.
# `proofs/run.sh --self-test` tests the prover on libraries that it cannot prove.
set -euo pipefail
caller=$PWD
cd "$(dirname "$0")"

fail() { printf 'proofs: %s\n' "$*" >&2; exit 2; }

[ "$(uname -sm)" = "Linux x86_64" ] || fail "the proofs need x86-64 Linux (this is $(uname -sm))"
for tool in cargo python3 nm cc; do
    command -v "$tool" >/dev/null || fail "$tool is not installed; on Debian: apt install cargo python3 binutils gcc"
done
python3 -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
    fail "python3 must be 3.11 or newer, with venv and pip; on Debian: apt install python3-venv"

target=$(realpath -m "${CARGO_TARGET_DIR:-../target}")/proofs library=release/libzigzag_varint_exports.so
step_flags='--cfg proof_steps -Csymbol-mangling-version=v0'
# Users build without additional flags, so flags of the environment are removed.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS
build() { cargo build --quiet --release --locked --manifest-path exports/Cargo.toml --target-dir "$1"; }
build "$target" && RUSTFLAGS=$step_flags build "$target/steps" || fail "the library does not build"

# Made again when the pins change, or when an earlier attempt did not finish.
venv=$target/venv
if ! cmp --quiet requirements.txt "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv" && "$venv/bin/pip" install --quiet --disable-pip-version-check -r requirements.txt ||
        fail "python3 could not make a virtual environment with the packages of requirements.txt"
    cp requirements.txt "$venv/requirements.txt"
fi

printf 'crate      %s\n' "$(git describe --always --dirty 2>/dev/null || echo 'no git checkout')"
[[ " $*" = *" --of"* ]] || printf 'flags      cargo build --release, opt-level 3, target-cpu x86-64; for steps: %s\n' "$step_flags"
printf 'prover     %s, %s\n' "$("$venv/bin/python" --version)" "$(grep '==' requirements.txt | tr '\n' ' ')"
# Paths among the arguments are relative to the caller's folder. With -O, z3 does not check the sorts
# of the arguments of each term.
export PYTHONPATH=$PWD
prover() { exec "$venv/bin/python" -P -O -m "$@"; }
[ "${1:-}" != --self-test ] || prover unittest discover --start-directory tests
cd "$caller"
prover steps "$target/$library" "$target/steps/$library" "$@"
