#!/usr/bin/env bash
# Makes mutants of the codec or of the engine, with one small change each, and counts those that the
# tests notice:
#   checks/mutants.sh codec                             all mutants of the codec, which takes hours
#   checks/mutants.sh engine 0/32                       a sample of those of the engine: every 32nd
#   checks/mutants.sh codec 0/1 --file 'src/delta/**'   options of cargo-mutants
#
# .cargo/mutants.toml names the files that are left out, and why. A missed mutant may be correct:
# kernels leave uncertain cases to the scalar loop, so a change that leaves it more of them only costs
# speed. Mutants that the compiler or a test does not finish count as timed out.
set -euo pipefail
cd "$(dirname "$0")/.."

shard=${2:-0/1}
case ${1:-} in
    codec) options=(--package zigzag-varint --test-package zigzag-varint,zigzag-varint-tests --features bytes,embedded-io,tokio-util) ;;
    engine) options=(--package every-input --all-features) ;;
    *) echo "no part '${1:-}'; available: codec engine" >&2; exit 2 ;;
esac
out=$(realpath -m "${CARGO_TARGET_DIR:-target}")/mutants/$1
mkdir -p "$out"
# Without these, most of the time goes into compiling and into backtraces of panics that tests expect.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=1 RUST_BACKTRACE=0
code=0
# Tests end at the first failure. The option for that is unstable, so the test programs, not the
# compiler, get the variable that allows it.
# The tests of a second package do not count as those of the baseline, so a multiple of its time would be too short.
cargo mutants "${options[@]}" --output "$out" --colors never --timeout 300 --build-timeout 600 \
    --shard "$shard" --sharding round-robin "${@:3}" -C=--locked -C=--tests \
    -C=--config="target.'cfg(all())'.runner = ['env', 'RUSTC_BOOTSTRAP=1']" \
    -- -- -Zunstable-options --fail-fast || code=$?
# Some mutants were missed (2) or timed out (3): both are results.
[[ $code = [023] ]] || exit $code
jq -r --arg shard "$shard" '"figure: sample=\($shard); mutants=\(.total_mutants); caught=\(.caught); timed out=\(.timeout); unviable=\(.unviable); missed=\(.missed)"' \
    "$out/mutants.out/outcomes.json"
cat "$out/mutants.out/missed.txt"
