#!/usr/bin/env bash
# Injects each fault of this folder into a copy of the checkout, one at a time. The command of its
# patch must fail with the expected output, and pass without the fault.
#   checks/injected-faults/run.sh                     all faults
#   checks/injected-faults/run.sh avx2-encode skip    two of them
# The exit code is 1 if a fault is missed, or if a patch no longer applies.
#
# A fault is NAME.patch: the lines `# fault:` (what is wrong), `# command:` (the check) and `#
# expect:` (a regular expression of grep -E for its output), then a diff. Faults of a kernel that
# this CPU lacks are skipped, with a message.
set -euo pipefail
cd "$(dirname "$0")/../.."

patches=$PWD/checks/injected-faults
all=("$patches"/*.patch)
all=("${all[@]##*/}")
[ $# -gt 0 ] || set -- "${all[@]%.patch}"
for name in "$@"; do
    [ -f "$patches/$name.patch" ] || { echo "no fault named '$name'; available: ${all[*]%.patch}" >&2; exit 2; }
done
for command in cargo git tar timeout; do
    command -v "$command" >/dev/null || { echo "$command is missing; on Debian: apt install $command" >&2; exit 2; }
done

# The copy is always in the same folder, so that cargo compiles only what has changed.
target=${CARGO_TARGET_DIR:-$PWD/target}
mkdir -p "$target"
target=$(cd "$target" && pwd)/faults
copy=$target/checkout
mkdir -p "$target"
mkdir "$copy" 2>/dev/null || { echo "$copy exists; wait for the other run to end, or remove it" >&2; exit 2; }
trap 'rm -rf "$copy"' EXIT
# The files get the current time, so that cargo does not take earlier builds for newer.
git ls-files -z --cached --others --exclude-standard |
    tar --create --null --files-from=- | tar --extract --touch --directory "$copy"
cd "$copy"
export CARGO_TARGET_DIR=$target CARGO_TERM_COLOR=never
# The copy may be within the repository. Without this, git would resolve the paths of the patches
# against its root.
export GIT_CEILING_DIRECTORIES=$target
log=$copy/log

field() { sed -n "s/^# $1: //p" "$patches/$name.patch"; }
changed() { sed -n 's/^+++ b\///p' "$patches/$name.patch" | paste -sd ' '; }
# A fault can cause an endless loop, which counts as missed.
run() { timeout 1800 bash -c "$command" >"$log" 2>&1; }

kernels=
# Whether this CPU has a kernel.
has_kernel() {
    [ -n "$kernels" ] ||
        kernels=$(cargo test --locked -p zigzag-varint-tests --test codec -- machine:: --nocapture | sed -n 's/.*kernels: //p')
    [[ " $kernels " == *" $1 "* ]]
}
kernel() { case $(changed) in src/simd/*) sed -E 's|.*src/simd/([a-z0-9]+).*|\1|' <<<"$(changed)" ;; esac; }

declare -A clean
table='' missed=0
for name in "$@"; do
    printf '\n== %s: %s\n' "$name" "$(field fault)"
    needs=$(kernel)
    command=$(field command)
    case $command in proofs/*) needs= ;; esac # A proof runs nothing.
    case $needs in
        bmi2 | avx2 | avx512 | neon)
            if ! has_kernel "$needs"; then
                echo "skipped: this CPU has no $needs"
                table+="$name|$(changed)|skipped: this CPU has no $needs"$'\n'
                continue
            fi
            ;;
    esac
    if [ -z "${clean[$command]:-}" ]; then
        if ! run; then
            tail -n 40 "$log"
            echo "the command fails without a fault: $command"
            exit 1
        fi
        clean[$command]=yes
    fi
    outcome='' ended=0
    if git apply "$patches/$name.patch"; then
        run || ended=$?
        if [ "$ended" = 0 ]; then
            outcome='MISSED: the command succeeds'
        elif grep -q 'could not compile' "$log"; then
            outcome='MISSED: it does not compile'
        elif [ "$ended" = 124 ]; then
            outcome='MISSED: no result within half an hour'
        elif ! grep -Eq -e "$(field expect)" "$log"; then
            outcome='MISSED: the command fails without the expected output'
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
        grep -Eo -m1 -e ".{0,60}($(field expect)).{0,60}" "$log" | head -n 1
        outcome="caught: ${command#cargo }"
    fi
    table+="$name|$(changed)|$outcome"$'\n'
done

printf '\n%-22s %-38s %s\n' fault where outcome
while IFS='|' read -r name where outcome; do
    [ -z "$name" ] || printf '%-22s %-38s %s\n' "$name" "$where" "$outcome"
done <<<"$table"
printf '\n%d faults, %d missed\n' "$#" "$missed"
[ "$missed" = 0 ]
