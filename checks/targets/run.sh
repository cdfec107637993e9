#!/usr/bin/env bash
# Runs the crate's tests on other machines, most of them emulated, and prints a table. Targets that
# cannot run here are skipped, with the reason.
#   checks/targets/run.sh                        all targets
#   checks/targets/run.sh s390x i686             two of them
#   checks/targets/run.sh --packages s390x       print the Debian packages that the target needs
# The compiler can be any with the sources of its standard library (rustup component add rust-src).
set -euo pipefail
cd "$(dirname "$0")/../.."

all=(aarch64 s390x powerpc64 i686 thumbv7em wasm32 wasm32-simd128)
toolchain="rustc-web cargo-web rust-web-src"

# Under emulation loops over the positions of a stream take every seventh, with a moving start, so
# that all of them occur, and there are fewer random cases. aarch64 has a kernel of its own, so
# nothing is left out there.
share=(ZIGZAG_VARINT_TEST_STRIDE=7 PROPTEST_CASES=256)

packages=
if [ "${1:-}" = --packages ]; then
    packages=yes
    shift
fi
[ $# -gt 0 ] || set -- "${all[@]}"

# Sets the variables of a target: triple, the machine that the tests must report, compiler for
# linking, flags of rustc, command that runs programs, Debian packages.
describe() {
    effort=("${share[@]}")
    linker= runner= flags=
    triple=$1-unknown-linux-gnu gnu=$1-linux-gnu emulator=qemu-$1 debian=$1
    case $1 in
        aarch64) expected="aarch64 little-endian 64-bit" debian=arm64 effort=() ;;
        s390x) expected="s390x big-endian 64-bit" ;;
        powerpc64) expected="powerpc64 big-endian 64-bit" emulator=qemu-ppc64 debian=ppc64 ;;
        i686) expected="x86 little-endian 32-bit" emulator=qemu-i386 debian=i386 ;;
        thumbv7em)
            triple=thumbv7em-none-eabihf expected="arm little-endian 32-bit" linker=ld.lld emulator=qemu-system-arm
            runner="$emulator -machine mps2-an386 -nographic -semihosting-config enable=on,target=native -kernel"
            needs="lld-22 qemu-system-arm"
            ;;
        wasm32 | wasm32-simd128)
            triple=wasm32-unknown-unknown expected="wasm32 little-endian 32-bit" linker=wasm-ld emulator=node
            runner="$emulator checks/targets/bare/run.mjs"
            needs="lld-22 nodejs"
            [ "$1" = wasm32 ] || flags=-Ctarget-feature=+simd128
            ;;
        *)
            echo "no target named '$1'; available: ${all[*]}" >&2
            exit 2
            ;;
    esac
    [ -n "$linker" ] || needs="gcc-$gnu libc6-dev-$debian-cross qemu-user"
    [ -n "$rustc" ] || needs="$toolchain $needs"
}

# Sets `rustc`.
source checks/toolchain.sh

# Checks all names before anything is built.
for name in "$@"; do describe "$name"; done
if [ -n "$packages" ]; then
    for name in "$@"; do
        describe "$name"
        printf '%s\n' $needs
    done | sort -u
    exit
fi

# Runs the cargo of that compiler for the described target, with a separate target folder. Tests that are
# built with less optimisation run a tenth as fast under emulation.
cross() {
    local variable=${triple^^}
    variable=CARGO_TARGET_${variable//-/_}
    env "${variable}_LINKER=$linker" "${variable}_RUNNER=$runner" "${variable}_RUSTFLAGS=$flags" "${effort[@]}" \
        RUSTC_BOOTSTRAP=1 RUSTC="$rustc" RUSTDOC="${rustc%c}doc" EXPECTED_MACHINE="$expected" \
        CARGO_INCREMENTAL=0 CARGO_PROFILE_TEST_DEBUG=0 CARGO_TARGET_DIR="$target" \
        "${rustc%/*}/cargo" "$1" --locked --target "$triple" "${@:2}"
}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/targets

# Prints what is missing for the described target.
missing() {
    [ -n "$rustc" ] || printf ', Rust toolchain with library sources'
    [ -n "$linker" ] && command -v "$linker" >/dev/null || printf ', linker for %s' "$triple"
    command -v "$emulator" >/dev/null || printf ', %s' "$emulator"
}

# Runs all tests of the crate under an emulator.
emulated() {
    local crate=(-p zigzag-varint -p zigzag-varint-tests -Zbuild-std --features bytes,embedded-io,tokio-util)
    cross test "${crate[@]}" --test codec -- machine:: --nocapture &&
        cross test "${crate[@]}" --no-fail-fast --lib --tests
}

# Runs the core checks without an operating system, and checks the library with `alloc`.
bare() {
    local manifest=checks/targets/bare/Cargo.toml module=$target/$triple/release/examples/wasm.wasm
    cross check -p zigzag-varint -Zbuild-std=core,alloc --no-default-features --features alloc &&
        if [[ $name == wasm32* ]]; then
            cross build --manifest-path $manifest --example wasm --release -Zbuild-std=core &&
                $runner "$module"
        else
            cross run --manifest-path $manifest --bin cortex_m --release -Zbuild-std=core
        fi
}

log=$(mktemp)
trap 'rm -f "$log"' EXIT
rows=()
failed=0
for name in "$@"; do
    printf '\n== %s\n' "$name"
    describe "$name"
    if [ -n "$linker" ]; then
        linker=$(find_linker "$linker" || true)
        kind=bare
    else
        linker=$gnu-gcc runner="$emulator -L /usr/$gnu"
        # A 64-bit Linux on x86 can usually run 32-bit programs without an emulator. They name their
        # loader, so that a test can start its own program again.
        loader=/usr/$gnu/lib/ld-linux.so.2
        if [ "$name" = i686 ] && "$loader" --version >/dev/null 2>&1; then
            emulator=$loader runner=env effort=()
            flags="-Clink-arg=-Wl,--dynamic-linker=$loader,-rpath,/usr/$gnu/lib"
        fi
        kind=emulated
    fi
    lacking=$(missing)
    if [ -n "$lacking" ]; then
        rows+=("$name|none|not run: no ${lacking#, }")
        printf 'not run: no %s; on Debian: apt install %s\n' "${lacking#, }" "$needs"
        continue
    fi

    ended=0
    $kind 2>&1 | tee "$log" || ended=$?
    # Adds up the lines of test programs and core checks, such as `ok. 5 passed; 0 failed;` and
    # `core checks: 43 passed, ...`. A run that was interrupted has neither.
    count() { awk -v what="$1" '/^(test result|core checks):/ { gsub(/[,;]/, ""); for (i = 2; i <= NF; i++) if ($i == what) sum += $(i - 1) } END { print sum + 0 }' "$log"; }
    # The name of a running test may come before it in the line.
    machine=$(sed -n 's/.*machine: \([^,]*\).*/\1/p' "$log" | head -n 1)
    outcome="$(count passed) passed"
    if [ "$ended" -ne 0 ] || [ "$machine" != "$expected" ] || [ "$(count passed)" -eq 0 ]; then
        outcome="FAILED; $outcome"
        failed=1
    fi
    rows+=("$name|${machine:-none}|$outcome")
done

printf '\n'
for row in "${rows[@]}"; do
    IFS='|' read -r name machine outcome <<<"$row"
    echo "figure: target=$name; reported machine=$machine; tests=$outcome"
done
exit $failed
