#!/usr/bin/env python3
"""Ends sweeps of three spaces at random moments, and checks what they leave behind:
- 200 are killed, 50 run on a disk that becomes full, and 20 reach a limit of the file size,
- 200 kills of sweeps whose child takes 200 ms for each answer, with more inputs checked at each kill,
- every file is whole, except for the last line of the list of a killed sweep,
- every failure that the checkpoint or the report counts is in the list, once,
- some resume, and end with the same failures as a sweep that was not disturbed,
- campaign_files.py has the trials with pipes, links, wrong clocks and `nohup`.

Usage: checks/campaign.py [SEED]
The disks are small tmpfs in a mount namespace of their own, so root is not needed.
"""
import bisect
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import campaign_files

ROOT = Path(__file__).resolve().parent.parent
SWEEP = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/sweep"
OUTPUTS = [f"--{name}" for name in ("checkpoint", "failures", "json", "junit", "status")]


def spaces(folder):
    """Returns the arguments of each space. A child in Python is wrong for some inputs of a few blocks, since
    each input of a block that fails takes a call of its own. With the variable SLOW it is slow."""
    wrong = (ROOT / "every-input/examples/exec/child.py").read_text()
    root = "def root(n):\n    return math.isqrt(n) ^ (n >> 12 & 15 == 3 and n % 97 == 5)\n\n\n"
    for right, fault in [
        ("import math\n", "import math\nimport os\nimport time\n"),
        ("    task, type_name", "    time.sleep(0.2 if \"SLOW\" in os.environ else 0.0)\n    task, type_name"),
        ("math.isqrt(int.from_bytes(s, \"little\"))", "root(int.from_bytes(s, \"little\"))"),
        ("def square_root", root + "def square_root"),
        ("[at + 1]) + n.to", "[at + 1]) + (n ^ (s[0] & 31 == 3 and n % 7 == 5)).to"),
    ]:
        assert right in wrong
        wrong = wrong.replace(right, fault)
    (folder / "wrong.py").write_text(wrong)
    child, reference = f"python3 {folder}/wrong.py", f"python3 {ROOT}/every-input/examples/exec/child.py"
    middle = 1 << 62  # from which on the codec panics
    return {
        "codec": ["--codec", "article2015", f"{middle - 300_000}..={middle + 200_000}", "-1000..=1_000_000"],
        "function": ["--type", "u32", "--exec", child, "--reference", reference, "7..=300_000"],
        "byte strings": ["bytes", "--exec", child, "--len", "2"],
    }


