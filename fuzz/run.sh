#!/usr/bin/env bash
# Fuzzes the named properties, or all of them. The exit code is 1 if one failed.
#     fuzz/run.sh                      # a million executions of each
#     fuzz/run.sh kernels apis 1e8     # 100 million executions of two of them
#     fuzz/run.sh 60s                  # 60 seconds for each
#
# SANITIZER=none is several times as fast as the default, address. It misses reads outside a buffer
# that hit no guard page, and has a simpler search for new paths in the fast ones.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# The maximum length of an input: several windows of a kernel, or a whole file. Longer inputs would be
# slower.
declare -A max_len=([kernels]=160 [apis]=96 [chunks]=96 [formats]=48 [reader]=128
    [profiles]=2048 [reports]=4096)
sanitizer=${SANITIZER:-address}
targets=() limit=-runs=1000000
for word in "$@"; do
    case $word in
        [0-9]*s) limit=-max_total_time=${word%s} ;;
        [0-9]*) limit=-runs=$(printf '%.0f' "$word") ;;
        *)
            [ -n "${max_len[$word]:-}" ] || { echo "no property named '$word'; available: ${!max_len[*]}" >&2; exit 2; }
            targets+=("$word")
            ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || targets=(kernels apis chunks formats reader profiles reports)
building=(-s "$sanitizer")
[ "$sanitizer" != none ] || building+=(--no-trace-compares)

rm -rf seeds
cargo run --quiet --locked --features profile --bin seeds -- seeds
mkdir -p logs
failed=0
for target in "${targets[@]}"; do
    mkdir -p "corpus/$target"
    log=logs/$target.$sanitizer.$(date +%Y%m%dT%H%M%S).log
    options=("$limit" "-max_len=${max_len[$target]}" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1)
    features=(--features profile)
    case $target in
        # These do not need the program's code. Choosing the next input by entropy takes longer than an
        # execution of them.
        kernels | apis | chunks | formats | reader)
            features=()
            [ "$sanitizer" != none ] || options+=(-entropic=0)
            ;;
    esac
    [ ! -e "$target.dict" ] || options+=("-dict=$target.dict")
    echo "== $target, $sanitizer, $limit: fuzz/$log"
    outcome=ok
    PROPERTY=$target cargo +nightly fuzz run "${building[@]}" "${features[@]}" property "corpus/$target" "seeds/$target" -- "${options[@]}" \
        >"$log" 2>&1 || { failed=1 outcome=failed; grep -E '^(thread|SUMMARY|error|Test unit|artifact_prefix)' "$log" || tail -5 "$log"; }
    echo "figure: target=$target; sanitizer=$sanitizer; executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log"); outcome=$outcome"
done
exit $failed
