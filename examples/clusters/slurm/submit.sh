#!/bin/bash
# Submits a sweep as an array job, and a merge job after it: submit.sh SHARDS [ARGUMENTS OF SWEEP...]
# Run it in an empty folder that all nodes share. To set options of the array, use the environment
# variables SBATCH_*, such as SBATCH_TIMELIMIT.
set -euo pipefail
shards=${1:?missing number of shards}
shift
here=$(cd "$(dirname "$0")" && pwd)
array=$(sbatch --parsable --array="1-$shards" "$here/sweep.sbatch" "$@")
# The merge runs even if shards failed, and reports the missing ones.
merge=$(sbatch --parsable --dependency="afterany:$array" "$here/merge.sbatch")
echo "array $array, merge $merge"
