#!/usr/bin/env bash
# Fuzzes the named targets, or all of them, and prints a table. The exit code is 1 if a target
# failed.
#
#     fuzz/run.sh                      # a million executions of each target
#     fuzz/run.sh kernels apis 1e8     # 100 million executions of two of them
#     fuzz/run.sh 60s                  # 60 seconds for each
#     fuzz/run.sh table                # the table of all runs so far
#
# SANITIZER=none is several times as fast as the default, address. It misses reads outside a buffer
# that hit no guard page, and has a simpler search for new paths in the fast targets.
# FUZZ_LOGS names the folder of the logs, from which the table is made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

all=(kernels apis chunks bulk_chunks formats profiles reports answers arguments)
sanitizer=${SANITIZER:-address}
logs=${FUZZ_LOGS:-logs}

# Prints executions and seconds over all runs of a target with a sanitizer, the last coverage, and
# the number of runs that failed.
table() {
    shopt -s nullglob
    local files=("$logs"/*.log)
    [ ${#files[@]} -gt 0 ] || { echo "no logs in $logs; run a target first"; return; }
    awk '
        FNR == 1 {
            close_run()
            split(FILENAME, parts, "/"); split(parts[length(parts)], name, ".")
            key = name[1] " " name[2]; keys[key]; runs[key]++
            count = rate = seconds = 0
        }
        /^#[0-9]+\t/ {
            count = substr($1, 2)
            for (i = 2; i < NF; i++) {
                if ($i == "cov:") edges[key] = $(i + 1)
                if ($i == "exec/s:") rate = $(i + 1)
            }
        }
        /^Done [0-9]+ runs in/ { count = $2; seconds = $5 }
        /^SUMMARY: / { found[key]++ }
        function close_run() {
            if (!seconds && rate) seconds = count / rate
            executions[key] += count; time[key] += seconds
        }
        END {
            close_run()
            printf "%-10s %-8s %5s %14s %10s %7s %8s\n", "target", "sanitizer", "runs", "executions", "exec/s", "edges", "crashes"
            for (key in keys) {
                split(key, name, " ")
                printf "%-10s %-8s %6d %14.0f %10.0f %7d %8d\n", name[1], name[2], runs[key], executions[key], \
                    executions[key] / (time[key] ? time[key] : 1), edges[key], found[key] | "sort"
            }
            close("sort")
        }' "${files[@]}"
}

targets=()
limit=-runs=1000000
for word in "$@"; do
    case $word in
        table) table; exit ;;
        [0-9]*s) limit=-max_total_time=${word%s} ;;
        [0-9]*) limit=-runs=$(printf '%.0f' "$word") ;;
        *)
            [ -e "fuzz_targets/$word.rs" ] || { echo "no target named '$word'; available: ${all[*]}" >&2; exit 2; }
            targets+=("$word")
            ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")

if ! cargo +nightly fuzz --version >/dev/null 2>&1; then
    echo "skipped: no nightly toolchain or cargo-fuzz; run rustup toolchain install nightly, cargo install cargo-fuzz --locked"
    exit
fi
command -v c++ >/dev/null || { echo "skipped: no C++ compiler; on Debian: apt install g++"; exit; }

# Prints the maximum length of an input: several windows of a kernel, or a whole file. Longer inputs
# would be slower.
max_len() {
    case $1 in
        kernels) echo 160 ;;
        apis | chunks | bulk_chunks) echo 96 ;;
        formats) echo 48 ;;
        profiles) echo 2048 ;;
        reports) echo 4096 ;;
        *) echo 256 ;;
    esac
}

# Prints the features of a target. The fast targets do not need the program's code.
features() {
    case $1 in
        kernels | apis | chunks | bulk_chunks | formats) ;;
        *) echo "--features profile" ;;
    esac
}

case $sanitizer in
    none) building=(-s none --no-trace-compares) ;;
    *) building=(-s "$sanitizer") ;;
esac

# Writes the seeds, with the features that any of the targets needs.
seeding=()
for target in "${targets[@]}"; do
    [ -z "$(features "$target")" ] || seeding=($(features "$target"))
done
rm -rf seeds
cargo run --quiet --locked "${seeding[@]}" --bin seeds -- seeds

mkdir -p "$logs"
found=0
for target in "${targets[@]}"; do
    mkdir -p "corpus/$target" "crashes/$target"
    log=$logs/$target.$sanitizer.$(date +%Y%m%dT%H%M%S).log
    options=("$limit" "-max_len=$(max_len "$target")" -timeout=20 -rss_limit_mb=4096)
    # Choosing the next input by entropy takes longer than an execution of a fast target.
    [ "$sanitizer" != none ] || [ -n "$(features "$target")" ] || options+=(-entropic=0)
    [ ! -e "$target.dict" ] || options+=("-dict=$target.dict")
    echo "== $target, $sanitizer, $limit: $log"
    cargo +nightly fuzz run "${building[@]}" $(features "$target") "$target" "corpus/$target" "seeds/$target" "crashes/$target" -- "${options[@]}" \
        >"$log" 2>&1 || { found=1; grep -E '^(thread|SUMMARY|error|Test unit|artifact_prefix)' "$log" || tail -5 "$log"; }
done
table
exit $found
