#!/usr/bin/env bash
# Makes small mistakes in the codec and the kernels, one at a time, and counts those that the tests
# notice:
#   checks/mutants.sh                  all mistakes, which takes hours
#   checks/mutants.sh 0/8              the first of eight samples of equal size
#   checks/mutants.sh 0/1 delta io     all of two rows of the table below
#
# A mistake meets the tests that concern its file, and of those for many types three. One that they
# miss meets all tests of the codec. .cargo/mutants.toml names the files that are left out, and why.
# A mistake that is missed may be none: the kernels leave what they doubt to the scalar loop, so that
# one which makes them doubt more costs speed alone.
set -euo pipefail
cd "$(dirname "$0")/.."

shard=${1:-0/1}
chosen=("${@:2}")
out=$(realpath -m "${CARGO_TARGET_DIR:-target}/mutants")
for command in cargo-mutants jq prlimit; do
    command -v "$command" >/dev/null && continue
    echo "$command is missing: cargo install cargo-mutants --locked; apt install jq util-linux"
    exit 1
done

# What differs between two mistakes is compiled anew each time: without debug information. The rest
# is compiled once.
export CARGO_PROFILE_DEV_DEBUG=0 CARGO_TARGET_DIR=$out/build
# The stable test harness stops at a failure where it may be asked to as the nightly one is.
export RUSTC_BOOTSTRAP=1
harness=(-Z unstable-options --fail-fast)
# A mistake may make a loop endless. The limit is on a program's own time, which does not depend on
# what else runs: the slowest of these programs takes a third of it.
host=$(rustc -vV | sed -n 's/^host: //p' | tr a-z- A-Z_)
export "CARGO_TARGET_${host}_RUNNER=prlimit --cpu=16:60"
few=(--skip the_suite_detects)
for type in u8 i8 u16 u32 i64 u128 i128 usize isize; do few+=(--skip "::$type"); done

# What a row is called, the files, and the subjects of the test program `codec` that concern them,
# or `lib`: unit tests.
rows="
avx2      simd/avx2/decode/** simd/avx2/encode/** simd/avx2/block.rs simd/avx2/count.rs simd/avx2/mod.rs | kernels
avx512    simd/avx512/decode/** simd/avx512/encode/** simd/avx512/count.rs simd/avx512/encoded_len.rs simd/avx512/mod.rs simd/avx512/vector.rs | kernels
bmi2      simd/bmi2/** | kernels
words     simd/swar.rs simd/end_mask.rs simd/lane.rs simd/mod.rs scalar/slice.rs | kernels
singles   scalar/word.rs simd/single/** simd/cursor.rs simd/detect.rs reader.rs values.rs varint.rs | lib guarded_singles reader
apis      backend.rs bulk.rs decoder.rs encoded.rs error.rs kernel.rs vec.rs width.rs zigzag.rs scalar/value.rs | errors vectors const_eval properties encoded validate vec_functions
delta     delta.rs scalar/delta.rs simd/avx2/delta.rs simd/avx512/delta.rs | delta vec_functions
sleb128   sleb128/** | sleb128
protobuf  protobuf.rs | protobuf
padded    padded.rs | padded sleb128
frames    length_prefix/** | length_prefix
io        integrations/std_io/** | std_io errors length_prefix
bytes     integrations/bytes.rs | bytes
embedded  integrations/embedded_io/** | embedded_io
tokio     integrations/tokio_util.rs | tokio_util
"

for name in "${chosen[@]}"; do
    grep -q "^$name " <<<"$rows" && continue
    echo "no row named '$name'; there are:" $(cut -d ' ' -f 1 <<<"$rows") >&2
    exit 2
done

# The mistakes that the arguments choose, under a name. They are made in a copy, which stays where
# it is: cargo compiles anew what has moved.
try() {
    local name=$1
    shift
    # The compiler computes tables, of which a mistake may make no end.
    # 2: some were missed; 3: some ran out of time. Both are results.
    cargo mutants --dir "$out/tree" --in-place --package zigzag-varint --output "$out/$name" --colors never \
        --timeout 1800 --build-timeout 600 "$@" || [[ $? = [23] ]]
}

# Leaves only these subjects in the copy of the test program: compiling it takes the most time.
keep_subjects() {
    awk -v subjects=" property support $* " '
        /^#\[cfg/ { attribute = $0 "\n"; next }
        /^mod / && !index(subjects, " " substr($2, 1, length($2) - 1) " ") { attribute = ""; next }
        { printf "%s%s\n", attribute, $0; attribute = "" }
    ' tests/codec/main.rs >"$out/tree/tests/codec/main.rs"
}

mkdir -p "$out/tree"
git ls-files -z | xargs -0 cp --parents --preserve=timestamps --target-directory="$out/tree"
touch "$out/tree/src/lib.rs" # what an interrupted run compiled last is one of its mistakes
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

# Those that were missed, once more: with every test and example of the codec.
cp tests/codec/main.rs "$out/tree/tests/codec/main.rs"
missed=()
while read -r name; do
    missed+=(--file "${name%%:*}" --re "^$(sed 's/[][\\.*+?^$(){}|]/\\&/g' <<<"$name")\$")
done < <(cat "$out"/row.*/mutants.out/missed.txt)
export "CARGO_TARGET_${host}_RUNNER=prlimit --cpu=300:600"
[ ${#missed[@]} -eq 0 ] || try row.missed --baseline skip "${missed[@]}"

lines() { cat "$@" | wc -l; }

# Of those caught, some by the limit on time; unviable is also what the compiler comes to no end
# with. The row of those that were missed has each of them a second time.
printf '\n%-10s %9s %8s %9s %9s %8s\n' "" mistakes caught endless unviable missed
for row in "$out"/row.*/mutants.out; do
    name=${row%/mutants.out}
    endless=$({ grep -l 'signal: 24' "$row"/log/* || true; } | wc -l)
    all=$(jq '.total_mutants' "$row/outcomes.json")
    printf '%-10s %9d %8d %9d %9d %8d\n' "${name##*/row.}" "$all" "$(lines "$row/caught.txt")" "$endless" \
        "$(lines "$row"/{unviable,timeout}.txt)" "$(lines "$row/missed.txt")"
done

# `src/bulk.rs:32:5: replace < with <= in encode_slice`, or `...: replace encode_slice -> usize with
# 0`.
printf '\nmissed in the end, by function:\n'
survivors=$out/row.missed/mutants.out/missed.txt
[ ! -f "$survivors" ] ||
    sed -E 's/^src\/([^:]+):[0-9]+:[0-9]+: (.* in |replace )([^ ]+).*/\1 \3/' "$survivors" | sort | uniq -c
