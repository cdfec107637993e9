#!/usr/bin/env bash
# Measures what a dependent pays for the crate, and for others of its kind: the user CPU time of a
# build with an empty target folder, and the growth of the stripped program with link-time
# optimization. Both are relative to the same program without the crate.
#
#   checks/weight.sh            the table for this checkout
#   checks/weight.sh FOLDER...  our rows for other checkouts too
#
# Times vary with the load of the machine; sizes do not.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset CARGO_TARGET_DIR RUSTFLAGS
export CARGO_TERM_COLOR=never
bytes() { wc -c <"$1" | tr -d ' '; }

# project NAME DEPENDENCY BODY: a program that passes the bytes of standard input through BODY.
project() {
    mkdir -p "$work/$1/src"
    cat >"$work/$1/Cargo.toml" <<END
[package]
name = "dependent"
edition = "2024"
[workspace]
[profile.release]
lto = true
strip = true
[dependencies]
$2
END
    cat >"$work/$1/src/main.rs" <<END
use std::io::Read;
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let src = &input[..];
    $3
}
END
    (cd "$work/$1" && cargo fetch --quiet)
}

# user_seconds COMMAND...: runs the command without output and prints its user CPU time.
user_seconds() {
    local TIMEFORMAT=%U
    { time "$@" >/dev/null 2>&1; } 2>&1
}

build() ( # NAME PROFILE
    cd "$work/$1"
    rm -rf target
    user_seconds cargo build --quiet $([ "$2" = release ] && echo --release)
)

# row NAME LABEL: one line of the table.
row() {
    local dev release size
    dev=$(build "$1" dev)
    release=$(build "$1" release)
    size=$(bytes "$work/$1/target/release/dependent")
    [ "$1" = none ] && base=$size
    printf '| %-44s | %6s | %7s | %9s |\n' "$2" "$dev" "$release" "$((size - base))"
}

printf '| %-44s | %6s | %7s | %9s |\n|---|--:|--:|--:|\n' "" "dev, s" "release, s" "bytes"
project none "" 'println!("{}", src.len());'
row none "no dependency"

ours() { # FOLDER LABEL
    local crate="zigzag-varint = { path = \"$1\" }"
    project nothing "$crate" 'println!("{}", src.len());'
    row nothing "$2: nothing used"
    project single "$crate" 'println!("{:?}", <u64 as zigzag_varint::Varint>::decode(src));'
    row single "$2: \`u64::decode\`"
    project bulk "$crate" 'let mut dst = vec![0u64; src.len()];
    println!("{:?} {:?}", zigzag_varint::decode_slice(src, &mut dst).is_ok(), dst.last());'
    row bulk "$2: \`decode_slice::<u64>\`"
    project both "$crate" 'fn round<T: zigzag_varint::Varint + std::fmt::Debug>(src: &[u8]) {
        let mut values = vec![T::default(); src.len()];
        let decoded = zigzag_varint::decode_slice(src, &mut values).is_ok();
        let mut bytes = vec![0; 10 * values.len()];
        println!("{decoded:?} {:?} {:?}", values.last(), zigzag_varint::encode_slice(&values, &mut bytes).is_ok());
    }
    round::<u32>(src);
    round::<u64>(src);
    round::<i64>(src);'
    row both "$2: both directions of u32, u64, i64"
}
ours "$root" zigzag-varint
for folder in "$@"; do ours "$(cd "$folder" && pwd)" "$(basename "$folder")"; done
[ -z "${OURS_ONLY:-}" ] || exit 0

project memchr 'memchr = "2"' 'println!("{:?}", memchr::memchr(b"x"[0], src));'
row memchr "memchr: memchr"
project simdutf8 'simdutf8 = "0.1"' 'println!("{:?}", simdutf8::basic::from_utf8(src).is_ok());'
row simdutf8 "simdutf8: from_utf8"
project varint-simd 'varint-simd = "0.4"' 'println!("{:?}", varint_simd::decode::<u64>(src));'
row varint-simd "varint-simd: \`decode::<u64>\`"
project integer-encoding 'integer-encoding = "4"' 'println!("{:?}", <u64 as integer_encoding::VarInt>::decode_var(src));'
row integer-encoding "integer-encoding: decode_var"
project leb128 'leb128 = "0.2"' 'println!("{:?}", leb128::read::unsigned(&mut &src[..]).ok());'
row leb128 "leb128: read::unsigned"
