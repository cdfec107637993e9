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

report=${CARGO_TARGET_DIR:-target}/coverage.lcov
cargo "${toolchain[@]}" llvm-cov "${branch[@]}" --package zigzag-varint --features bytes,embedded-io,tokio-util --locked \
    --lib --tests --lcov --output-path "$report"

# One row per file, and the lines at which something was missed. Modules of tests, which end a file, are not counted.
awk -F '[:,]' '
    function percent(hit, all) { return all ? sprintf("%.1f %%", 100 * hit / all) : "-" }
    function row(name, lh, lf, bh, bf) {
        printf "%-36s %5d /%5d %8s %7d /%5d %8s\n", name, lh, lf, percent(lh, lf), bh, bf, percent(bh, bf)
    }
    BEGIN { printf "%-36s %21s %23s\n", "file", "lines", "branches" }
    $1 == "SF" {
        file = $2
        sub(/.*\/src\//, "", file)
        counts = file !~ /^(sweep|bin)\//
        tests = 1e9
        line = 0
        while (counts && (getline text < $2) > 0) {
            line++
            if (tests == 1e9 && text ~ /^#\[cfg\(.*test.*\)\]/) { held = line }
            if (tests == 1e9 && text ~ /^mod tests \{/) tests = held
        }
        close($2)
        lf = lh = bf = bh = 0
        missed = open = ""
    }
    $1 == "DA" && counts && $2 < tests {
        lf++
        if ($3 > 0) lh++; else missed = missed " " $2
    }
    $1 == "BRDA" && counts && $2 < tests {
        bf++
        if ($5 != "-" && $5 > 0) bh++; else if (open !~ " " $2 "( |$)") open = open " " $2
    }
    $1 == "end_of_record" && counts {
        row(file, lh, lf, bh, bf)
        if (missed) details = details "src/" file ": lines" missed "\n"
        if (open) details = details "src/" file ": branches at" open "\n"
        LF += lf; LH += lh; BF += bf; BH += bh
    }
    END {
        row("codec and kernels", LH, LF, BH, BF)
        printf "\nmissed:\n%s", details ? details : "nothing\n"
    }
' "$report"
