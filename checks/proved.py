#!/usr/bin/env python3
"""Writes the list of the codec's public functions, and which of them are proved, into proofs/README.md.

Usage: checks/proved.py [--check]
With --check, writes nothing, and exits with 1 if the list there is another one. A function that is not named below is
tested. A row names properties of `proofs/run.sh --list`, which must exist for all six types."""

import subprocess
import sys

import api_size

PAGE = api_size.ROOT / "proofs/README.md"
HEAD = "| function | for `u64`, `i64`, `u32`, `i32`, `u16` and `i16` |\n"  # of the table, which ends the page
SIX = [f"{sign}{bits}" for bits in (64, 32, 16) for sign in "ui"]
KERNELS = ["scalar", "swar", "sse", "avx2", "avx512"]
NEEDED = "the length in the error is tested"
MANY_NEEDED = f"{NEEDED} for eight values or more"
MANY_SUM = "the sum of a kernel, for eight values or more, is tested"
BUFFERED = "what AVX2 decodes at the end of a source, by a buffer, is tested"
APPENDED = f"{BUFFERED}, and `count` and the functions of `Vec` that reserve memory are tested"
# By function: the properties, and what of it is tested only.
PROVED = {
    "Varint::encode": (["encode"], ""),
    "Varint::encode_to_slice": (["encode_to_slice"], NEEDED),
    "Varint::decode": (["decode", "decode_canonical"], ""),
    "Varint::encode_slice": (["encode_slice", "too_small"], MANY_NEEDED),
    "encode_slice": (["encode_slice", "too_small"], MANY_NEEDED),
    "Varint::decode_slice": (["decode_slice lenient", "decode_slice canonical"], BUFFERED),
    "decode_slice": (["decode_slice lenient"], BUFFERED),
    "Varint::decode_append": (["decode_append lenient", "decode_append canonical", "load_many"], APPENDED),
    "decode_append": (["decode_append lenient", "load_many"], APPENDED),
    "Varint::encoded_len_slice": (["encoded_len_slice"], MANY_SUM),
    "encoded_len_slice": (["encoded_len_slice"], MANY_SUM),
    "Reader::new": (["new reader"], ""),
    "Reader::read": (["read", "read_canonical", "known ends"], ""),
    "Const::encode": (["encode_const"], "other types than `u64` are tested"),
    "Kernel::encode_slice": (["kernel_encode", *[f"{one} encode" for one in KERNELS]], NEEDED),
    "Kernel::decode_slice": (["kernel_decode lenient", *[f"{one} decode" for one in KERNELS]], BUFFERED),
}  # fmt: skip


def functions():
    """Returns the public functions and methods with default features."""
    into = ["--target-dir", api_size.TARGET]
    api_size.cargo(api_size.ROOT, "clean", "--quiet", "-p", api_size.CODEC, *into)
    api_size.cargo(api_size.ROOT, "doc", "--quiet", "--lib", "--no-deps", "--locked", "-p", api_size.CODEC, *into)
    items = api_size.public_items(api_size.document(api_size.CODEC))
    return sorted(path.removeprefix("zigzag_varint::") for kind, path in items if kind in ("function", "method"))


def table(names):
    command = [api_size.ROOT / "proofs/run.sh", "--list"]
    properties = set(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines())
    for name, (rows, tested) in PROVED.items():
        assert name in names, f"{name}: not a public function"
        for row in rows:
            of_each = [f"u64 {row}"] if "`u64`" in tested else [f"{one} {row}" for one in SIX]
            assert properties.issuperset(of_each) or row in properties, f"{name}: no property {row} of all types"
    yield f"{HEAD}|---|---|\n"
    for name, (rows, tested) in PROVED.items():
        yield f"| `{name}` | {'proved' if not tested else f'proved in part: {tested}'} |\n"
    for owner in sorted({name.rpartition("::")[0] for name in names}):
        own = [name.rpartition("::")[2] for name in names if name not in PROVED and name.rpartition("::")[0] == owner]
        yield f"| {f'`{owner}`: ' * bool(owner)}{', '.join(f'`{one}`' for one in own)} | tested |\n" if own else ""


def main():
    page = PAGE.read_text()
    new = page.partition(HEAD)[0] + "".join(table(functions()))
    if new == page:
        return
    if "--check" in sys.argv:
        sys.exit("proofs/README.md: the list of functions is out of date; run checks/proved.py")
    PAGE.write_text(new)


main()
