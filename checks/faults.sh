#!/usr/bin/env bash
# Injects each fault below into a copy of the checkout, one at a time. Its test must fail, and pass
# without the fault. These are faults that no operator of `checks/mutants.sh` makes: it removes no
# statement, changes no attribute, and calls no other method.
#   checks/faults.sh                              all faults
#   checks/faults.sh exec-flood exec-length       two of them
# The exit code is 1 if a fault is missed or can no longer be injected.
set -euo pipefail
cd "$(dirname "$0")/.."

all=() what=() file=() change=() package=() test=()
# NAME WHAT-IS-WRONG FILE SED-SCRIPT ARGUMENTS-OF-CARGO-TEST TEST
fault() { all+=("$1") what+=("$2") file+=("$3") change+=("$4") package+=("$5") test+=("$6"); }
fault checkpoint-failures 'failures from before the interruption are lost' sweep/src/state/totals.rs \
    '/failing inputs that are no edge cases/{n;s/with = "decimal"/skip/}' '-p every-input --test engine' \
    checkpoint::a_sweep_that_stopped_at_its_maximum_of_failures_continues_with_a_higher_maximum
fault exec-flood 'everything that a child writes to standard error is kept' sweep/src/exec/child.rs \
    '/self\.0\.drain(/d' '-p every-input --lib' exec::child::tests::the_excerpt_has_the_last_lines
fault exec-length 'an answer with too few results is accepted' sweep/src/exec/protocol.rs \
    's/found != count/found > count/' '-p every-input --lib' exec::protocol::tests::strings_are_as_many_as_inputs
fault output-in-use 'a file that is being written is taken for a leftover' sweep/src/report/output_file.rs \
    's/file\.try_lock()/file.metadata()/' '-p every-input --lib' \
    report::output_file::tests::a_temporary_file_in_use_is_not_removed
fault profile-panic 'a reference to an unknown location in a profile causes a panic' profile/src/format/read.rs \
    's/self\.positions\.get(id)/Some(\&self.positions[id])/' '-p pprof-views-tests --test profile' \
    format::errors_describe_the_damage

chosen=()
[ $# -gt 0 ] || set -- "${all[@]}"
for name in "$@"; do
    before=${#chosen[@]}
    for i in "${!all[@]}"; do [ "${all[i]}" != "$name" ] || chosen+=("$i"); done
    [ "${#chosen[@]}" -gt "$before" ] || { echo "no fault named '$name'; available: ${all[*]}" >&2; exit 2; }
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

# A fault can cause an endless loop, which counts as missed.
run() { timeout 1800 cargo test --locked ${package[i]} -- --exact "${test[i]}" >"$log" 2>&1; }
# Prints why the injected fault is missed, or nothing.
problem() {
    if cmp -s "${file[i]}" "$target/original"; then
        echo "${file[i]} has no such place"
    elif run; then
        echo 'the test passes'
    elif ! grep -q "^test ${test[i]} \.\.\. FAILED" "$log"; then
        echo 'the test does not fail by itself'
    fi
}

missed=0
for i in "${chosen[@]}"; do
    printf '\n== %s: %s\n' "${all[i]}" "${what[i]}"
    run && grep -q '^test result: ok\. 1 passed' "$log" || { tail -n 40 "$log"; echo "no pass without a fault"; exit 1; }
    cp "${file[i]}" "$target/original"
    sed -i "${change[i]}" "${file[i]}"
    reason=$(problem)
    cat "$target/original" >"${file[i]}" # with a new time
    if [ -n "$reason" ]; then
        missed=$((missed + 1))
        tail -n 40 "$log"
        echo "MISSED: $reason"
    else
        echo "caught by ${test[i]}"
    fi
done
printf '\nfigure: faults=%d; missed=%d\n' "${#chosen[@]}" "$missed"
[ "$missed" = 0 ]
