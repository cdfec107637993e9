#!/usr/bin/env bash
# Proves properties of the crate's compiled code for all inputs, and shows that injected faults are
# stopped (README.md). Needs Rust, python3 with venv and pip, binutils, a C compiler, and x86-64 Linux.
# Arguments go to the prover: `proofs/run.sh --jobs 4`.
set -euo pipefail
cd "$(dirname "$0")"

fail() { printf 'proofs: %s\n' "$*" >&2; exit 2; }

[ "$(uname -sm)" = "Linux x86_64" ] || fail "the proofs need x86-64 Linux (this is $(uname -sm))"
command -v cargo >/dev/null || fail "cargo is not installed; see https://rustup.rs"
command -v python3 >/dev/null || fail "python3 is not installed; on Debian: apt install python3 python3-venv"
python3 -c 'import ensurepip, venv' 2>/dev/null || fail "python3 has no venv or pip; on Debian: apt install python3-venv"
for tool in nm cc; do
    command -v "$tool" >/dev/null || fail "$tool is not installed; on Debian: apt install binutils gcc"
done
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || fail "python3 is too old; version 3.11 or newer is needed"

target=$(realpath -m "${CARGO_TARGET_DIR:-../target}")/proofs

# Users build without additional flags, so flags of the environment are removed.
unset RUSTFLAGS CARGO_ENCODED_RUSTFLAGS CARGO_BUILD_RUSTFLAGS
build() {
    cargo build --quiet --release --locked --manifest-path exports/Cargo.toml --target-dir "$1" ||
        fail "the library does not build"
}
library=release/libzigzag_varint_exports.so
build "$target"
step_flags='--cfg proof_steps -Csymbol-mangling-version=v0'
RUSTFLAGS=$step_flags build "$target/steps"

# Made again when the pins change, or when an earlier attempt did not finish.
venv=$target/venv
if ! cmp --quiet requirements.txt "$venv/requirements.txt"; then
    rm -rf "$venv"
    python3 -m venv "$venv" || fail "python3 could not make a virtual environment"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement requirements.txt ||
        fail "pip could not install the packages of requirements.txt"
    cp requirements.txt "$venv/requirements.txt"
fi

printf 'crate      %s\n' "$(git describe --always --dirty 2>/dev/null || echo 'no git checkout')"
printf 'rustc      %s\n' "$(rustc --version)"
printf 'flags      cargo build --release, RUSTFLAGS unset: opt-level 3, target-cpu x86-64; for steps: %s\n' "$step_flags"
printf 'prover     %s, %s\n' "$("$venv/bin/python" --version)" "$(grep -E '==' requirements.txt | tr '\n' ' ')"
# With -O, z3 does not check the sorts of the arguments of each term.
exec "$venv/bin/python" -O -m steps "$target/$library" "$target/steps/$library" "$@"
