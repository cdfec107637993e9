#!/usr/bin/env bash
# Checks the flamegraphs of `pprof_views::criterion` as a user gets them: adds the profiler to a new
# crate outside this workspace and to the published benchmarks of prost, and counts the changed lines.
# A replaced line counts once. In each graph every stack must start at the code of the benchmark.
#
# The shares of CPU time in the profiles must be within 5 percentage points of those that are known by
# construction, and of those of `perf` in the same run.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
work=$(realpath -m "${CARGO_TARGET_DIR:-target}")/adapter
export CARGO_TERM_COLOR=never CARGO_TARGET_DIR=$work/target
unset RUSTFLAGS
fail() {
    printf 'adapter: %s\n' "$@" >&2
    exit 1
}

rm -rf "$work/measured" "$work/prost" "$CARGO_TARGET_DIR/criterion"
mkdir -p "$work/measured/benches" "$work/measured/src"
cd "$work/measured"
cat >Cargo.toml <<'END'
[package]
name = "measured"
edition = "2024"
[workspace]
[dev-dependencies]
criterion = "0.8"
rayon = "1"
[[bench]]
name = "example"
harness = false
END
cat >src/lib.rs <<'END'
/// Functions with a chain of dependent instructions, whose time is proportional to a number of rounds.
macro_rules! functions {
    ($($inline:ident $name:ident $rounds:literal;)*) => {$(
        #[inline($inline)]
        pub fn $name(mut x: u64) -> u64 {
            for _ in 0..$rounds {
                x ^= x << 13;
                x ^= x >> 7;
                x ^= x << 17;
            }
            x
        }
    )*};
}
functions! { always three 300; always seven 700; never prepared 2000; never processed 3000; never short 100; never long 400; }
END
cat >benches/example.rs <<'END'
use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use measured::*;
use rayon::prelude::*;

fn inlined(c: &mut Criterion) {
    c.bench_function("inlined", |b| b.iter(|| seven(three(black_box(1)))));
}

fn batched(c: &mut Criterion) {
    c.bench_function("batched", |b| b.iter_batched(|| prepared(black_box(1)), processed, BatchSize::SmallInput));
}

fn parallel(c: &mut Criterion) {
    let sum = || (1..10_000u64).into_par_iter().map(|x| short(x) ^ long(x)).reduce(|| 0, |a, b| a ^ b);
    c.bench_function("parallel", |b| b.iter(sum));
}

criterion_group!(benches, inlined, batched, parallel);
criterion_main!(benches);
END

# Adds the profiler to the crate in the current folder. The arguments are the file of its benchmarks
# and a sed script for it. Sets `lines` to the number of changed lines.
add_profiler() { # FILE SCRIPT
    cp -r . "$work/before"
    cargo add --quiet --dev --path "$root/profile" --features criterion pprof-views
    printf '[profile.bench]\ndebug = 1\n' >>Cargo.toml
    sed -i "$2" "$1"
    # Paths in both folders, of which a lock file is no change by the user.
    lines=$(git diff --no-index --numstat "$work/before" . | awk '!/Cargo.lock/ { sum += $1 > $2 ? $1 : $2 } END { print sum }' || true)
    rm -r "$work/before"
    [ "$lines" -le 8 ] || fail "$lines changed lines in $PWD"
}

