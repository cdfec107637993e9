#!/bin/bash
# Runs a sweep in shards with GNU parallel, on this machine or over ssh, and merges them:
#   sweep.sh SHARDS [--sshlogin LIST] -- ARGUMENTS OF SWEEP...
# Run it in a folder that all machines see under the same name. Started again after a crash, it does only what is missing.
set -euo pipefail
SWEEP=${SWEEP:-sweep} # the program, by a path that holds on every machine
shards=${1:?how many shards?}
shift
engine=()
while [ "${1:---}" != -- ]; do engine+=("$1"); shift; done
shift || true

# A shard that ends with 2 or 3 would end so again; GNU parallel cannot tell, so this does: it ends well, and the merge judges.
once() {
    cd "$2"
    "$1" "${@:5}" --shard "$3/$4" --checkpoint "shard-$3.json" --no-progress >"shard-$3.log" 2>&1 || code=$?
    case ${code:-0} in 0 | 1 | 2 | 3) ;; *) exit "$code" ;; esac
}
export -f once
seq "$shards" | parallel --jobs 1 "${engine[@]}" --env once --retries 5 --joblog shards.log --resume-failed \
    once "$SWEEP" "$PWD" {} "$shards" "${@@Q}" || true
exec "$SWEEP" merge shard-*.json --json sweep.json
