#!/usr/bin/env bash
# Shows what this crate changes in published crates: applies NAME.patch to a copy of each, runs its unit
# tests, and measures the program of this folder with the published and the patched crates in turn.
#
# A ratio is the least time with the published crate over that with the patched one: the lowest and the
# highest of all types and sets of values, with all kernels of this CPU and with fewer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
work=$root/target/real-programs # a patch has the path from there to this crate
unset CARGO_TARGET_DIR
export CARGO_TERM_COLOR=never GIT_CEILING_DIRECTORIES=$root/target
export RUSTFLAGS=--cap-lints=allow # warnings about the published crates are not ours

rm -rf "$work/crates" "$work/patched"
mkdir -p "$work/patched"
cargo vendor --quiet --locked "$work/crates" >/dev/null
cp -r Cargo.lock src "$work/patched"
sed "s|\"../..\"|\"$root\"|" Cargo.toml >"$work/patched/Cargo.toml"
patched=()
for patch in *.patch; do
    name=${patch%.patch}
    rm -f "$work/crates/$name/Cargo.lock" # it may name versions that do not exist any more
    (cd "$work/crates" && git apply "$OLDPWD/$patch")
    patched+=(--config "patch.crates-io.$name.path=\"$work/crates/$name\"")
    # A quarter of the random cases, which take minutes in a build that is not optimized.
    tests=$(cd "$work/crates/$name" && PROPTEST_CASES=64 cargo test --quiet --lib --target-dir "$work/tests" 2>&1) ||
        { echo "the unit tests of $name fail: $tests"; exit 1; }
    version=$(sed -n 's/^version = "\(.*\)"/\1/p' "$work/crates/$name/Cargo.toml" | head -n 1)
    lines=$(awk '/^([+][+][+]|---) / { next } /^[+]/ { added++ } /^-/ { removed++ } END { printf "+%d -%d", added, removed }' "$patch")
    passed=$(awk '/^test result/ { passed += $4 } END { print passed }' <<<"$tests")
    echo "figure: patched crate=$name $version; lines=$lines; unit tests passed=$passed"
done

build() { # SIDE OPTION...
    cargo build --quiet --release --target-dir "$work/build" "${@:2}"
    cp "$work/build/release/real-programs" "$work/$1"
}
build before --locked
build after --manifest-path "$work/patched/Cargo.toml" "${patched[@]}"
kernels=(published all avx2 swar)
for round in 1 2 3 4 5; do
    "$work/before" | awk -v OFS='\t' '{ print "published", FNR, $0 }'
    for kernel in "${kernels[@]:1}"; do
        KERNEL=$kernel "$work/after" | awk -v OFS='\t' -v kernel="$kernel" '{ print kernel, FNR, $0 }'
    done
done | awk -F '\t' -v sides="${kernels[*]}" '
    $2 in checksum && checksum[$2] != $5 { print "the results differ: " $3; wrong = 1 }
    !(($1, $2) in least) || $4 < least[$1, $2] { least[$1, $2] = $4 }
    { checksum[$2] = $5; group[$2] = $3; if ($2 > cases) cases = $2 }
    END {
        split(sides, side, " ")
        for (number = 1; number <= cases; number++) {
            name = group[number]
            if (!count[name]++) names[++n] = name
            for (s = 2; s in side; s++) {
                ratio = least["published", number] / least[side[s], number]
                if (!((name, s) in low) || ratio < low[name, s]) low[name, s] = ratio
                if (ratio > high[name, s]) high[name, s] = ratio
            }
        }
        for (i = 1; i <= n; i++) {
            printf "figure: measured=%s; cases=%d", names[i], count[names[i]]
            for (s = 2; s in side; s++)
                printf "; %s=%s", side[s] == "all" ? "all kernels" : "up to " side[s], count[names[i]] == 1 ? \
                    sprintf("%.2f", low[names[i], s]) : sprintf("%.2f to %.2f", low[names[i], s], high[names[i], s])
            print ""
        }
        exit wrong
    }'
