#!/usr/bin/env bash
# Runs the test programs under AddressSanitizer, which ends a program at an access outside an
# allocation, to freed memory or to a dead stack frame. First, it must catch injected faults in
# every kernel, so that a run without the sanitizer cannot pass.
#   checks/asan.sh                         all test programs
#   checks/asan.sh --test codec --lib      these; arguments of cargo test
# The sanitizer does not instrument assembly. Assembly accesses memory in one place, where AVX-512
# stores a single value (src/simd/single/avx512.rs). Guard pages check that
# (tests/codec/support/wire_types/check_values.rs).
set -euo pipefail
cd "$(dirname "$0")/.."

# Instrumented code is several times slower. As under emulation, loops over positions therefore take
# every seventh, with a moving start, and there are fewer random cases.
export ZIGZAG_VARINT_TEST_STRIDE=${ZIGZAG_VARINT_TEST_STRIDE:-7} PROPTEST_CASES=${PROPTEST_CASES:-256}
# Leaks are not checked: some tests leak memory on purpose, to count it.
export ASAN_OPTIONS=detect_leaks=0 CARGO_TERM_COLOR=never

# With --target, only the tested code is instrumented, not build scripts and macros.
instrumented() {
    RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address" CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan \
        cargo +nightly test -p zigzag-varint -p zigzag-varint-tests -p every-input -p pprof-views -p pprof-views-tests --locked \
        --target x86_64-unknown-linux-gnu --features sweep,profile,bytes,embedded-io,tokio-util "$@"
}

# Tests that take profiles are left out: pprof's unwinder calls write(2) to find out whether an address
# is readable, which the sanitizer reports. The program `capture` has no others.
skip=(--skip ignored_samples_are_counted_and_shown_nowhere
    --skip a_sweep_writes_its_profiles_and_prints_the_top_functions)
# Tests of this name limit the address space, and the sanitizer reserves terabytes.
skip+=(--skip take_bounded_memory)

printf '\n== injected faults\n'
# Symbols are not needed, and looking them up takes most of the time.
ASAN_OPTIONS=$ASAN_OPTIONS:symbolize=0 instrumented --test codec -- --ignored --nocapture over_read::address_sanitizer

printf '\n== tests\n'
[ $# -gt 0 ] || set -- --lib --bins --test codec --test program --test engine --test files
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=0
instrumented --no-fail-fast "$@" -- "${skip[@]}" 2>&1 | tee "$log" || failed=1
awk '/^test result: / { passed += $4; wrong += $6 } END { printf "figure: passed=%d; failed=%d\n", passed, wrong; exit passed == 0 }' "$log" || failed=1
exit $failed
