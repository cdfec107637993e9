"""The part of checks/campaign.py about files that are pipes or links, wrong clocks, and `nohup`. A sweep
must neither hang nor lose anything, and what others wrote stays.

Usage: checks/campaign_files.py [SEED]
"""
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SWEEP = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug/sweep"
MIDDLE = 1 << 62  # from which on the codec panics
FAILING = ["--codec", "article2015", "--max-failures", "0", "--exhaustive", "--quiet", "--threads", "2"]
FAILURES = 200_001
RANGES = [f"{MIDDLE - 300_000}..={MIDDLE + 200_000}", "-1000..=2_000_000"]
PATIENCE = 120  # seconds that only a sweep that hangs takes

# Each call takes the next time of CLOCK, in seconds since 1970.
CLOCK = r"""
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t id, struct timespec *time) {
    static atomic_uint calls;
    const char *next = getenv("CLOCK");
    long result = syscall(SYS_clock_gettime, id, time);
    if (id == CLOCK_REALTIME && next) {
        long long at[8];
        unsigned count = 0;
        for (char *end; count < 8; next = end + 1) {
            at[count++] = strtoll(next, &end, 10);
            if (*end != ',') break;
        }
        time->tv_sec = at[atomic_fetch_add(&calls, 1) % count];
    }
    return result;
}
"""


def check(holds, problem):
    if not holds:
        sys.exit(f"files: {problem}")


