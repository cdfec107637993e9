#!/usr/bin/env bash
# Runs every test program under AddressSanitizer: an access outside an allocation, after its end or to
# a dead stack frame ends it. First, injected faults must be caught in every kernel, so that a run
# without the sanitizer cannot pass. The last lines are a table. The sanitizer does not see into
# assembly, which touches memory in one place: where AVX-512 stores a single value
# (src/simd/single/x86.rs). Guard pages watch that (tests/codec/guarded_singles.rs).
#   checks/asan.sh                  all of them
#   checks/asan.sh codec sweep      the injected faults and two test programs
set -euo pipefail
cd "$(dirname "$0")/.."

triple=x86_64-unknown-linux-gnu
features=sweep,profile,http,bytes,embedded-io,tokio-util

# Code that is watched takes several times as long: as under emulation, loops over places take every
# seventh, all of them in turns, and there are fewer random cases. Both can be set otherwise.
export ZIGZAG_VARINT_TEST_STRIDE=${ZIGZAG_VARINT_TEST_STRIDE:-7} PROPTEST_CASES=${PROPTEST_CASES:-256}

# Whether memory is given back is not what this looks for: some tests keep theirs on purpose, to
# count it.
export ASAN_OPTIONS=detect_leaks=0

# Tests that are left out, and why. Nothing else is, but for the program `capture` of the profiler,
# all of whose tests take profiles.
unwinder="pprof's unwinder has write(2) tell whether a place on the stack can be read, which counts as reading it"
space="it limits the address space, of which the sanitizer reserves terabytes"
declare -A left_out=(
    [a_sweep_with_a_million_panics_can_be_profiled]=$unwinder
    [http_profile::]=$unwinder
    [a_sweep_writes_its_profiles_and_prints_the_top_functions]=$unwinder
    [reports_of_any_content_take_bounded_memory]=$space
    [children_that_write_without_end_take_bounded_memory]=$space
)

if [ "$(uname -sm)" != "Linux x86_64" ]; then
    echo "skipped: the kernels for x86-64 are what this is about, and the sanitizer's library is taken for Linux"
    exit
fi
if ! cargo +nightly --version >/dev/null 2>&1; then
    echo "skipped, for want of a nightly toolchain: rustup toolchain install nightly"
    exit
fi

# Only what is built for a named target is watched, not the programs that help to build it.
watched() {
    RUSTFLAGS="${RUSTFLAGS:-} -Zsanitizer=address" CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/asan \
        cargo +nightly test -p zigzag-varint -p varint-sweep -p pprof-views --locked --target $triple --features $features "$@"
}

printf '\n== injected faults\n'
# Where in the source they are is of no interest, and takes the most time.
ASAN_OPTIONS=$ASAN_OPTIONS:symbolize=0 watched --test codec -- --ignored --nocapture over_read::address_sanitizer

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
watched --no-fail-fast "${programs[@]}" -- "${skip[@]}" 2>&1 | tee "$log" || ended=$?

printf '\n%-24s  %7s  %7s  %7s  %9s\n' program passed failed ignored "left out"
awk '
    function row() { if (program) { printf "%-24s  %7s  %7s  %7s  %9s\n", program, passed, failed, ignored, out; all += passed } }
    /^ +Running / { row(); program = $2 == "unittests" ? $3 : $2; passed = failed = ignored = out = "-" }
    /^test result: / { passed = $4; failed = $6; ignored = $8; out = $12 }
    END { row(); print "passed in all: " all + 0; exit all == 0 }
' "$log" || ended=1
echo "left out: the program capture: $unwinder"
for name in "${!left_out[@]}"; do echo "left out: $name: ${left_out[$name]}"; done
exit "$ended"
