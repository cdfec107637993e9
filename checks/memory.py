#!/usr/bin/env python3
"""Measures the peak memory of large replays, sweeps and merges, and checks that it is below 64 MB:
- a replay of 10 million lines, from a file and from a pipe,
- a sweep with a million single failures, which are all listed, with a checkpoint and a report,
- a merge of the reports of ten shards, each with as many failures as a report lists, and the same for plans
  with as many ranges as a report lists.
The replays, shards and merges also have to find what is in the list.

Usage: checks/memory.py [LINES]    2 GB of disk for 10 million lines
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWEEP = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release/sweep"
LIMIT = 64e6
# From here on the codec of the article of 2015 fails for every value.
FAILING = 1 << 62


def write_list(path, lines):
    """Writes a list of failures that are spread over these values, so that none is beside another."""
    step = FAILING // lines
    with path.open("w") as file:
        for number in range(lines):
            value = FAILING + number * step + number * 7919 % (step // 2)
            file.write(
                '{"type":"i64","codec":"article2015","wire":"leb128","value":"%d","kind":"decode_panic",'
                '"expected":"%d","got":"panic","block":1,"numbers":["%d","%d"]}\n' % (value, value, value, value)
            )


def measure(what, code, arguments, stdin=None):
    """Runs the program with this exit code, and prints the greatest memory of any process that it was."""
    process = subprocess.Popen([SWEEP, *map(str, arguments)], stdin=stdin, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == code, f"{what}: {os.waitstatus_to_exitcode(status)}"
    bytes_used = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(f"figure: of={what}; peak memory={bytes_used / 1e6:.0f} MB", flush=True)
    assert bytes_used < LIMIT, f"{what}: more than {LIMIT / 1e6:.0f} MB"


def report(path):
    return json.loads(path.read_text())


def count(path, needle):
    with path.open() as file:
        return sum(needle in line for line in file)


def replay(folder, lines):
    source, json_file, checkpoint = folder / "list", folder / "json", folder / "checkpoint"
    write_list(source, lines)
    fixed = ["--codec", "single", "--no-progress"]
    files = ["--json", json_file, "--checkpoint", checkpoint]
    measure(f"replay of {lines:,} lines", 0, ["--replay", source, *fixed, *files])
    assert report(json_file)["values"] == str(lines) and report(json_file)["complete"]
    # The complete checkpoint is read, and its plan compared.
    measure("its checkpoint", 0, ["--replay", source, *fixed, *files])
    with subprocess.Popen(["cat", source], stdout=subprocess.PIPE) as pipe:
        measure(f"replay of {lines:,} lines from a pipe", 0, ["--replay", "-", *fixed], pipe.stdout)
    source.unlink()


def failures(folder, lines):
    source, found, json_file = folder / "list", folder / "found", folder / "json"
    write_list(source, lines)
    files = ["--failures", found, "--json", json_file, "--no-progress"]
    words = ["--replay", source, *files, "--max-failures"]
    measure(f"{lines:,} single failures", 1, [*words, "0"])
    assert count(found, '"kind"') == lines and report(json_file)["failures"] == str(lines)
    measure(f"{lines:,} single failures with a checkpoint", 1, [*words, "0", "--checkpoint", folder / "checkpoint0"])
    measure(f"{lines:,} of {10 * lines:,} failures", 1, [*words, 10 * lines, "--checkpoint", folder / "checkpoint1"])


def shards(folder, lines):
    source, merged = folder / "list", folder / "merged"
    write_list(source, lines)
    reports = [folder / f"shard-{index}" for index in range(1, 11)]
    for index, path in enumerate(reports, 1):
        words = ["--replay", source, "--max-failures", 10 * lines, "--shard", f"{index}/10", "--json", path, "--quiet"]
        subprocess.run([SWEEP, *map(str, words)], stdout=subprocess.DEVNULL)
    sizes = sum(path.stat().st_size for path in reports) / 1e6
    measure(f"merge of ten reports of {lines:,} ranges, {sizes:.0f} MB", 1, ["merge", *reports, "--json", merged])
    assert report(merged)["failures"] == str(lines) and report(merged)["complete"]
    assert len(report(merged)["first_failures"]) == 10_000


def main():
    lines = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    with tempfile.TemporaryDirectory() as folder:
        for check, number in [(replay, lines), (failures, lines // 10), (shards, lines // 10), (shards, 65_000)]:
            own = Path(folder) / f"{check.__name__}-{number}"
            own.mkdir()
            check(own, number)


main()
