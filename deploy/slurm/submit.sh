#!/bin/bash
# Submits a sweep as an array job and its merge: submit.sh SHARDS [ARGUMENTS OF SWEEP...]
# Run it in an empty folder that all nodes see. For the array's own options set SBATCH_* variables, such as SBATCH_TIMELIMIT.
set -euo pipefail
shards=${1:?how many shards?}
shift
here=$(cd "$(dirname "$0")" && pwd)
array=$(sbatch --parsable --array="1-$shards" "$here/sweep.sbatch" "$@")
# Whatever became of the shards: the merge names what is missing.
merge=$(sbatch --parsable --dependency="afterany:$array" "$here/merge.sbatch")
echo "array $array, merge $merge"
