#!/usr/bin/env bash
# Runs the test vectors of conformance/, and byte strings, with published implementations, and prints a
# figure for each: the shortest inputs whose results differ from the vectors. Before, programs that use one
# package alone confirm wrong values and crashes. A language whose tools are missing is skipped, with a
# message. The packages are downloaded at the pinned versions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
work=$(realpath -m "${CARGO_TARGET_DIR:-target}")/conformance
folder=conformance/children
mkdir -p "$work"
languages=()

# Whether all tools of a language are here.
has() { # LANGUAGE TOOL...
    local tool
    for tool in "${@:2}"; do
        command -v "$tool" >/dev/null || { echo "skipped: $1, because there is no $tool"; return 1; }
    done
}

# A language is a name, the length of the strings, the command of its child, and a text with the versions.
rust=(--locked --manifest-path $folder/rust/Cargo.toml --target-dir "$work/rust")
cargo build "${rust[@]}"
for program in $folder/rust/examples/*; do cargo run -q "${rust[@]}" --example "$(basename "$program" .rs)"; done
languages+=(Rust 3 "$work/rust/debug/children" "$(<$folder/rust/Cargo.toml)")
if has Go go; then
    (cd $folder/go && go build -o "$work/go" .)
    languages+=(Go 3 "$work/go" "$(<$folder/go/go.mod) encoding/binary $(go env GOVERSION)")
fi
# Packages of Debian at one version, unpacked without being installed.
debian=(libprotobuf-dev=3.21.12-3+deb12u1 libprotozero-dev=1.7.1-1 libnanopb-dev=0.4.7-2)
if has "C and C++" g++ apt-get dpkg; then
    mkdir -p "$work/cpp"
    if (cd "$work/cpp" && apt-get download -q "${debian[@]}"); then
        for package in "$work"/cpp/*.deb; do dpkg -x "$package" "$work/cpp"; done
        build() { # PROGRAM SOURCE
            g++ -std=c++17 -O1 -I "$work/cpp/usr/include" -o "$1" "$2" \
                "$work"/cpp/usr/lib/*/lib{protobuf-lite,protobuf-nanopb}.a -pthread
        }
        for program in $folder/cpp/confirm/*; do build "$work/cpp/confirm" "$program"; "$work/cpp/confirm"; done
        build "$work/cpp/child" $folder/cpp/child.cc
        languages+=("C, C++" 3 "$work/cpp/child" "${debian[*]}")
    else
        echo "skipped: C and C++, because these packages cannot be downloaded: ${debian[*]}"
    fi
fi
if has JavaScript node npm; then
    mkdir -p "$work/js"
    cp -r $folder/js/* "$work/js"
    (cd "$work/js" && npm ci --no-audit --no-fund --ignore-scripts)
    for program in "$work"/js/confirm/*; do node "$program"; done
    languages+=(JavaScript 2 "node $work/js/child.mjs" "$(<$folder/js/package.json)")
fi
if has Python python3 && python3 -c 'import ensurepip, venv'; then
    python3 -m venv "$work/python"
    "$work/python/bin/pip" install -q -r $folder/python/requirements.txt
    for program in $folder/python/confirm/*; do "$work/python/bin/python" -B "$program"; done
    python="$work/python/bin/python -B"
    languages+=(Python 2 "$python $folder/python/child.py" "$(<$folder/python/requirements.txt)")
fi
if has Java mvn javac; then
    rm -rf "$work/java"
    mvn -q -B -f $folder/java/pom.xml dependency:copy-dependencies -DoutputDirectory="$work/java"
    echo # Maven ends its output within a line
    for program in $folder/java/confirm/*; do java -cp "$work/java/*" "$program"; done
    javac -d "$work/java" -cp "$work/java/*" $folder/java/*.java
    languages+=(Java 3 "java -cp $work/java:$work/java/* Child" "$(<$folder/java/pom.xml)")
fi
cargo run -q --locked --release -p zigzag-varint-conformance-run -- "${languages[@]}"