class Trial:
    """A sweep with its outputs in a folder, which may run several times."""

    def __init__(self, space, arguments, folder):
        self.space, self.folder, self.outputs = space, folder, {}
        self.environment = dict(os.environ)
        self.words = [SWEEP, *arguments, "--exhaustive", "--max-failures", "0", "--quiet"]
        self.words += ["--checkpoint-every", "20ms"]
        for option in OUTPUTS:
            self.outputs[option] = folder / option[2:]
            self.words += [option, self.outputs[option]]

    def run(self, ending=None):
        """Runs to the end, until a kill after a time in seconds, or with a limit of the file size."""
        limit = ending if isinstance(ending, int) else resource.RLIM_INFINITY
        process = subprocess.Popen(
            self.words, stderr=subprocess.PIPE, text=True, env=self.environment,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )
        try:
            _, self.errors = process.communicate(timeout=ending if isinstance(ending, float) else 3600)
        except subprocess.TimeoutExpired:
            process.kill()
            _, self.errors = process.communicate()
        self.code = process.returncode

    def report(self):
        """Returns the last report. If the sweep did not end normally, it is that of the checkpoint: that of
        a list that could not be written counts failures that are not in the list."""
        if self.code == 1:
            return json.loads(self.outputs["--json"].read_text())
        path = self.outputs["--checkpoint"]
        return json.loads(path.read_text())["content"]["report"] if path.exists() else None

    def progress(self):
        """Returns the number of positions that are finished in the checkpoint."""
        path = self.outputs["--checkpoint"]
        finished = json.loads(path.read_text())["content"]["state"]["finished"] if path.exists() else []
        return sum(int(last) - int(first) + 1 for first, last in finished)

    def listed(self, is_final):
        """Returns the intervals of failing inputs in the list, and checks that no input is there twice.
        Until the end, an edge (at a negative position) can be listed with its neighbours too."""
        path = self.outputs["--failures"]
        lines = path.read_bytes().splitlines(keepends=True) if path.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            self.check(self.code == -9, "the last line is cut, but the sweep was not killed")
            lines.pop()
        records = [json.loads(line) for line in lines]
        intervals = [[int(number) for number in record["numbers"]] for record in records]
        edges = [record.get("position", "").startswith("-") for record in records]
        listed = sorted(one for one, is_edge in zip(intervals, edges) if is_final or not is_edge)
        self.check(all(a[1] < b[0] for a, b in zip(listed, listed[1:])), "an input is listed twice")
        for edge in sorted(one for one, is_edge in zip(intervals, edges) if is_edge and not is_final):
            before = bisect.bisect(listed, [edge[0], float("inf")]) - 1
            if before < 0 or listed[before][1] < edge[0]:
                bisect.insort(listed, edge)
        return listed

    def check(self, holds, problem):
        if not holds:
            kept = tempfile.mkdtemp(prefix="campaign-")
            shutil.copytree(self.folder, kept, dirs_exist_ok=True)
            sys.exit(f"{self.space}: {problem}; exit code {self.code}, files in {kept}\n{self.errors}")

    def check_files(self, is_final=False):
        try:
            for option, path in self.outputs.items():
                if path.exists() and option == "--junit":
                    ElementTree.parse(path)
                elif path.exists() and option != "--failures":
                    json.loads(path.read_text())
            listed, report = self.listed(is_final), self.report()
        except (ValueError, ElementTree.ParseError) as error:
            self.check(False, f"a file is not whole: {error}")
        count = sum(last - first + 1 for first, last in listed)
        counted = int(report["failures"]) if report else 0
        is_right = count == counted if is_final else count >= counted
        self.check(is_right, f"{count} failures listed, {counted} counted")
        return listed


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    rng = random.Random(seed)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as base:
        base, done, expected = Path(base), {}, {}
        cases = spaces(base)
        disk = base / "disk"
        disk.mkdir()

        def finish(trial):
            trial.run()
            listed = trial.check_files(is_final=True)
            trial.check(trial.code == 1, "the sweep does not end with its failures")
            # The lock of the checkpoint is hidden, and so is what a kill leaves while a file is replaced.
            names = {path.name for path in trial.folder.iterdir() if not path.name.startswith(".")}
            trial.check(len(names) == len(OUTPUTS), f"files are left: {names}")
            trial.check(listed == expected.setdefault(trial.space, listed), "other failures than undisturbed")

        def new(space, folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(exist_ok=True)
            return Trial(space, cases[space], folder)

        for space in cases:
            finish(new(space, base / "trial"))
            inputs = sum(last - first + 1 for first, last in expected[space])
            print(f"{space}: {inputs} failures in {len(expected[space])} ranges", flush=True)

        def disturb(name, count, rounds, ending, folder=base / "trial", prepare=None, release=lambda: None):
            done[name] = early = resumed = 0
            while done[name] < count:
                trial = new(rng.choice(list(cases)), folder) if prepare is None else prepare()
                for _ in range(rng.randint(1, rounds)):
                    trial.run(ending())
                    trial.check(trial.code in (-9, 1, 3), "an unexpected exit code")
                    trial.check(trial.code != 3 or "error: " in trial.errors, "no message")
                    trial.check_files(is_final=trial.code == 1)
                    done[name] += trial.code != 1
                    early += trial.code == 1
                if rng.random() < 0.5:
                    release()
                    finish(trial)
                    resumed += 1
            print(f"{name}: {done[name]}; {resumed} resumed; {early} ended before", flush=True)

        def kill_slow(index):
            """Kills a slow sweep 25 times. Every time it has checked more; then it ends without delay."""
            own, trial, before = random.Random(f"{seed} {index}"), new("function", base / f"slow {index}"), 0
            trial.environment["SLOW"] = "1"
            for _ in range(25):
                trial.run(own.uniform(3.0, 6.0))
                trial.check(trial.code == -9, "an unexpected exit code")
                trial.check_files()
                after = trial.progress()
                trial.check(after > before, f"no progress: {before} positions, then {after}")
                before = after
            del trial.environment["SLOW"]
            finish(trial)
            return before

        with ThreadPoolExecutor(8) as workers:
            checked = list(workers.map(kill_slow, range(8)))
        done["kills of slow sweeps"] = 25 * len(checked)
        print(f"kills of slow sweeps: {25 * len(checked)}; {checked} positions before they ended", flush=True)

        disturb("kills", 200, 20, lambda: rng.uniform(0.0, 0.5))
        disturb("file size limits", 20, 2, lambda: int(2 ** rng.uniform(9, 17)))

        def small_disk():
            subprocess.run(["umount", disk], stderr=subprocess.DEVNULL)  # that of the last trial
            size = 4096 * int(2 ** rng.uniform(1, 5))
            subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", disk], check=True)
            return Trial(space := rng.choice(list(cases)), cases[space], disk)

        disturb("full disks", 50, 1, lambda: None, prepare=small_disk,
                release=lambda: subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True))
        subprocess.run(["umount", disk], check=True)
        done.update(campaign_files.run(base, rng))
    figures = {"seed": seed, **done}
    print("figure: " + "; ".join(f"{name}={count}" for name, count in figures.items()))


if __name__ == "__main__":
    if "CAMPAIGN" not in os.environ:
        os.environ["CAMPAIGN"] = "in a namespace"
        os.execvp("unshare", ["unshare", "--map-root-user", "--mount", sys.executable, __file__, *sys.argv[1:]])
    main()
