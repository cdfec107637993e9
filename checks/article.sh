#!/usr/bin/env bash
# Measures the steps of docs/article.md in three runs. Then it profiles the first three, prints the shares
# of functions as figures, and writes flamegraphs to docs/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
for _ in 1 2 3; do
    FIGURES=1 cargo bench --locked -- '^article/'
done
cargo bench --locked -- --profile-time 4 '^article/round-trip/1e8/[123]'

cd benches/criterion/article_round-trip_1e8
# The columns of a profile are flat, flat%, sum%, cum, cum% and the function.
awk '
    FNR == 1 { split(FILENAME, path, "/"); steps[++count] = path[1] }
    function add(row) { if (!(row in seen)) rows[++last] = row; seen[row]; share[row, count] += $5 }
    $6 ~ /article::(write_varint|read_groups|convert)$/ { sub(/.*::/, "", $6); add("`" $6 "`") }
    $6 ~ /^alloc::vec::Vec<.*>::push$/ { add("`Vec::push`") }
    $6 ~ /^(__GI___libc_|__libc_)?(malloc|free)$/ { add("`malloc` and `free`") }
    END {
        for (i = 1; i <= last; i++) {
            printf "figure: function with its callees=%s", rows[i]
            for (step = 1; step <= count; step++) printf "; %s=%.0f %%", steps[step], share[rows[i], step]
            print ""
        }
    }' {1-first,2-arrays,3-new-buffer}/profile/top.txt
for step in 1-first 2-arrays 3-new-buffer; do
    # Without the frames below 2 %, which are too narrow for a name and are half of the file.
    sed 's#<g><title>[^<]*, [01]\.[0-9]*%)</title><rect[^>]*/><text[^>]*></text></g>##g' \
        "$step/profile/flamegraph.svg" >"../../../docs/article-$step.svg"
done
