#!/usr/bin/env bash
# Measures the kernels in WebAssembly under node, whose optimizing compiler compiles all at the start.
set -euo pipefail
cd "$(dirname "$0")/bare"
source ../../toolchain.sh
export RUSTFLAGS="-Clinker=$(find_linker wasm-ld) -Ctarget-feature=+simd128 -Clink-arg=-zstack-size=4194304"
RUSTC_BOOTSTRAP=1 RUSTC=$rustc "${rustc%/*}/cargo" build --quiet --locked --profile speed -p wasm-speed \
    --target wasm32-unknown-unknown -Zbuild-std=core --target-dir ../../../target/targets
node --no-liftoff wasm/run.mjs ../../../target/targets/wasm32-unknown-unknown/speed/wasm_speed.wasm
