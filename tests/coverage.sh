#!/usr/bin/env bash
# Lines and branches of the codec and the kernels that the crate's own tests reach, file by file, and those that they miss.
#
# A generic line counts as reached where one of its types reaches it. What this machine does not compile is not counted:
# the kernels of other architectures, and builds without `std`.
set -euo pipefail
cd "$(dirname "$0")/.."

command -v cargo-llvm-cov >/dev/null || { echo "cargo-llvm-cov is missing: cargo install cargo-llvm-cov --locked"; exit 1; }

# Branches are for the nightly compiler; without one, lines alone.
toolchain=() branch=()
if rustc +nightly --version >/dev/null 2>&1; then
    toolchain=(+nightly) branch=(--branch)
else
    echo "no nightly compiler: branches are not counted"
fi

# The tools must be of the compiler's own LLVM: its component llvm-tools, or the system's of that version.
if [ -z "${LLVM_COV:-}" ] && ! compgen -G "$(rustc "${toolchain[@]}" --print sysroot)/lib/rustlib/*/bin/llvm-cov" >/dev/null; then
    version=$(rustc "${toolchain[@]}" -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    export LLVM_COV=/usr/lib/llvm-$version/bin/llvm-cov LLVM_PROFDATA=/usr/lib/llvm-$version/bin/llvm-profdata
    if [ ! -x "$LLVM_COV" ]; then
        echo "llvm-cov $version is missing: rustup component add llvm-tools, or apt install llvm-$version"
        exit 1
    fi
fi

build=$(realpath -m "${CARGO_TARGET_DIR:-target}")
# Tests of the tests reach nothing that the tests do not.
cargo "${toolchain[@]}" llvm-cov "${branch[@]}" --no-report --package zigzag-varint --locked \
    --features bytes,embedded-io,tokio-util --lib --tests -- --skip the_suite_notices_every_planted_fault
build=$build/llvm-cov-target
"$LLVM_PROFDATA" merge --sparse "$build"/*.profraw --output="$build/codec.profdata"

# Each test program by itself: of a function that several have, llvm-cov takes the first that it finds, which may be one that
# never ran.
for program in "$build"/debug/deps/*; do
    case $program in *.*) continue ;; esac
    "$LLVM_COV" export --format=lcov --instr-profile="$build/codec.profdata" "$program" 2>/dev/null
done | awk -F '[:,]' '
    function percent(hit, all) { return all ? sprintf("%.1f %%", 100 * hit / all) : "-" }
    function row(name, lh, lf, bh, bf) {
        printf "%-32s %5d /%5d %8s %7d /%5d %8s\n", name, lh, lf, percent(lh, lf), bh, bf, percent(bh, bf)
    }
    # The first line of the module of tests, which ends a file, and the lines of functions that the compiler may run.
    function read_source(path, file,    text, line, held, constant, indent) {
        starts[file] = 1e9
        while ((getline text < path) > 0) {
            line++
            if (text ~ /^#\[cfg\(.*test.*\)\]/) held = line
            if (text ~ /^mod tests \{/) { starts[file] = held; break }
            if (text ~ /^ *(pub |pub\(.*\) )?(const fn|const|static) .*\{$/) { constant = 1; match(text, /^ */); indent = RLENGTH }
            if (constant) constants[file, line] = 1
            if (constant && text ~ /^ *\};?$/ && match(text, /^ */) && RLENGTH == indent) constant = 0
        }
        close(path)
    }
    $1 == "SF" {
        file = $2
        sub(/.*\/src\//, "", file)
        counts = $2 ~ /\/src\// && $2 !~ /\/(tests|\.cargo)\// && file !~ /^(sweep|bin)\//
        if (counts && !(file in starts)) { read_source($2, file); files[++n] = file }
    }
    counts && $1 == "DA" && $2 < starts[file] { line[file, $2] += $3; last[file] = $2 > last[file] ? $2 : last[file] }
    counts && $1 == "BRDA" && $2 < starts[file] { branch[file, $2, $3, $4] += $5 == "-" ? 0 : $5 }
    END {
        for (key in branch) {
            split(key, part, SUBSEP)
            bf[part[1]]++
            if (branch[key]) bh[part[1]]++; else open[part[1], part[2]] = 1
        }
        printf "%-32s %21s %23s\n", "file", "lines", "branches"
        for (i = 1; i <= n; i++) {
            file = files[i]
            lf = lh = 0
            missed = compiled = unturned = ""
            for (at = 1; at <= last[file]; at++) {
                if ((file, at) in open) unturned = unturned " " at
                if (!((file, at) in line)) continue
                if (!line[file, at] && (file, at) in constants) { compiled = compiled " " at; continue }
                lf++
                if (line[file, at]) lh++; else missed = missed " " at
            }
            row(file, lh, lf, bh[file], bf[file])
            LF += lf; LH += lh; BF += bf[file]; BH += bh[file]
            if (missed) details = details "src/" file ": lines" missed "\n"
            if (unturned) details = details "src/" file ": branches at" unturned "\n"
            if (compiled) by_compiler = by_compiler "src/" file ":" compiled "\n"
        }
        row("codec and kernels", LH, LF, BH, BF)
        printf "\nmissed:\n%s", details ? details : "nothing\n"
        printf "\nnot counted, since it runs in the compiler alone, which fills tables and constants with it:\n%s", by_compiler
    }
'
