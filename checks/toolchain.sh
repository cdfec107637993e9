# Finds what the checks for other targets need. `source` it; it is not a program.

# A compiler with the sources of its standard library, which can build that for any target. Empty if
# there is none.
rustc=
for candidate in "$(command -v rustc || true)" /usr/bin/rustc; do
    if [ -x "$candidate" ] && [ -d "$("$candidate" --print sysroot)/lib/rustlib/src/rust/library" ]; then
        rustc=$candidate
        break
    fi
done

# Prints the newest linker of a name (`ld.lld`, `ld.lld-22`), or the one of a Rust toolchain.
find_linker() {
    compgen -c "$1" | grep -E "^$1(-[0-9]+)?$" | sort -V | tail -n 1 | grep . && return
    local bundled
    for bundled in "$(rustc --print sysroot 2>/dev/null)"/lib/rustlib/*/bin/rust-lld; do
        [ -x "$bundled" ] && echo "$bundled" && return
    done
}
