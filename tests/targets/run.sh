#!/usr/bin/env bash
# Runs the crate's tests on other machines, emulated, or builds it where there is no operating system to run them on.
# `tests/targets/run.sh s390x i686` for two of them, without arguments all. What cannot run here says what it lacks.
set -euo pipefail
cd "$(dirname "$0")/../.."

all=(aarch64 s390x powerpc64 i686 thumbv7em wasm32)
[ $# -gt 0 ] || set -- "${all[@]}"

# Any Rust with the sources of its standard library builds it for a target that nothing is installed for.
rustc=
for candidate in "$(command -v rustc || true)" /usr/bin/rustc; do
    if [ -x "$candidate" ] && [ -d "$("$candidate" --print sysroot)/lib/rustlib/src/rust/library" ]; then
        rustc=$candidate
        break
    fi
done

# The cargo beside that compiler, with a target folder of its own.
cross() {
    RUSTC_BOOTSTRAP=1 RUSTC=$rustc RUSTDOC=${rustc%c}doc CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/targets \
        "${rustc%/*}/cargo" "$1" -p zigzag-varint --locked "${@:2}"
}

# Whether the commands named are there; if not, the packages that bring them.
has() {
    local packages=$1 missing=()
    shift
    [ -n "$rustc" ] || missing+=("a Rust toolchain with library sources")
    for command in "$@"; do
        command -v "$command" >/dev/null || missing+=("$command")
    done
    [ ${#missing[@]} -eq 0 ] && return
    printf '%s: skipped, for want of:%s. On Debian: apt install rustc-web cargo-web rust-web-src %s\n' \
        "$name" "$(printf ' %s,' "${missing[@]}" | sed 's/,$//')" "$packages"
    return 1
}

# All tests, under an emulator.
emulated() {
    local triple=$1 machine=$2 gnu=$3 emulator=$4 packages=$5
    has "$packages qemu-user" "$gnu-gcc" "$emulator" || return 0
    local variable=${triple^^}
    variable=CARGO_TARGET_${variable//-/_}
    export "${variable}_LINKER=$gnu-gcc" "${variable}_RUNNER=$emulator -L /usr/$gnu" EXPECTED_MACHINE=$machine
    cross test --target "$triple" -Zbuild-std --test targets -- --nocapture
    cross test --target "$triple" -Zbuild-std --features bytes,embedded-io,tokio-util
}

# A library for bare metal, with nothing but core and, if asked for, alloc.
bare() {
    has "" || return 0
    for features in "" alloc; do
        cross build --target "$1" -Zbuild-std="core${features:+,$features}" --no-default-features --features "$features"
    done
}

for name in "$@"; do
    printf '\n== %s\n' "$name"
    case $name in
        aarch64)
            emulated aarch64-unknown-linux-gnu "aarch64 little-endian 64-bit" aarch64-linux-gnu qemu-aarch64 \
                "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"
            ;;
        s390x)
            emulated s390x-unknown-linux-gnu "s390x big-endian 64-bit" s390x-linux-gnu qemu-s390x \
                "gcc-s390x-linux-gnu libc6-dev-s390x-cross"
            ;;
        powerpc64)
            emulated powerpc64-unknown-linux-gnu "powerpc64 big-endian 64-bit" powerpc64-linux-gnu qemu-ppc64 \
                "gcc-powerpc64-linux-gnu libc6-dev-ppc64-cross"
            ;;
        i686)
            emulated i686-unknown-linux-gnu "x86 little-endian 32-bit" i686-linux-gnu qemu-i386 \
                "gcc-i686-linux-gnu libc6-dev-i386-cross"
            ;;
        thumbv7em) bare thumbv7em-none-eabihf ;;
        wasm32) bare wasm32-unknown-unknown ;;
        *)
            echo "no target named '$name'; there are: ${all[*]}" >&2
            exit 2
            ;;
    esac
done
