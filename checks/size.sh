#!/usr/bin/env bash
# Measures what dependents pay for the crate.
# - Without `std`: the growth of a small program by each function, for three targets and three levels
#   of optimization; by compiler setting; and the memory used.
# - With `std`: the user CPU time of a build with an empty target folder, and the growth of the stripped
#   program with link-time optimization, compared with other crates. Times vary with the load of the
#   machine; sizes do not.
# The compiler can be any with the sources of its standard library. A target without a linker, and the
# stack without llvm-readobj, are left out, with a message.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
source checks/toolchain.sh
work=$(realpath -m "${CARGO_TARGET_DIR:-target}")/size
unset CARGO_TARGET_DIR RUSTFLAGS
export CARGO_TERM_COLOR=never
rm -rf "$work/small" "$work/dependent"
mkdir -p "$work/small/src/bin" "$work/dependent/src"

cat >"$work/small/Cargo.toml" <<END
[package]
name = "small"
edition = "2024"
[workspace]
[dependencies]
zigzag-varint = { path = "$root", default-features = false }
# The settings that docs/speed.md recommends.
[profile.release]
opt-level = "s"
lto = true
codegen-units = 1
panic = "abort"
END

# program NAME TYPE LABEL BODY: a program without `std` whose entry point evaluates BODY with some of
# the bytes of a buffer, and with a buffer of values. The compiler knows neither the bytes nor their
# number, so it cannot evaluate anything itself. A panic prints nothing, so that a panic in the codec
# costs only the code that detects it.
programs=() labels=()
program() {
    programs+=("$1") labels+=("$3")
    cat >"$work/small/src/bin/$1.rs" <<END
#![no_std]
#![no_main]
#![allow(unused_imports)]
$([ "$1" = empty ] || echo 'use zigzag_varint::{Decoder, Kernel, Varint, decode_slice, encode_slice, Signed};')
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
#[unsafe(no_mangle)]
extern "C" fn entry(buffer: &mut [u8; 4096], len: usize, values: &mut [$2; 512]) -> u64 {
    let bytes = &mut buffer[..len.min(4096)];
    $4
}
END
}
program empty u64 'without the crate' 'bytes.len() as u64 + values[0]'
program nothing u64 'nothing used' 'bytes.len() as u64 + values[0]'
program decode u64 '`u64::decode`' 'match u64::decode(bytes) {
        Ok((value, len)) => value + len as u64 + values[0],
        Err(error) => error.offset() as u64,
    }'
program encode u64 '`u64::encode`' 'let encoded = u64::encode(values[0]);
    bytes.iter_mut().zip(&*encoded).for_each(|(to, from)| *to = *from);
    encoded.len() as u64'
program encode_to_slice u64 '`u64::encode_to_slice`' 'match u64::encode_to_slice(values[0], bytes) {
        Ok(len) => len as u64,
        Err(error) => error.needed as u64,
    }'
program decoder u64 '`Decoder::<u64>`' 'let mut decoder = Decoder::<u64>::new();
    let mut found = 0;
    for &byte in bytes.iter() {
        match decoder.push(byte) {
            Ok(Some(value)) => values[0] ^= value,
            Ok(None) => found += 1,
            Err(error) => return error.offset() as u64,
        }
    }
    found'
program signed i64 '`encode_to_slice` and `decode` of `Signed<i64>`' 'match Signed::<i64>::decode(bytes) {
        Ok((value, len)) => {
            values[0] = value;
            Signed::encode_to_slice(values[1], bytes).map_or(0, |written| (len + written) as u64)
        }
        Err(error) => error.offset() as u64,
    }'
for type in u64 u32; do
    program decode_slice_$type $type "\`decode_slice::<$type>\`" 'match decode_slice(bytes, values) {
        Ok(done) => done.values as u64,
        Err(failed) => failed.error.offset() as u64,
    }'
done
both='match decode_slice(bytes, values) {
        Ok(done) => match encode_slice(&values[..done.values], bytes) {
            Ok(len) => len as u64,
            Err(error) => error.needed as u64,
        },
        Err(failed) => failed.error.offset() as u64,
    }'
program both u32 '`decode_slice::<u32>` and `encode_slice::<u32>`' "$both"
program both_scalar u32 'the same with `Kernel::SCALAR`' "$(sed 's/decode_slice\|encode_slice/Kernel::SCALAR.&::<u32>/' <<<"$both")"

# build TARGET NAME [SETTING=VALUE]...: builds the programs with these settings of the profile, into
# the folder NAME. Also builds `core`, with the same settings.
build() {
    local target=$1 name=$2 flags linker=cc variable=${1^^}
    shift 2
    case $target in
        wasm32*) linker=$(find_linker wasm-ld) flags="-Clink-arg=--no-entry -Clink-arg=--export=entry -Cstrip=symbols" ;;
        thumb*) linker=$(find_linker ld.lld) flags="-Clink-arg=-eentry" ;;
        *) flags="-Clink-arg=-nostartfiles -Clink-arg=-Wl,-e,entry -Clink-arg=-lc" ;;
    esac
    command -v "$linker" >/dev/null || { echo "$target is left out: no linker"; return 1; }
    env "CARGO_TARGET_${variable//-/_}_LINKER=$linker" "${@/#/CARGO_PROFILE_RELEASE_}" \
        RUSTC_BOOTSTRAP=1 RUSTC="$rustc" RUSTFLAGS="$flags -Zemit-stack-sizes" CARGO_TARGET_DIR="$work/$name" \
        "${rustc%/*}/cargo" build --quiet --manifest-path "$work/small/Cargo.toml" --release --target "$target" -Zbuild-std=core
}

