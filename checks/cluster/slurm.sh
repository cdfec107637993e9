#!/usr/bin/env bash
# Runs a sweep as an array job on a Slurm of four nodes on this host, kills a sweep and a node while
# it runs, and checks that the merged report is complete and exact. The daemons have their own key,
# sockets, ports and folders, and end with the script. Needs root, and Debian's packages slurm-wlm
# and munge.
set -euo pipefail
cd "$(dirname "$0")/../.."

for program in munged slurmctld slurmd sbatch scontrol; do
    command -v "$program" >/dev/null || { echo "no $program; run apt-get install slurm-wlm munge"; exit 1; }
done
[ "$(id -u)" = 0 ] || { echo "Slurm's daemons need root to start jobs"; exit 1; }

cargo build --locked --bin sweep
SWEEP=$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/debug/sweep
export SWEEP
jobs=$PWD/examples/clusters/slurm

root=$(mktemp -d -t sweep-slurm.XXXXXX)
chmod 755 "$root"
mkdir "$root"/{jobs,spool,state}
host=$(hostname -s)
ports=$((20000 + RANDOM % 10000))
daemons=()
finish() {
    local code=$?
    [ "$code" = 0 ] || tail -n 5 "$root"/*.log "$root"/jobs/*.log 2>/dev/null || true
    scancel --user root 2>/dev/null || true
    for file in "$root"/*.pid; do kill -9 "$(cat "$file")" 2>/dev/null || true; done
    for daemon in "${daemons[@]}"; do kill -9 "$daemon" 2>/dev/null || true; done
    pkill -9 -f "slurmstepd.*$root" 2>/dev/null || true
    rm -rf "$root"
    exit "$code"
}
trap finish EXIT

echo "== start"
dd if=/dev/urandom of="$root/munge.key" bs=128 count=1 status=none
chmod 400 "$root/munge.key"
start() {
    "$@" >>"$root/daemons.log" 2>&1 &
    daemons+=($!)
    disown
}
start munged --force --foreground --key-file="$root/munge.key" --socket="$root/munge.socket" \
    --pid-file="$root/munge.pid" --log-file="$root/munge.log" --seed-file="$root/munge.seed"
cat >"$root/slurm.conf" <<CONF
ClusterName=sweep
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ports
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$root/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$root/state
SlurmdSpoolDir=$root/spool/%n
SlurmctldPidFile=$root/slurmctld.pid
SlurmdPidFile=$root/slurmd-%n.pid
SlurmctldLogFile=$root/slurmctld.log
SlurmdLogFile=$root/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=15
KillWait=3
MinJobAge=300
$(for node in 1 2 3 4; do echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((ports + node)) CPUs=2"; done)
PartitionName=all Nodes=n1,n2,n3,n4 Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$root/slurm.conf"
for _ in $(seq 50); do [ -S "$root/munge.socket" ] && break || sleep 0.1; done
start slurmctld -D
for node in 1 2 3 4; do start slurmd -D -N "n$node"; done
for _ in $(seq 300); do [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 4 ] && break || sleep 0.1; done
sinfo

echo "== submit 8 shards of one thread each"
cd "$root/jobs"
# Byte by byte and on one thread, so that shards run long enough to be killed.
plan=(--codec decoder --exhaustive "--threads" 1 -1_000_000_000..=1_499_999_999)
"$jobs/submit.sh" 8 "${plan[@]}" | tee submitted
array=$(sed 's/array \([0-9]*\),.*/\1/' submitted)
merge=$(sed 's/.*merge //' submitted)
running() { squeue -h -j "$array" -t R -o '%K %N' | sort -n; }
for _ in $(seq 300); do [ "$(ls shard-*.json 2>/dev/null | wc -l)" -ge 4 ] && break || sleep 0.1; done
sleep 2
running

echo "== kill one sweep"
shard=$(running | head -n 1 | cut -d' ' -f1)
pkill -9 -f -- "sweep .*--checkpoint shard-$shard.json" && echo "SIGKILL to the sweep of shard $shard"

echo "== kill one node: its slurmd and all its processes"
read -r lost node < <(running | tail -n 1)
jobs_of() { grep -lsz "^SLURMD_NODENAME=$1\$" /proc/[0-9]*/environ | cut -d/ -f3; }
steps=$(for job in $(jobs_of "$node"); do ps -o ppid= -p "$job"; done | sort -u)
steps=$(for step in $steps; do ps -o pid=,comm= -p "$step" | awk '/slurmstepd/ { print $1 }'; done)
kill -9 "$(cat "$root/slurmd-$node.pid")"
# The steps first, because they would report the death of their processes.
for process in $steps $(jobs_of "$node"); do kill -9 "$process" 2>/dev/null || true; done
echo "killed slurmd of $node, where shard $lost ran"

echo "== wait for the merge"
for second in $(seq 600); do
    state=$(scontrol show job "$merge" 2>/dev/null | sed -n 's/.*JobState=\([A-Z]*\).*/\1/p')
    case $state in COMPLETED | FAILED | CANCELLED) break ;; esac
    if [ $((second % 20)) = 0 ]; then squeue -h -o '%i %T %N %r'; fi
    sleep 1
done
grep -H . shard-*.log | grep -E 'requeued|exit code|OK|error' || true
cat merge.log

echo "== check"
[ "$state" = COMPLETED ] || { echo "the merge job ended in state ${state:-unknown}"; exit 1; }
grep -q "requeued; it continues" "shard-$shard.log" || { echo "shard $shard was never requeued"; exit 1; }
grep -q "DUE TO NODE FAILURE\|node_fail\|Requeuing.*$node\|requeue job.*due to failure of node $node" "$root/slurmctld.log" ||
    { echo "Slurm did not detect the failure of $node"; exit 1; }
grep -h "due to failure of node\|not responding, setting DOWN" "$root/slurmctld.log" || true
"$SWEEP" --quiet --no-progress --exhaustive --codec decoder -1_000_000_000..=1_499_999_999 --json alone.json
for field in '"values"' '"complete"' '"failures"' '"fingerprint"'; do
    cluster=$(grep -m 1 "$field" sweep.json)
    alone=$(grep -m 1 "$field" alone.json)
    [ "$cluster" = "$alone" ] || { echo "the reports differ: $cluster / $alone"; exit 1; }
    echo "equal to the report of one machine:$cluster"
done
counts() { sed -n '/"by_length"/,/}/p' "$1"; }
[ "$(counts sweep.json)" = "$(counts alone.json)" ] || { echo "the counts per length differ"; exit 1; }
echo "the merged report is complete and exact"