def start(words, folder, before=None, **options):
    return subprocess.Popen([SWEEP, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, preexec_fn=before, **options)


def end(process, what):
    """Waits for a process, and returns its exit code and what it printed."""
    try:
        text, errors = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        sys.exit(f"files: {what}: hangs")
    return process.returncode, text + errors


def inputs(lines):
    numbers = [json.loads(line)["numbers"] for line in lines.splitlines()]
    return sum(int(last) - int(first) + 1 for first, last in numbers)


def pipes(folder, rng, count):
    """Some readers come late, some sweeps are interrupted, and some of these have no reader."""
    for _ in range(count):
        names, got = [folder / name for name in ("failures", "json", "junit")], {}
        for name in names:
            name.unlink(missing_ok=True)
            os.mkfifo(name)
        outputs = [word for name in names for word in (f"--{name.name}", name)]
        sweep = start([*FAILING, *RANGES, *outputs], folder)
        stop = rng.choice([None, None, rng.uniform(0.0, 1.0)])
        without = rng.choice(names) if stop is not None and rng.random() < 0.5 else None

        def read(name, delay):
            time.sleep(delay)
            got[name.name] = name.read_text()

        readers = [threading.Thread(target=read, args=(name, rng.uniform(0.0, 0.5)), daemon=True)
                   for name in names if name != without]
        for reader in readers:
            reader.start()
        if stop is not None:
            time.sleep(stop)
            sweep.terminate()
        code, errors = end(sweep, f"pipes, interrupt {stop}, without {without}")
        while code != 1 and any(reader.is_alive() for reader in readers):
            for name in names:  # a reader of what was never written waits for a writer
                os.close(os.open(name, os.O_RDWR | os.O_NONBLOCK))
            time.sleep(0.02)
        for reader in readers:
            reader.join(PATIENCE)
            check(not reader.is_alive(), "a reader of a pipe hangs")
        expected = (1,) if stop is None else (1, 130, 3, -signal.SIGTERM)
        check(code in expected and (code != 1 or without is None), f"exit code {code}: {errors}")
        if got.get("junit"):
            ElementTree.fromstring(got["junit"])
        if got.get("json"):
            report, listed = json.loads(got["json"]), inputs(got.get("failures", ""))
            counted = int(report["failures"])
            check(listed >= counted, f"{listed} failures in the pipe, {counted} counted")
            check(not report["complete"] or counted == FAILURES, f"{counted} failures")
        check(code != 1 or got.get("json"), "no report")
    return count


def links(folder, rng, count):
    """Names an input and an output, or two outputs, by two links of one file."""
    folder.mkdir()
    (folder / "list").write_text("")
    start([*FAILING, RANGES[0], "--failures", "list", "--json", "report"], folder).communicate()
    outputs = ["--failures", "--json", "--junit", "--status", "--checkpoint"]
    for number in range(count):
        file = rng.choice(["list", "report"])
        link = folder / f"link-{number}"
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.5:
                os.link(folder / file, link)
            else:
                link.symlink_to(file)
            file, link = link.name, folder / f"{link.name}-{rng.randint(0, 999)}"
        target, before = (folder / file).resolve(), (folder / file).read_bytes()
        names = [path.name for path in folder.iterdir() if path.samefile(target)]
        one, two = rng.choice(names), rng.choice(names)
        output = rng.choice(outputs)
        first = rng.choice(["--replay", "--exec", rng.choice([name for name in outputs if name != output])])
        words = ["--type", "u8"] if first == "--exec" else []
        words += [first, f"cat {one}" if first == "--exec" else one, output, two]
        code, errors = end(start(words, folder), f"links: {words}")
        check(code == 2 and "name the same file" in errors, f"{words}: exit code {code}: {errors}")
        check((folder / file).read_bytes() == before, f"{words}: the file has changed")
    # A running sweep, and another one by a link of its checkpoint.
    for number in range(10):
        checkpoint, link = folder / f"c-{number}", folder / f"d-{number}"
        words = ["--exhaustive", "--quiet", "--checkpoint-every", "20ms", "--time-limit", "10m", "--checkpoint"]
        running = start([*words, checkpoint], folder)
        while not checkpoint.exists() and running.poll() is None:
            time.sleep(0.01)
        while True:  # until the link is of the file as it was last saved
            link.unlink(missing_ok=True)
            os.link(checkpoint, link)
            running.send_signal(signal.SIGSTOP)
            if link.samefile(checkpoint):
                break
            running.send_signal(signal.SIGCONT)
        code, errors = end(start([*words, link], folder), "links of a checkpoint")
        check(code == 3 and "another sweep is using it" in errors, f"exit code {code}: {errors}")
        running.send_signal(signal.SIGCONT)
        running.terminate()
        end(running, "links: the sweep that runs")
    return count + 10


def clocks(folder, rng, count):
    """The clock is before 1970, after 9999, or jumps at each call."""
    library = folder / "clock.so"
    source = folder / "clock.c"
    source.write_text(CLOCK)
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    extremes = [-(1 << 62), -99_999_999_999, -1000, -1, 0, 1_700_000_000, 300_000_000_000, 1 << 62]
    for _ in range(count):
        clock = ",".join(str(rng.choice(extremes)) for _ in range(rng.choice([1, 1, 2, 7])))
        environment = {**os.environ, "CLOCK": clock, "LD_PRELOAD": str(library)}
        files = ["--status", "status", "--json", "json", "--checkpoint", "c", "--checkpoint-every", "20ms"]
        (folder / "c").unlink(missing_ok=True)
        words = [*FAILING, *RANGES, "0..=20_000_000", *files]
        code, errors = end(start(words, folder, env=environment), f"clock {clock}")
        status, report = (json.loads((folder / name).read_text()) for name in ("status", "json"))
        check(code == 1 and not errors, f"clock {clock}: exit code {code}: {errors}")
        check(report["complete"] and status["report"]["complete"], f"clock {clock}: not complete")
        check(int(report["failures"]) == FAILURES, f"clock {clock}: {report['failures']} failures")
        check("1970-" <= status["time"] <= "9999-12-31T23:59:59Z", f"clock {clock}: {status['time']}")
    return count


def nohups(folder, rng, count):
    """A sweep under nohup goes on after SIGHUP."""
    def limited():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    for _ in range(count):
        sweep = start([*FAILING, *RANGES, "--json", "json"], folder, before=limited)
        for _ in range(rng.randint(1, 5)):
            time.sleep(rng.uniform(0.0, 0.1))
            if sweep.poll() is None:
                sweep.send_signal(signal.SIGHUP)
        code, errors = end(sweep, "nohup")
        check(code == 1, f"nohup: exit code {code}: {errors}")
        report = json.loads((folder / "json").read_text())
        check(report["complete"] and int(report["failures"]) == FAILURES, "nohup: the report is not complete")
    return count


def run(base, rng):
    """Runs all parts in a folder, and returns the number of sweeps of each."""
    done = {}
    for name, part, count in [("pipes", pipes, 100), ("links", links, 200), ("clocks", clocks, 20),
                              ("nohups", nohups, 20)]:
        folder = base / name
        if part is not links:
            folder.mkdir()
        done[name] = part(folder, rng, count)
        print(f"{name}: {done[name]}", flush=True)
    return done


if __name__ == "__main__":
    chosen = int(sys.argv[1]) if len(sys.argv) > 1 else 48
    with tempfile.TemporaryDirectory() as scratch:
        run(Path(scratch), random.Random(chosen))
