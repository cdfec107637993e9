#!/usr/bin/env bash
# Runs the test vectors of conformance/, and byte strings, with published implementations, and prints a
# figure for each: the shortest inputs whose results differ from the vectors. Before, programs that use one package alone
# confirm wrong values and crashes. A language whose tools are missing is skipped,
# with a message. The packages are downloaded at the pinned versions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(realpath -m "${CARGO_TARGET_DIR:-target}")/conformance
mkdir -p "$work"
children=()

# Whether all tools of a language are here.
has() { # LANGUAGE TOOL...
    local tool
    for tool in "${@:2}"; do
        command -v "$tool" >/dev/null || { echo "skipped: $1, because there is no $tool"; return 1; }
    done
}

cargo build --locked --manifest-path conformance/children/rust/Cargo.toml --target-dir "$work/rust"
for example in quick_protobuf varint_rs; do
    cargo run -q --locked --manifest-path conformance/children/rust/Cargo.toml --target-dir "$work/rust" --example $example
done
children+=("Rust=$work/rust/debug/children")
if has Go go; then
    (cd conformance/children/go && go build -o "$work/go" .)
    children+=("Go=$work/go")
fi
if has JavaScript node npm; then
    mkdir -p "$work/js"
    cp -r conformance/children/js/* "$work/js"
    (cd "$work/js" && npm ci --no-audit --no-fund --ignore-scripts)
    for program in "$work"/js/confirm/*; do node "$program"; done
    children+=("JavaScript=node $work/js/child.mjs")
fi
if has Python python3 && python3 -c 'import ensurepip, venv'; then
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install -q -r conformance/children/python/requirements.txt
    for program in conformance/children/python/confirm/*; do "$work/python/bin/python" -B "$program"; done
    children+=("Python=$work/python/bin/python -B conformance/children/python/child.py")
fi
if has Java mvn javac; then
    rm -rf "$work/java"
    mvn -q -B -f conformance/children/java/pom.xml dependency:copy-dependencies -DoutputDirectory="$work/java"
    echo # Maven ends its output within a line
    java -cp "$work/java/*" conformance/children/java/confirm/ProtobufJava.java
    javac -d "$work/java" -cp "$work/java/*" conformance/children/java/*.java
    children+=("Java=java -cp $work/java:$work/java/* Child")
fi
cargo build --locked --bin sweep
cargo run -q --locked -p zigzag-varint-conformance -- "${CARGO_TARGET_DIR:-target}/debug/sweep" "${children[@]}"
