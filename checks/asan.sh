#!/usr/bin/env bash
# Runs the test programs under AddressSanitizer, which ends a program at an access outside an
# allocation, to freed memory or to a dead stack frame. First, it must catch injected faults in
# every kernel, so that a run without the sanitizer cannot pass. The output ends with a table.
#   checks/asan.sh                  all test programs
#   checks/asan.sh codec program    the injected faults and two test programs
# The sanitizer does not instrument assembly. Assembly accesses memory in one place, where AVX-512
# stores a single value (src/simd/single/avx512.rs). Guard pages check that
# (tests/codec/guarded_singles.rs).
set -euo pipefail
cd "$(dirname "$0")/.."

triple=x86_64-unknown-linux-gnu
features=sweep,profile,http,bytes,embedded-io,tokio-util

# Instrumented code is several times slower. As under emulation, loops over positions therefore take
# every seventh, with a moving start, and there are fewer random cases.
export ZIGZAG_VARINT_TEST_STRIDE=${ZIGZAG_VARINT_TEST_STRIDE:-7} PROPTEST_CASES=${PROPTEST_CASES:-256}

# Leaks are not checked: some tests leak memory on purpose, to count it.
export ASAN_OPTIONS=detect_leaks=0

# The tests that are left out, and why. The program `capture` of the profiler is left out as well,
# because all of its tests take profiles.
unwinder="pprof's unwinder calls write(2) to find out whether an address is readable, which the sanitizer reports"
space="it limits the address space, and the sanitizer reserves terabytes"
declare -A left_out=(
    [a_sweep_with_a_million_panics_can_be_profiled]=$unwinder
    [http_profile::]=$unwinder
    [a_sweep_writes_its_profiles_and_prints_the_top_functions]=$unwinder
    [reports_of_any_content_take_bounded_memory]=$space
    [children_that_write_without_end_take_bounded_memory]=$space
)

if [ "$(uname -sm)" != "Linux x86_64" ]; then
    echo "skipped: this check is for the kernels of x86-64, on Linux (this is $(uname -sm))"
    exit
fi
if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "skipped: no nightly toolchain; run rustup toolchain install nightly"
    exit
fi

# With --target, only the tested code is instrumented, not build scripts and macros.
instrumented() {
    RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address" CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan \
        cargo +nightly test -p zigzag-varint -p zigzag-varint-tests -p varint-sweep -p pprof-views -p pprof-views-tests --locked --target $triple --features $features "$@"
}

printf '\n== injected faults\n'
# Symbols are not needed, and looking them up takes most of the time.
ASAN_OPTIONS=$ASAN_OPTIONS:symbolize=0 instrumented --test codec -- --ignored --nocapture over_read::address_sanitizer

programs=()
if [ $# -eq 0 ]; then
    programs=(--lib --bins)
    for file in {.,sweep,profile}/tests/*/main.rs; do
        program=${file#*tests/}
        set -- "$@" "${program%/main.rs}"
    done
fi
for program in "$@"; do
    programs+=(--test "$program")
done
skip=()
for name in "${!left_out[@]}"; do skip+=(--skip "$name"); done

printf '\n== tests\n'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ended=0
instrumented --no-fail-fast "${programs[@]}" -- "${skip[@]}" 2>&1 | tee "$log" || ended=$?

printf '\n%-24s  %7s  %7s  %7s  %9s\n' program passed failed ignored "left out"
awk '
    function row() { if (program) { printf "%-24s  %7s  %7s  %7s  %9s\n", program, passed, failed, ignored, out; all += passed } }
    /^ +Running / { row(); program = $2 == "unittests" ? $3 : $2; passed = failed = ignored = out = "-" }
    /^test result: / { passed = $4; failed = $6; ignored = $8; out = $12 }
    END { row(); print "passed in total: " all + 0; exit all == 0 }
' "$log" || ended=1
echo "left out: the program capture: $unwinder"
for name in "${!left_out[@]}"; do echo "left out: $name: ${left_out[$name]}"; done
exit "$ended"