# Checks the flamegraphs whose paths a log has. Each frame above that of the benchmark must be of one
# of the crates, unless it has less than a hundredth of the samples. Sets `graphs` to their number.
check_graphs() { # LOG CRATES
    graphs=0
    while read -r graph; do
        ! grep -oE '<title>[^<]*(criterion::|rayon|warm_up)[^<]*' "$graph" || fail "these frames are in $graph"
        unrelated=$(sed 's/<g>/\n/g' "$graph" |
            sed -nE 's/^<title>(.*) \([^(]*, ([0-9.]+)%\)<.title><rect x="[^"]*" y="([0-9]+)".*/\3 \2 \1/p' |
            sort -rn | awk -v crates="^($2)::" '
                NR == 1 { bottom = $1 }
                $1 == bottom - 32 && $2 >= 1 { frames++; if ($3 !~ crates) print }
                END { if (!frames) print "no frames" }')
        [ -z "$unrelated" ] || fail "stacks of $graph do not start at the benchmark:" "$unrelated"
        graphs=$((graphs + 1))
    done < <(grep 'flamegraph\.svg$' "$1")
    [ "$graphs" -gt 0 ] || fail "no path of a flamegraph in $1"
}

criterion_version() { sed -n '/^name = "criterion"$/{n;s/version = "\(.*\)"/\1/p}' Cargo.lock; }

add_profiler benches/example.rs 's/^criterion_group!.*/criterion_group! {\
    name = benches;\
    config = Criterion::default().with_profiler(pprof_views::criterion::Flamegraph::new());\
    targets = inlined, batched, parallel\
}/'
cargo bench --quiet --bench example --no-run
perf record --quiet --event cpu-clock --freq 999 --output "$work/perf.data" -- \
    cargo bench --quiet --bench example -- --profile-time 10 2>&1 | tee "$work/measured.log"
check_graphs "$work/measured.log" 'example|measured'
[ "$graphs" = 3 ] || fail "$graphs flamegraphs of 3 benchmarks"
echo "figure: crate=new; criterion=$(criterion_version); lines=$lines; flamegraphs=$graphs"

# Prints the share of a function in the time of two, given lines `PERCENTAGE% ... FUNCTION`.
share() { # FUNCTION OTHER
    awk -v one="::$1\$" -v other="::$2\$" '
        $NF ~ one { a += $1 }
        $NF ~ other { b += $1 }
        END { if (a + b == 0) exit 1; printf "%.1f", 100 * a / (a + b) }' || fail "no samples of $1 and $2"
}
compare() { # BENCHMARK FUNCTION OTHER REFERENCE EXPECTED-SHARE
    local profiled samples
    profiled=$(awk '{ print $5, $6 }' "$CARGO_TARGET_DIR/criterion/$1/profile/top.txt" | share "$2" "$3")
    samples=$(sed -n "s/^$1: .*, \([0-9]*\) samples$/\1/p" "$work/measured.log")
    echo "figure: benchmark=$1; function=$2; samples=$samples; reference=$4; expected %=$5; profiled %=$profiled"
    awk "BEGIN { exit !($5 - $profiled <= 5 && $profiled - $5 <= 5) }" || fail "$2 has $profiled % instead of $5 %"
}
perf report --input "$work/perf.data" --stdio --no-children --fields overhead,symbol 2>/dev/null |
    grep '%' >"$work/perf.txt"
compare inlined three seven 'by construction' 30
compare batched prepared processed perf "$(share prepared processed <"$work/perf.txt")"
compare parallel short long perf "$(share short long <"$work/perf.txt")"

# What a user sees if something is missing.
if CRITERION_HOME=/dev/null cargo bench --quiet --bench example -- --profile-time 1 inlined >"$work/unwritable.log" 2>&1; then
    fail "no exit code although nothing could be written"
fi
grep -q 'cannot write /dev/null/inlined/profile/flamegraph.svg' "$work/unwritable.log" || fail "$(cat "$work/unwritable.log")"
cargo bench --quiet --bench example --config profile.bench.debug=0 -- --profile-time 1 >"$work/no_lines.log" 2>&1
[ "$(grep -c '^no debug information: ' "$work/no_lines.log")" = 3 ] || fail "$(cat "$work/no_lines.log")"

# The published benchmarks of the version of prost that this workspace uses.
cd "$root"
published=$(dirname "$(cargo metadata --format-version 1 --locked | grep -oE '"[^"]*/prost-[0-9.]+/Cargo\.toml' | head -n 1 | tr -d '"')")
cp -r "$published" "$work/prost"
cd "$work/prost"
rm -f Cargo.lock # it may name versions that do not exist any more
printf '[workspace]\n' >>Cargo.toml
add_profiler benches/varint.rs 's/Criterion::default()/&.with_profiler(pprof_views::criterion::Flamegraph::new())/'
cargo bench --quiet --bench varint -- --profile-time 3 mixed 2>&1 | tee "$work/prost.log"
check_graphs "$work/prost.log" 'varint|prost'
echo "figure: crate=$(basename "$published"); criterion=$(criterion_version); lines=$lines; flamegraphs=$graphs"
