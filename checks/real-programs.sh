#!/usr/bin/env bash
# Shows what this crate changes in published programs: replaces named functions of a copy of each by
# calls of this crate, runs its unit tests, and measures both builds in turn.
#   checks/real-programs.sh                  all crates
#   checks/real-programs.sh prost buffa      two of them
#   KERNEL=avx2 checks/real-programs.sh      this crate limited to that kernel, see `Kernel::by_name`
#   CPU=1 checks/real-programs.sh            measure on that CPU
#   SKIP_TESTS=yes checks/real-programs.sh   measure only
#   TILES=FOLDER checks/real-programs.sh mlt-core   its benchmark's tiles (*.mlt, in folders) as well
#
# osmpbf reads files with rust-protobuf, whose patch is measured there too.
#
# The crates are downloaded by cargo, at the versions of real-programs/Cargo.lock. NAME/edits.toml there
# has the functions and our text, and NAME/src/main.rs what is measured. The copies are in
# target/real-programs/crates. A function that is not found ends the script, which names it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD folder=$PWD/checks/real-programs
export CARGO_TERM_COLOR=never

fail() {
    echo "real-programs: $1" >&2
    exit 1
}
all=(prost mlt-core buffa protobuf osmpbf)
[ $# -gt 0 ] || set -- "${all[@]}"
for name in "$@"; do
    [ -f "$folder/$name/src/main.rs" ] || fail "no crate '$name'; available: ${all[*]}"
done
for command in cargo flock git jq strip; do
    command -v "$command" >/dev/null || fail "$command is missing"
done
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/real-programs
unset CARGO_TARGET_DIR
export RUSTFLAGS=--cap-lints=allow # warnings about the published crates are not ours
mkdir -p "$target"
exec 9>"$target/lock"
flock 9 # waits for another run to end

# Two copies of the workspace: one with the published crates, one with the patched ones.
for side in before after; do
    mkdir -p "$target/$side"
    tar -C "$folder" -c . | tar -C "$target/$side" -x
    sed -i "s|\"../..\"|\"$root\"|" "$target/$side/Cargo.toml"
done
cargo fetch --quiet --locked --manifest-path "$target/before/Cargo.toml" ||
    fail "the published crates are not available; a registry, or a copy of them in cargo's cache, is needed"
cargo build --quiet --release --locked --manifest-path "$folder/Cargo.toml" --target-dir "$target/tool" -p real-programs
tool=$target/tool/release/real-programs

# The file of edits that a program shows, and fields of it.
edits() { [ "$1" = osmpbf ] && echo "$folder/protobuf/edits.toml" || echo "$folder/$1/edits.toml"; }
field() { sed -n "s/^$2 = \"\(.*\)\"/\1/p" "$(edits "$1")"; }

echo '[patch.crates-io]' >>"$target/after/Cargo.toml"
manifests=$(cargo metadata --format-version 1 --locked --manifest-path "$target/before/Cargo.toml")
# Copies a crate from cargo's cache, and prints the folder.
copy() { # NAME VERSION
    local manifest
    manifest=$(jq -r --arg name "$1" --arg version "$2" \
        '.packages[] | select(.name == $name and .version == $version) | .manifest_path' <<<"$manifests")
    [ -n "$manifest" ] || fail "$1 $2 is not in $folder/Cargo.lock"
    rm -rf "${target:?}/crates/$1"
    mkdir -p "$target/crates/$1"
    cp -r "$(dirname "$manifest")" "$target/crates/$1/original"
    rm -f "$target/crates/$1/original/Cargo.lock" # it may name versions that do not exist any more
    cp -r "$target/crates/$1/original" "$target/crates/$1/patched"
    # Files that its unit tests need and that the published crate lacks.
    [ ! -d "$folder/$1/test-crates" ] || cp -r "$folder/$1/test-crates" "$target/crates/$1"
    echo "$target/crates/$1/patched"
}
for name in "$@"; do
    crate=$(field "$name" name)
    grep -q "^$crate = " "$target/after/Cargo.toml" && continue
    folder_of_crate=$(copy "$crate" "$(field "$name" version)")
    "$tool" patch "$(edits "$name")" "$folder_of_crate" "$root"
    echo "$crate = { path = \"$folder_of_crate\" }" >>"$target/after/Cargo.toml"
done

# Runs the unit tests of the patched crate, and prints their number.
test_crate() {
    local tests
    # A quarter of the random cases, which take minutes in a build that is not optimized.
    tests=$(PROPTEST_CASES=${PROPTEST_CASES:-64} cargo test --quiet --lib --target-dir "$target/tests" \
        --manifest-path "$target/crates/$1/patched/Cargo.toml" 2>&1) || fail "the unit tests of $1 fail: $tests"
    echo "Its unit tests: $(grep '^test result' <<<"$tests")"
}

for name in "$@"; do
    crate=$(field "$name" name)
    printf '\n## %s\n\n' "$name"
    (cd "$target/crates/$crate" && git diff --no-index --numstat original patched || true) |
        awk -v crate="$crate $(field "$name" version)" '{ added += $1; removed += $2 }
            END { printf "Patch of %s: +%d -%d lines.\n", crate, added, removed }'
    [ -n "${SKIP_TESTS:-}" ] || test_crate "$crate"
    for side in before after; do
        cargo build --quiet --release --manifest-path "$target/$side/Cargo.toml" --target-dir "$target/$side/target" -p "with-$name"
    done
    sizes=()
    for side in before after; do
        strip -o "$target/stripped" "$target/$side/target/release/with-$name"
        sizes+=("$(wc -c <"$target/stripped" | tr -d ' ')")
    done
    printf 'The stripped program: %d bytes, then %d.\n\n' "${sizes[@]}"
    ${CPU:+taskset -c "$CPU"} "$tool" compare "$target/before/target/release/with-$name" "$target/after/target/release/with-$name"
done
