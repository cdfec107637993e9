#!/usr/bin/env bash
# Measures the kernels in WebAssembly under node, and prints the tables of docs/speed.md:
# nanoseconds per value, the least of 60 interleaved rounds.
#   checks/targets/wasm-speed.sh
# The compiler can be any with the sources of its standard library (rustup component add rust-src).
set -euo pipefail
cd "$(dirname "$0")/../.."
source checks/toolchain.sh
folder=checks/targets/bare target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/targets
linker=$(find_linker wasm-ld || true)

fail() {
    echo "wasm-speed: $1" >&2
    exit 1
}
[ -n "$rustc" ] || fail "no Rust toolchain with library sources; run: rustup component add rust-src"
[ -n "$linker" ] || fail "no linker for WebAssembly; install lld"
command -v node >/dev/null || fail "no program 'node'; install nodejs"

CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$linker RUSTFLAGS=-Ctarget-feature=+simd128 RUSTC_BOOTSTRAP=1 \
    RUSTC=$rustc CARGO_TARGET_DIR=$target "${rustc%/*}/cargo" build --quiet --locked --profile speed -p wasm-speed \
    --manifest-path $folder/Cargo.toml --target wasm32-unknown-unknown -Zbuild-std=core
echo "$("$rustc" --version), node $(node --version)"
# The optimizing compiler compiles everything before the start, so that the first rounds count too.
node --no-liftoff $folder/wasm/run.mjs "$target/wasm32-unknown-unknown/speed/wasm_speed.wasm"
