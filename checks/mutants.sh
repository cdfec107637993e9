#!/usr/bin/env bash
# Makes mutants of the codec and the kernels, which have one small change each, and counts those
# that the tests detect:
#   checks/mutants.sh                  all mutants, which takes hours
#   checks/mutants.sh 0/8              the first of eight samples of equal size
#   checks/mutants.sh 0/1 delta io     all mutants of two rows of the table below
#
# The tests of a mutant's file run first, for three types where they exist for many. If they pass,
# all tests of the codec run. .cargo/mutants.toml names the files that are left out, and why. A
# missed mutant may be correct: kernels leave uncertain cases to the scalar loop, so a change that
# leaves it more of them only costs speed.
set -euo pipefail
cd "$(dirname "$0")/.."

shard=${1:-0/1}
chosen=("${@:2}")
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/mutants")
for command in cargo-mutants jq prlimit; do
    command -v "$command" >/dev/null && continue
    echo "$command is missing; run cargo install cargo-mutants --locked, or apt install jq util-linux"
    exit 1
done

# The mutated package is compiled for each mutant, so it has no debug information.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$out/build
# This lets the stable test harness accept --fail-fast, which is an unstable option.
export RUSTC_BOOTSTRAP=1
harness=(-Z unstable-options --fail-fast)
# A mutant may contain an endless loop. The limit is on CPU time, which other processes do not
# affect. The slowest test program takes a third of it.
host=$(rustc -vV | sed -n 's/^host: //p' | tr a-z- A-Z_)
export "CARGO_TARGET_${host}_RUNNER=prlimit --cpu=16:60"
few=(--skip the_suite_detects)
for type in u8 i8 u16 u32 i64 u128 i128 usize isize; do few+=(--skip "::$type"); done

# A row has a name, files, and the subjects of the test program `codec` that test them (or `lib`,
# the unit tests).
rows="
avx2      simd/avx2/decode/** simd/avx2/encode/** simd/avx2/block.rs simd/avx2/count.rs simd/avx2/mod.rs | kernels
avx512    simd/avx512/decode/** simd/avx512/encode/** simd/avx512/count.rs simd/avx512/encoded_len.rs simd/avx512/mod.rs simd/avx512/vector.rs | kernels
bmi2      simd/bmi2/** | kernels
words     simd/swar.rs simd/end_mask.rs simd/lane.rs simd/mod.rs scalar/slice.rs | kernels
singles   scalar/word.rs simd/single/** simd/cursor.rs simd/detect.rs reader.rs values.rs varint.rs | lib guarded_singles reader
apis      backend.rs bulk.rs dispatch.rs encoded.rs error.rs kernel.rs vec.rs width.rs zigzag.rs scalar/value.rs | errors vectors const_eval properties encoded validate vec_functions
delta     delta/** scalar/delta.rs simd/avx2/delta.rs simd/avx512/delta.rs | delta vec_functions
sleb128   sleb128/** | sleb128
protobuf  protobuf/** | protobuf
padded    padded.rs | padded sleb128
frames    length_prefix/** | length_prefix
streams   decoder.rs buffered_input.rs encoded_blocks.rs | bulk_streams properties vectors
io        integrations/std_io/** | std_io errors length_prefix bulk_streams
bytes     integrations/bytes/** | bytes bulk_streams
embedded  integrations/embedded_io/** | embedded_io bulk_streams
tokio     integrations/tokio_util/** | tokio_util bulk_streams
"

for name in "${chosen[@]}"; do
    grep -q "^$name " <<<"$rows" && continue
    echo "no row named '$name'; available:" $(cut -d ' ' -f 1 <<<"$rows") >&2
    exit 2
done

# Runs the mutants that the arguments select, and keeps the results under a name. The copy of the
# sources stays in one folder, because cargo would compile moved sources again.
try() {
    local name=$1
    shift
    # The build has a time limit because the compiler evaluates tables, which a mutant may make
    # endless. Exit code 2 means that some mutants were missed, 3 that some timed out. Both are
    # results.
    cargo mutants --dir "$out/tree" --in-place --package zigzag-varint --test-package zigzag-varint,zigzag-varint-tests --output "$out/$name" --colors never \
        --timeout 1800 --build-timeout 600 "$@" || [[ $? = [23] ]]
}

# Keeps only these subjects in the copy of the test program, which takes most of the time to
# compile.
keep_subjects() {
    awk -v subjects=" property support $* " '
        /^#\[cfg/ { attribute = $0 "\n"; next }
        /^mod / && !index(subjects, " " substr($2, 1, length($2) - 1) " ") { attribute = ""; next }
        { printf "%s%s\n", attribute, $0; attribute = "" }
    ' tests/codec/main.rs >"$out/tree/tests/codec/main.rs"
}

mkdir -p "$out/tree"
git ls-files -z | xargs -0 cp --parents --preserve=timestamps --target-directory="$out/tree"
touch "$out/tree/src/lib.rs" # an interrupted run may have compiled a mutant last
rm -rf "$out"/row.*

while read -r name rest; do
    [ -n "$name" ] || continue
    [ ${#chosen[@]} -eq 0 ] || [[ " ${chosen[*]} " == *" $name "* ]] || continue
    read -ra files <<<"${rest%|*}"
    read -ra subjects <<<"${rest#*|}"
    only=()
    for file in "${files[@]}"; do only+=(--file "src/$file"); done
    [[ " ${subjects[*]} " != *" lib "* ]] || only+=(--cargo-arg=--lib)
    keep_subjects "${subjects[@]}"
    try "row.$name" --shard "$shard" --sharding round-robin "${only[@]}" --cargo-arg=--test=codec -- -- "${harness[@]}" "${few[@]}"
done <<<"$rows"

# Missed mutants run again, with all tests and examples of the codec.
cp tests/codec/main.rs "$out/tree/tests/codec/main.rs"
missed=()
while read -r name; do
    missed+=(--file "${name%%:*}" --re "^$(sed 's/[][\\.*+?^$(){}|]/\\&/g' <<<"$name")\$")
done < <(cat "$out"/row.*/mutants.out/missed.txt)
export "CARGO_TARGET_${host}_RUNNER=prlimit --cpu=300:600"
[ ${#missed[@]} -eq 0 ] || try row.missed --baseline skip "${missed[@]}"

lines() { cat "$@" | wc -l; }

# Some of those caught are caught by the time limit (endless). Those that the compiler cannot finish
# are unviable. The row `missed` counts the missed mutants of the other rows again.
printf '\n%-10s %9s %8s %9s %9s %8s\n' "" mutants caught endless unviable missed
for row in "$out"/row.*/mutants.out; do
    name=${row%/mutants.out}
    endless=$({ grep -l 'signal: 24' "$row"/log/* || true; } | wc -l)
    all=$(jq '.total_mutants' "$row/outcomes.json")
    printf '%-10s %9d %8d %9d %9d %8d\n' "${name##*/row.}" "$all" "$(lines "$row/caught.txt")" "$endless" \
        "$(lines "$row"/{unviable,timeout}.txt)" "$(lines "$row/missed.txt")"
done

# The lines are `src/bulk.rs:32:5: replace < with <= in encode_slice`, or `...: replace encode_slice
# -> usize with 0`.
printf '\nmissed by all tests, by function:\n'
survivors=$out/row.missed/mutants.out/missed.txt
[ ! -f "$survivors" ] ||
    sed -E 's/^src\/([^:]+):[0-9]+:[0-9]+: (.* in |replace )([^ ]+).*/\1 \3/' "$survivors" | sort | uniq -c
