#!/usr/bin/env bash
# Injects each fault of this folder into a copy of the checkout, one at a time, and requires that
# the check named in its patch fails in the way named there, and passes without the fault.
# `checks/injected-faults/run.sh avx2-encode skip` for two of them, without arguments all. Exit 1 if
# one is missed, or no longer applies.
#
# A fault is NAME.patch: `# fault:` what is wrong, `# check:` the command, `# tells:` a regular
# expression (grep -E) for its output, then a diff. Those of a kernel that this CPU lacks are
# skipped, with a line that says so.
set -euo pipefail
cd "$(dirname "$0")/../.."

patches=$PWD/checks/injected-faults
all=("$patches"/*.patch)
all=("${all[@]##*/}")
[ $# -gt 0 ] || set -- "${all[@]%.patch}"
for name in "$@"; do
    [ -f "$patches/$name.patch" ] || { echo "no fault named '$name'; there are: ${all[*]%.patch}" >&2; exit 2; }
done
for command in cargo git tar timeout; do
    command -v "$command" >/dev/null || { echo "$command is missing: on Debian, apt install $command" >&2; exit 2; }
done

# The copy stays at one place, so that what was compiled there before need not be compiled again.
target=${CARGO_TARGET_DIR:-$PWD/target}
mkdir -p "$target"
target=$(cd "$target" && pwd)/faults
copy=$target/checkout
mkdir -p "$target"
mkdir "$copy" 2>/dev/null || { echo "$copy is there: wait for the other run to end, or remove it" >&2; exit 2; }
trap 'rm -rf "$copy"' EXIT
# With the time of now: what was compiled before must not pass for newer.
git ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from=- | tar --extract --touch --directory "$copy"
cd "$copy"
export CARGO_TARGET_DIR=$target CARGO_TERM_COLOR=never
# The copy may lie within the repository, where git would look for the paths of the patches from its
# root on.
export GIT_CEILING_DIRECTORIES=$target
log=$copy/log

field() { sed -n "s/^# $1: //p" "$patches/$name.patch"; }
changed() { sed -n 's/^+++ b\///p' "$patches/$name.patch" | paste -sd ' '; }
# A fault can be an endless loop: that catches nothing, but it has to end.
run() { timeout 1800 bash -c "$(field check)" >"$log" 2>&1; }

kernels=$(cargo test --locked -p zigzag-varint --test codec -- machine:: --nocapture | sed -n 's/.*kernels: //p')
kernel() { case $(changed) in src/simd/*) sed -E 's|.*src/simd/([a-z0-9]+).*|\1|' <<<"$(changed)" ;; esac; }

declare -A clean
table='' missed=0
for name in "$@"; do
    printf '\n== %s: %s\n' "$name" "$(field fault)"
    needs=$(kernel)
    case $needs in
        bmi2 | avx2 | avx512 | neon)
            if [[ " $kernels " != *" $needs "* ]]; then
                echo "skipped: this CPU has no $needs"
                table+="$name|$(changed)|skipped: this CPU has no $needs"$'\n'
                continue
            fi
            ;;
    esac
    check=$(field check)
    if [ -z "${clean[$check]:-}" ]; then
        if ! run; then
            tail -n 40 "$log"
            echo "the check fails without any fault: $check"
            exit 1
        fi
        clean[$check]=yes
    fi
    outcome='' ended=0
    if git apply "$patches/$name.patch"; then
        run || ended=$?
        if [ "$ended" = 0 ]; then
            outcome='MISSED: the check passes'
        elif grep -q 'could not compile' "$log"; then
            outcome='MISSED: it does not compile'
        elif [ "$ended" = 124 ]; then
            outcome='MISSED: no end within half an hour'
        elif ! grep -Eq -e "$(field tells)" "$log"; then
            outcome='MISSED: the check fails in another way'
        fi
        git apply --reverse "$patches/$name.patch"
    else
        outcome='MISSED: the patch no longer applies'
    fi
    if [ -n "$outcome" ]; then
        missed=$((missed + 1))
        [ ! -f "$log" ] || tail -n 40 "$log"
        echo "$outcome"
    else
        grep -Eo -m1 -e ".{0,60}($(field tells)).{0,60}" "$log" | head -n 1
        outcome="caught: ${check#cargo }"
    fi
    table+="$name|$(changed)|$outcome"$'\n'
done

printf '\n%-22s %-38s %s\n' fault where outcome
while IFS='|' read -r name where outcome; do
    [ -z "$name" ] || printf '%-22s %-38s %s\n' "$name" "$where" "$outcome"
done <<<"$table"
printf '\n%d faults, %d missed\n' "$#" "$missed"
[ "$missed" = 0 ]
