#!/usr/bin/env bash
# Measures the steps of docs/article.md in three runs. Then it profiles the first three, prints their
# hottest functions as figures, and writes their flamegraphs to docs/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for _ in 1 2 3; do
    FIGURES=1 cargo bench --locked -- '^article/'
done
cargo bench --locked -- --profile-time 4 '^article/round-trip/1e8/[123]' | tee /dev/stderr | awk '
    /^article.* samples/ { sub(/:.*/, ""); sub(/.*\//, ""); step = $0 }
    $2 ~ /^[0-9.]+%$/ {
        flat = $2; cum = $5
        sub(/^ *([^ ]+ +){5}/, ""); sub(/ \(inline\)$/, ""); gsub(/; /, ",")
        printf "figure: step=%s; hottest function=`%s`; flat=%s; cum=%s\n", step, $0, flat, cum
    }'
for step in 1-first 2-arrays 3-new-buffer; do
    # Without the frames below 1 %, which are half of the file.
    sed 's#<g><title>[^<]*, 0\.[0-9]*%)</title><rect[^>]*/><text[^>]*></text></g>##g' \
        "benches/criterion/article_round-trip_1e8/$step/profile/flamegraph.svg" >"docs/article-$step.svg"
done
