#!/usr/bin/env python3
"""Counts the public items of the published packages, without hidden ones, and those with documentation and with an
example. A method that several types have by a trait or a macro counts once. Prints which items have no example, and
exits with 1 if one of the codec is among them.

Usage: checks/api_size.py [REVISION]
With a revision of git, counts its items too, and prints which were added and removed since then.

rustdoc writes the items as JSON, by its unstable options. Its own `--show-coverage` leaves out what is public only
by `pub use`, and the methods of such types.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "api-size"
CODEC = "zigzag-varint"  # each of its items has an example; it is also counted with default features
COLUMNS = {
    "functions": ["function"], "methods": ["method"],
    "types": ["struct", "enum", "union", "type_alias", "assoc_type"], "traits": ["trait"],
    "constants": ["constant", "static", "assoc_const"], "macros": ["macro", "proc_macro"],
    "variants and fields": ["variant", "struct_field"], "modules": ["module"],
}  # fmt: skip
PARTS = {
    "module": ["items"], "trait": ["items"], "struct": ["impls"], "enum": ["variants", "impls"],
    "union": ["fields", "impls"],
}  # fmt: skip
# As for rustdoc, a constant, for example, needs none.
NEED_EXAMPLE = {"function", "method", "struct", "enum", "union", "trait", "macro", "proc_macro"}
# A code block with another word is not Rust, or ignored.
COMPILED = {"", "rust", "no_run", "should_panic", "compile_fail"}


def has_example(docs):
    fences = re.findall(r"^ *(?:```|~~~)(.*)", docs, re.MULTILINE)
    return any(COMPILED.issuperset(re.split(r"[\s,]+", words.strip())) for words in fences[::2])


def members(kind, inner):
    """Returns the numbers of the items inside of an item."""
    numbers = [number for part in PARTS.get(kind, []) for number in inner[part]]
    if kind in ("struct", "variant") and isinstance(inner["kind"], dict):
        [fields] = inner["kind"].values()
        numbers += fields["fields"] if isinstance(fields, dict) else fields
    return numbers


def public_items(document):
    """Returns the documentation of each item, by its kind and its shortest path. There are several if a macro
    writes a method for several types."""
    items, seen = {}, set()
    level = [("", "", document["root"], None)]
    while level:
        below = []
        for owner, path, number, name in level:
            item = document["index"].get(str(number))  # none if it is private
            if item is None or number in seen:
                continue
            kind, inner = next(iter(item["inner"].items()))
            if kind == "use":
                assert not inner["is_glob"], f"{path}: use of all items of {inner['source']}"
                below.append((owner, path, inner["id"], inner["name"]))
                continue
            seen.add(number)
            if kind == "impl":
                # Those of a trait are the trait's.
                below += [("impl", path, member, None) for member in inner["items"] if inner["trait"] is None]
                continue
            if kind == "function" and owner in ("impl", "trait"):
                kind = "method"
            path = f"{path}::{name or item['name']}".removeprefix("::")
            items.setdefault((kind, path), []).append(item["docs"] or "")
            below += [(kind, path, member, None) for member in members(kind, inner)]
        level = below
    return items


def cargo(folder, *arguments):
    command = ["cargo", *arguments, "--manifest-path", folder / "Cargo.toml"]
    flags = {"RUSTC_BOOTSTRAP": "1", "RUSTDOCFLAGS": "-Z unstable-options --output-format json"}
    return subprocess.run(command, env=os.environ | flags, check=True, stdout=subprocess.PIPE).stdout


def document(name):
    """Returns the documentation of a package that was made last."""
    return json.loads((TARGET / f"doc/{name.replace('-', '_')}.json").read_text())


def count(folder, revision):
    """Prints the figures of a checkout, and returns the items by package and features."""
    metadata = json.loads(cargo(folder, "metadata", "--format-version", "1", "--no-deps", "--locked"))
    names = [package["name"] for package in metadata["packages"] if package["publish"] != []]
    found = {}
    for features, packages in ("all", names), ("default", [CODEC]):
        chosen = [word for name in packages for word in ("-p", name)]
        into = ["--target-dir", TARGET]
        # The file of another checkout or of other features may be where cargo finds nothing to do.
        cargo(folder, "clean", "--quiet", *chosen, *into)
        words = ["--all-features"] if features == "all" else []
        cargo(folder, "doc", "--quiet", "--lib", "--no-deps", "--locked", *words, *chosen, *into)
        for name in packages:
            found[name, features] = public_items(document(name))
    for (name, features), items in found.items():
        cells = {"package": name, "features": features, "revision": revision}
        for column, kinds in COLUMNS.items():
            cells[column] = sum(kind in kinds for kind, _ in items)
        # A field without a name has the documentation of its type.
        needing = [docs for (_, path), docs in items.items() if not path.rsplit("::", 1)[-1].isdigit()]
        cells["documented"] = f"{sum(map(all, needing))} of {len(needing)}"
        needing = [docs for (kind, _), docs in items.items() if kind in NEED_EXAMPLE]
        cells["with an example"] = f"{len(needing) - len(without_example(items))} of {len(needing)}"
        print("figure:", "; ".join(f"{key}={value}" for key, value in cells.items()), flush=True)
    return found


def without_example(items):
    return {
        (kind, path)
        for (kind, path), docs in items.items()
        if kind in NEED_EXAMPLE and not all(map(has_example, docs))
    }


def show(title, items):
    print(f"\n{title}: {len(items)}")
    for kind, path in sorted(items, key=lambda item: item[::-1]):
        print(f"    {kind} {path}")


def main():
    revisions = sys.argv[1:2]
    found = {}
    for revision in revisions:
        with tempfile.TemporaryDirectory() as folder:
            archive = subprocess.run(["git", "archive", revision], cwd=ROOT, check=True, stdout=subprocess.PIPE)
            subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
            found = count(Path(folder), revision)
    now = count(ROOT, "now")
    for (name, features), items in now.items():
        if features == "default":
            continue
        for revision in revisions:
            old = found.get((name, features), {})
            show(f"{name}: removed since {revision}", old.keys() - items.keys())
            show(f"{name}: added since {revision}", items.keys() - old.keys())
            show(f"{name}: without an example in {revision}", without_example(old))
        show(f"{name}: without an example", without_example(items))
    sys.exit(bool(without_example(now[CODEC, "all"])))


if __name__ == "__main__":
    main()
