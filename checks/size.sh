#!/usr/bin/env bash
# Measures what small programs without `std` pay for the crate, and prints the tables of
# docs/size.md: the growth of a program by each function, by compiler setting, and the memory used.
#
#   checks/size.sh                       all tables
#   checks/size.sh thumbv7em-none-eabi   one target
#
# The programs are in checks/size/. The compiler can be any with the sources of its standard library
# (rustup component add rust-src), and `size` is part of binutils. A target without a linker, and the
# stack without llvm-readobj, are skipped.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
source checks/toolchain.sh
export CARGO_TERM_COLOR=never
targets=("$@")
[ $# -gt 0 ] || targets=(x86_64-unknown-linux-gnu wasm32-unknown-unknown thumbv7em-none-eabi)
programs=(nothing decode encode encode_to_slice decoder sleb128 decode_slice_u64 decode_slice_u32 both_u32 both_u32_scalar)
folder=$(realpath -m "${CARGO_TARGET_DIR:-target}")/size

if [ -z "$rustc" ]; then
    echo "size: no Rust toolchain with library sources; run: rustup component add rust-src" >&2
    exit 1
fi
if ! command -v size >/dev/null; then
    echo "size: no program 'size'; install binutils" >&2
    exit 1
fi

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
    if ! command -v "$linker" >/dev/null; then
        echo "size: $target skipped: no linker" >&2
        return 1
    fi
    env "CARGO_TARGET_${variable//-/_}_LINKER=$linker" "${@/#/CARGO_PROFILE_RELEASE_}" \
        RUSTC_BOOTSTRAP=1 RUSTC="$rustc" RUSTFLAGS="$flags -Zemit-stack-sizes" CARGO_TARGET_DIR="$folder/$name" \
        "${rustc%/*}/cargo" build --quiet --manifest-path checks/size/Cargo.toml --release --target "$target" -Zbuild-std=core
}

# bytes TARGET NAME PROGRAM SECTION...: the size of the program's sections, or of the file if it is
# WebAssembly.
bytes() {
    local file=$folder/$2/$1/release/$3
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

# row LABEL CELL...
row() { printf '| %s ' "$@" && echo '|'; }

# The first comment of the program's source.
label() { sed -n '1s|^//! ||p' "checks/size/src/bin/$1.rs"; }

echo "$("$rustc" --version). Made by \`checks/size.sh\`."

levels=(3 s z)
built=()
for target in "${targets[@]}"; do
    for level in "${levels[@]}"; do
        build "$target" "$level" "OPT_LEVEL=$level" || continue 2
    done
    built+=("$target")
done
[ ${#built[@]} -gt 0 ] || exit 1

printf '\n### By function\n\n'
heads=() rule=
for target in "${built[@]}"; do
    for level in "${levels[@]}"; do heads+=("${target%%-*}, $level") rule+="--:|"; done
done
row used "${heads[@]}"
echo "|---|$rule"
for program in "${programs[@]}"; do
    cells=()
    for target in "${built[@]}"; do
        for level in "${levels[@]}"; do cells+=("$(growth "$target" "$level" "$program")"); done
    done
    row "$(label "$program")" "${cells[@]}"
done

printf '\n### By setting\n\n'
target=${built[-1]}
row "settings of the profile, ${target%%-*}" "$(label decode)" "$(label both_u32)"
echo '|---|--:|--:|'
step() { # LABEL NAME SETTING...
    build "$target" "$2" "${@:3}"
    row "$1" "$(growth "$target" "$2" decode)" "$(growth "$target" "$2" both_u32)"
}
step 'those of `--release`' default OPT_LEVEL=3 LTO=false CODEGEN_UNITS=16
step 'and `opt-level = "s"`' opt OPT_LEVEL=s LTO=false CODEGEN_UNITS=16
step 'and `lto = true`' lto OPT_LEVEL=s LTO=true CODEGEN_UNITS=16
step 'and `codegen-units = 1`' s OPT_LEVEL=s LTO=true CODEGEN_UNITS=1

if ! command -v llvm-readobj >/dev/null; then
    echo 'size: stack skipped: no llvm-readobj' >&2
    exit
fi
printf '\n### Memory\n\n'
row "used, ${target%%-*}" stack statics
echo '|---|--:|--:|'
for program in "${programs[@]}"; do
    frames=$(llvm-readobj --stack-sizes "$folder/s/$target/release/$program" | sed -n 's/^ *Size: /+/p')
    row "$(label "$program")" $((${frames:-0})) "$(bytes "$target" s "$program" .data .bss)"
done
