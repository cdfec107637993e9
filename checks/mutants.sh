#!/usr/bin/env bash
# Makes mutants of the codec, with one small change each, and counts those that its tests notice:
#   checks/mutants.sh                               all mutants, which takes hours
#   checks/mutants.sh 0/8                           the first of eight samples of equal size
#   checks/mutants.sh 0/1 --file 'src/delta/**'     options of cargo-mutants
#
# .cargo/mutants.toml names the files that are left out, and why. A missed mutant may be correct:
# kernels leave uncertain cases to the scalar loop, so a change that leaves it more of them only costs
# speed. Mutants that the compiler or a test does not finish count as timed out.
set -euo pipefail
cd "$(dirname "$0")/.."

shard=${1:-0/1}
out=$(realpath -m "${CARGO_TARGET_DIR:-target}")
mkdir -p "$out"
# The codec is compiled for each mutant, so it has no debug information.
export CARGO_PROFILE_DEV_DEBUG=0
code=0
cargo mutants --package zigzag-varint --test-package zigzag-varint,zigzag-varint-tests --output "$out" --colors never \
    --timeout 900 --build-timeout 300 --shard "$shard" --sharding round-robin "${@:2}" || code=$?
# Some mutants were missed (2) or timed out (3): both are results.
[[ $code = [023] ]] || exit $code
jq -r --arg shard "$shard" '"figure: sample=\($shard); mutants=\(.total_mutants); caught=\(.caught); timed out=\(.timeout); unviable=\(.unviable); missed=\(.missed)"' \
    "$out/mutants.out/outcomes.json"
cat "$out/mutants.out/missed.txt"