# bytes TARGET NAME PROGRAM SECTION...: the size of the program's sections, or of the file if it is
# WebAssembly.
bytes() {
    local file=$work/$2/$1/release/$3
    if [[ $1 == wasm32* ]]; then
        wc -c <"$file.wasm" | tr -d ' '
    else
        size -A "$file" | awk -v names=" ${*:4} " 'index(names, " " $1 " ") { sum += $2 } END { print sum + 0 }'
    fi
}

# growth TARGET NAME PROGRAM: by how many bytes the program is larger than one without the crate.
growth() {
    local sections=(.text .rodata .data.rel.ro .data)
    echo $(($(bytes "$1" "$2" "$3" "${sections[@]}") - $(bytes "$1" "$2" empty "${sections[@]}")))
}

"$rustc" --version
built=()
for target in x86_64-unknown-linux-gnu wasm32-unknown-unknown thumbv7em-none-eabi; do
    for level in 3 s z; do build "$target" $level OPT_LEVEL=$level || continue 2; done
    built+=("$target")
done
[ ${#built[@]} -gt 0 ] || exit 1
for i in "${!programs[@]}"; do
    cells=
    for target in "${built[@]}"; do
        for level in 3 s z; do cells+="; ${target%%-*}, $level=$(growth "$target" $level "${programs[i]}")"; done
    done
    [ "$i" = 0 ] || echo "figure: used=${labels[i]}$cells"
done

target=${built[-1]}
step() { # LABEL NAME SETTING...
    build "$target" "$2" "${@:3}"
    echo "figure: settings of the profile, ${target%%-*}=$1; \`u64::decode\`=$(growth "$target" "$2" decode); both directions of slices of \`u32\`=$(growth "$target" "$2" both)"
}
step 'those of `--release`' default OPT_LEVEL=3 LTO=false CODEGEN_UNITS=16
step 'and `opt-level = "s"`' opt OPT_LEVEL=s LTO=false CODEGEN_UNITS=16
step 'and `lto = true`' lto OPT_LEVEL=s LTO=true CODEGEN_UNITS=16
step 'and `codegen-units = 1`' s OPT_LEVEL=s LTO=true CODEGEN_UNITS=1

if command -v llvm-readobj >/dev/null; then
    for i in "${!programs[@]}"; do
        frames=$(llvm-readobj --stack-sizes "$work/s/$target/release/${programs[i]}" | sed -n 's/^ *Size: /+/p')
        echo "figure: used, ${target%%-*}=${labels[i]}; stack=$((${frames:-0})); statics=$(bytes "$target" s "${programs[i]}" .data .bss)"
    done
else
    echo 'the stack is left out: no llvm-readobj'
fi

# dependent LABEL DEPENDENCY BODY: a program that passes the bytes of standard input through BODY.
base=0
dependent() {
    cat >"$work/dependent/Cargo.toml" <<END
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
    cat >"$work/dependent/src/main.rs" <<END
use std::io::Read;
fn main() {
    let mut input = Vec::new();
    std::io::stdin().read_to_end(&mut input).unwrap();
    let src = &input[..];
    $3
}
END
    cd "$work/dependent"
    rm -f Cargo.lock
    cargo fetch --quiet
    local release seconds=() TIMEFORMAT=%U
    for release in '' --release; do
        rm -rf target
        seconds+=("$({ time cargo build --quiet $release >/dev/null 2>&1; } 2>&1)")
    done
    local size=$(wc -c <target/release/dependent)
    [ "$base" != 0 ] || base=$size
    echo "figure: dependent=$1; dev, s=${seconds[0]}; release, s=${seconds[1]}; bytes=$((size - base))"
}
ours="zigzag-varint = { path = \"$root\" }"
dependent 'no dependency' '' 'println!("{}", src.len());'
dependent 'zigzag-varint: nothing used' "$ours" 'println!("{}", src.len());'
dependent 'zigzag-varint: `u64::decode`' "$ours" 'println!("{:?}", <u64 as zigzag_varint::Varint>::decode(src));'
dependent 'zigzag-varint: `decode_slice::<u64>`' "$ours" 'let mut dst = vec![0u64; src.len()];
    println!("{:?} {:?}", zigzag_varint::decode_slice(src, &mut dst).is_ok(), dst.last());'
dependent 'zigzag-varint: both directions of u32, u64, i64' "$ours" 'fn round<T: zigzag_varint::Integer>(src: &[u8]) {
        let mut values = vec![T::default(); src.len()];
        let decoded = zigzag_varint::decode_slice(src, &mut values).is_ok();
        let mut bytes = vec![0; 10 * values.len()];
        println!("{decoded:?} {:?} {:?}", values.last(), zigzag_varint::encode_slice(&values, &mut bytes).is_ok());
    }
    round::<u32>(src);
    round::<u64>(src);
    round::<i64>(src);'
dependent 'memchr: memchr' 'memchr = "2"' 'println!("{:?}", memchr::memchr(b"x"[0], src));'
dependent 'simdutf8: from_utf8' 'simdutf8 = "0.1"' 'println!("{:?}", simdutf8::basic::from_utf8(src).is_ok());'
dependent 'varint-simd: `decode::<u64>`' 'varint-simd = "0.4"' 'println!("{:?}", varint_simd::decode::<u64>(src));'
dependent 'integer-encoding: decode_var' 'integer-encoding = "4"' 'println!("{:?}", <u64 as integer_encoding::VarInt>::decode_var(src));'
dependent 'leb128: read::unsigned' 'leb128 = "0.2"' 'println!("{:?}", leb128::read::unsigned(&mut &src[..]).ok());'
