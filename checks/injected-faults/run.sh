#!/usr/bin/env bash
# Injects each fault of this folder into a copy of the checkout, one at a time. The command of its
# patch must fail with the expected output, and pass without the fault.
#   checks/injected-faults/run.sh                            all faults
#   checks/injected-faults/run.sh exec-flood exec-length      two of them
# The exit code is 1 if a fault is missed, or if a patch no longer applies.
#
# A fault is NAME.patch: the lines `# fault:` (what is wrong), `# no mutant:` (why `checks/mutants.sh`
# would not make it), `# command:` (the check) and `# expect:` (a regular expression of grep -E for
# its output), then a diff.
set -euo pipefail
cd "$(dirname "$0")/../.."

patches=$PWD/checks/injected-faults
all=("$patches"/*.patch)
all=("${all[@]##*/}")
[ $# -gt 0 ] || set -- "${all[@]%.patch}"
for name in "$@"; do
    [ -f "$patches/$name.patch" ] || { echo "no fault named '$name'; available: ${all[*]%.patch}" >&2; exit 2; }
done

# The copy is always in the same folder, so that cargo compiles only what has changed.
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/faults
copy=$target/checkout log=$target/log
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

field() { sed -n "s/^# $1: //p" "$patches/$name.patch"; }
# A fault can cause an endless loop, which counts as missed.
run() { timeout 1800 bash -c "$(field command)" >"$log" 2>&1; }

# Prints why the injected fault is missed, or nothing.
outcome() {
    local ended=0
    run || ended=$?
    if [ "$ended" = 0 ]; then
        echo 'the command succeeds'
    elif grep -q 'could not compile' "$log"; then
        echo 'it does not compile'
    elif [ "$ended" = 124 ]; then
        echo 'no result within half an hour'
    elif ! grep -Eq -e "$(field expect)" "$log"; then
        echo 'the command fails without the expected output'
    fi
}

missed=0
for name in "$@"; do
    printf '\n== %s: %s\n' "$name" "$(field fault)"
    if ! run; then
        tail -n 40 "$log"
        echo "the command fails without a fault: $(field command)"
        exit 1
    fi
    if git apply "$patches/$name.patch"; then
        problem=$(outcome)
        git apply --reverse "$patches/$name.patch"
    else
        problem='the patch no longer applies'
    fi
    if [ -n "$problem" ]; then
        missed=$((missed + 1))
        tail -n 40 "$log"
        echo "MISSED: $problem"
    else
        echo "caught: $(grep -Eo -m1 -e ".{0,60}($(field expect)).{0,60}" "$log" | head -n 1)"
    fi
done

printf '\nfigure: faults=%d; missed=%d\n' "$#" "$missed"
[ "$missed" = 0 ]
