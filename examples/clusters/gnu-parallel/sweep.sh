#!/bin/bash
# Runs the shards of a sweep with GNU parallel, on this machine or over ssh, and merges them:
#   sweep.sh SHARDS [--sshlogin LIST] -- ARGUMENTS OF SWEEP...
# Run it in a folder that has the same path on all machines. Started again after a crash, it does only
# the missing work. The seed of a sample is SEED, or a random number.
set -euo pipefail
SWEEP=${SWEEP:-sweep} # the program; a path must be valid on every machine
shards=${1:?missing number of shards}
shift
options=()
while [ "${1:---}" != -- ]; do options+=("$1"); shift; done
shift || true

# Exit codes 1 to 4 would be the same after a retry, so they count as success for GNU parallel. The
# merge reports the problem.
once() {
    cd "$2"
    "$1" "${@:6}" --seed "$5" --shard "$3/$4" --checkpoint "shard-$3.json" --no-progress \
        >"shard-$3.log" 2>&1 || code=$?
    case ${code:-0} in [0-4]) ;; *) exit "$code" ;; esac
}
export -f once
# Shards of a sample need one seed, also when they are started again.
[ -e seed ] || echo "${SEED:-$((RANDOM << 15 | RANDOM))}" >seed
seq "$shards" | parallel --jobs 1 "${options[@]}" --env once --retries 5 --joblog shards.log --resume-failed \
    once "$SWEEP" "$PWD" {} "$shards" "$(<seed)" "${@@Q}" || true
exec "$SWEEP" merge shard-*.json --json sweep.json
