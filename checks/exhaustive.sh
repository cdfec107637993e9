#!/usr/bin/env bash
# Sweeps every value of every type of up to 32 bits on every kernel of this CPU, lenient and
# canonical. Each sweep compares the bytes with the oracle and checks the round trip. Takes some
# minutes of processor time, prints a table, and exits with 1 if a sweep fails.
set -euo pipefail
cd "$(dirname "$0")/.."

cargo build --locked --bin sweep
sweep=${CARGO_TARGET_DIR:-target}/debug/sweep
kernels=$("$sweep" --list | sed -n '/^kernels/,/^$/s/^  //p')
report=$(mktemp)
trap 'rm -f "$report"' EXIT

# Prints a field of the report, which is a number or a number in a string.
field() { grep -oE "\"$1\": *\"?[0-9.]+" "$report" | head -n 1 | grep -oE '[0-9.]+$'; }

failed=0 sweeps=0 values=0 failures=0
printf '%-6s  %-8s  %-10s  %14s  %9s  %9s\n' type kernel codec values failures 'CPU s'
for type in i8 u8 i16 u16 i32 u32; do
    for kernel in $kernels; do
        for codec in bulk canonical; do
            "$sweep" --type "$type" --exhaustive --kernel "$kernel" --codec "$codec" --quiet --no-progress --json - >"$report" || failed=1
            printf '%-6s  %-8s  %-10s  %14s  %9s  %9.1f\n' "$type" "$kernel" "$codec" "$(field values)" "$(field failures)" "$(field cpu_seconds)"
            ((sweeps += 1, values += $(field values), failures += $(field failures))) || true
        done
    done
done
echo "figure: kernels=$(echo $kernels); sweeps=$sweeps; values=$values; failures=$failures"
exit $failed
