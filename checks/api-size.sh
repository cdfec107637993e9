#!/usr/bin/env bash
# Counts the public functions and methods of the library, each once, with all its features: free
# functions, methods of types, and methods of public traits. Methods of trait implementations are
# not counted, since the trait has them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
cargo +nightly rustdoc --quiet --locked -p zigzag-varint --lib \
    --features bytes,embedded-io,tokio-util,defmt -- -Z unstable-options --output-format json
python3 - target/doc/zigzag_varint.json <<'PYTHON'
import collections, json, sys

crate = json.load(open(sys.argv[1]))
index = crate["index"]
seen, counts = set(), collections.Counter()


def items(ids):
    return [index[str(id)] for id in ids if str(id) in index]


def is_function(item):
    return "function" in item["inner"] and item["visibility"] in ("public", "default")


def visit(id, path):
    """Counts the functions of an item and of what is in it, and follows public names for others."""
    item = index.get(str(id))
    if item is None or str(id) in seen or item["visibility"] not in ("public", "default"):
        return
    seen.add(str(id))
    kind, inner = next(iter(item["inner"].items()))
    name = "::".join([*path, item["name"] or ""])
    if kind == "use":
        visit_named(inner, path)
    elif kind == "module":
        for child in inner["items"]:
            visit(child, path if str(id) == str(crate["root"]) else [*path, item["name"]])
    elif kind == "function":
        counts["::".join(path) or "the root"] += 1
    elif kind == "trait":
        counts[name] += sum(map(is_function, items(inner["items"])))
    elif kind in ("struct", "enum", "union"):
        own = [impl["inner"]["impl"] for impl in items(inner["impls"])]
        methods = [method for impl in own if impl["trait"] is None for method in items(impl["items"])]
        counts[name] += sum(is_function(method) and method["visibility"] == "public" for method in methods)


def visit_named(use, path):
    item = index.get(str(use["id"]))
    if item and "module" in item["inner"]:
        seen.add(str(use["id"]))
        for child in item["inner"]["module"]["items"]:
            visit(child, path if use["is_glob"] else [*path, use["name"]])
    elif item:
        visit(use["id"], path)


visit(crate["root"], [])
for name, count in counts.most_common():
    if count:
        print(f"{count:5}  {name}")
print(f"figure: public functions and methods={sum(counts.values())}")
PYTHON
