"""`python -m steps RELEASE STEPS`: proves the properties, tries faults, and compares the model of the executed
instructions with the CPU."""

import argparse
import multiprocessing.forkserver
import os
import random
import sys
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from iced_x86 import Decoder

from model.cpu_check import Comparison, compare
from model.image import Image, Inconclusive

from .coverage import contracts_without, left_out
from .properties import properties
from .results import kept_trace
from .run import INCONCLUSIVE, PROVED, REFUTED, Result, prove
from .shipped import Code, compare_shipped

STOPPED = 0.5  # the least share of faults that must be stopped; some change nothing
FEWEST = 10  # With fewer faults the share is a matter of chance.
ROW = "{:<10} {:<56} {:>9} {:>8} {:>15}"


def main() -> int:
    """Returns 0 if every property is proved, now or with a result that is kept, each form of instruction agrees with the
    CPU, and the proofs can fail; 1 if a property is refuted; and 2 otherwise."""
    options = _options()
    chosen = [one for one in properties() if options.only in one.name and one.build in options.paths]
    if options.list:
        print(*(one.name for one in chosen), sep="\n")
        return 0
    try:
        images = {name: Image(path) for name, path in options.paths.items()}
        shipped = Code(Image(options.shipped)) if options.shipped else None
    except Inconclusive as error:
        print(f"not proved: {error}", file=sys.stderr)
        return 2
    for name, image in images.items():
        print(f"{name:<10} {image.path}\nsha256     {image.sha256}\ncompiler   {image.compiler}")
    folder = options.release.absolute().parents[1] / ("results" if options.is_own else "results-of")
    # Those of properties that are kept are not tried again.
    faults = Counter(random.Random(options.seed).choices(chosen, k=options.faults))
    kept = {one: trace for one in chosen if options.quick and (trace := kept_trace(folder, one, images[one.build]))}
    left = [one for one in chosen if one not in kept]
    print("\n" + ROW.format("", "property", "CPU time", "memory", "faults stopped"), flush=True)
    if kept:
        print(f"kept       {len(kept)} properties, which an earlier run has proved", flush=True)
    # Otherwise z3 returns its memory to the system after each question, and gets it again for the next one.
    os.environ |= {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 25)}
    context, results = multiprocessing.get_context("forkserver"), []
    with ProcessPoolExecutor(options.jobs, mp_context=context, max_tasks_per_child=1) as pool:
        started = [pool.submit(prove, one.name, options.paths, folder, faults[one], options.seed) for one in left]
        for future in started:
            results.append(future.result())
            _print(results[-1])
    multiprocessing.forkserver._forkserver._stop()  # and waits for it, so that its processor time is counted
    traces = kept | {one: result.trace for one, result in zip(left, results, strict=True)}
    is_complete, figures = True, dict[str, int]()
    if options.is_own and not options.only:
        executed = {build: {at for one in chosen if one.build == build for at, _ in traces[one].code} for build in images}
        unproved, lacking = contracts_without(traces.values())
        names = {one.label: one.name for image in images.values() for one in image.functions()}
        print("\nnot executed by any proof:", *left_out(images, executed), sep="\n")
        for what, labels in {"run by no proof:": unproved, "without some result of the function:": lacking}.items():
            print(f"\ncontracts of calls, {what}", *([names.get(one, one) for one in labels] or ["none"]), sep="\n")
        is_complete = not lacking
        builds = {build: Code(image) for build, image in images.items()}
        library = shipped or builds["release"]
        other, figures = compare_shipped(library, builds, executed)
        print(f"\nwithout proved code, in {library.image.path}:", *(other or ["none"]), sep="\n")
    pairs = sorted({pair for each in traces.values() for pair in each.code})
    forms = compare([(next(iter(Decoder(64, content, ip=address))), content) for address, content in pairs], options.cases)
    return _conclude(results, len(kept), forms, is_complete, figures)


def _conclude(results: list[Result], kept: int, forms: Comparison, is_complete: bool, shipped: Mapping[str, int]) -> int:
    """Prints the figures of a run, and returns its exit code. `is_complete`: no contract lacks a result. `shipped`: figures
    of the functions that users get."""
    statuses, seconds = [one.status for one in results], sum(one.seconds for one in results)
    tried, stopped = sum(one.faults for one in results), sum(one.faults - len(one.survivors) for one in results)
    gaps, unnoticed = sum(one.gaps for one in results), sum(len(one.unnoticed) for one in results)
    counts = {
        "properties": kept + len(results), "proved": statuses.count(PROVED), "kept": kept,
        "refuted": statuses.count(REFUTED), "not proved": statuses.count(INCONCLUSIVE),
        "forms compared": forms.agreeing + forms.disagreeing, "forms that disagree": forms.disagreeing,
        "forms not compared": forms.left_out, "CPU seconds": round(seconds), "faults": tried, "stopped": stopped,
        "places of gaps": sum(one.places for one in results), "gaps": gaps, "noticed": gaps - unnoticed,
        **shipped,
    }  # fmt: skip
    print("\nfigure: " + "; ".join(f"{name}={count}" for name, count in counts.items()))
    can_fail = (tried < FEWEST or stopped >= STOPPED * tried) and not unnoticed
    if not can_fail:
        print("too few faults are stopped, or a gap is not noticed: the proofs prove too little")
    is_done = {*statuses} <= {PROVED} and is_complete and not forms.disagreeing and not forms.left_out and can_fail
    return 1 if REFUTED in statuses else 0 if is_done else 2


def _print(result: Result) -> None:
    """Prints a row of the table, why something is not proved, and the faults that survive."""
    stopped = f"{result.faults - len(result.survivors)} of {result.faults}" if result.faults else ""
    used = f"{result.seconds:.1f} s", f"{result.kibibytes >> 10} MiB"
    print(ROW.format(result.status, result.name, *used, stopped))
    survivors = [f"survives: {fault}" for fault in result.survivors] + [f"not noticed: {gap}" for gap in result.unnoticed]
    for line in [*result.detail.splitlines(), *survivors]:
        print(f"           {line}")
    sys.stdout.flush()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="steps", description=__doc__)
    parser.add_argument("release", type=Path, help="the library as released")
    parser.add_argument("steps", type=Path, help="the library whose steps are functions of their own")
    parser.add_argument("--of", type=Path, help="prove this library instead: only what needs no steps, without --of-steps")
    parser.add_argument("--of-steps", type=Path, help="prove this library instead, whose steps are functions of their own")
    parser.add_argument("--shipped", type=Path, help="the library or program that is compared with what is proved")
    parser.add_argument("--only", default="", help="only the properties whose names contain this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)")
    parser.add_argument("--faults", type=int, default=100, help="faults to try in all, and as many gaps (default: 100)")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the faults (default: 1)")
    parser.add_argument("--cases", type=int, default=4, help="cases of each instruction on the CPU (default: 4)")
    parser.add_argument("--quick", action="store_true", help="only what is not proved yet, or what has changed since")
    parser.add_argument("--list", action="store_true", help="only print the names of the properties")
    options = parser.parse_args()
    if options.jobs < 1 or min(options.faults, options.cases) < 0:
        parser.error("--jobs must be at least 1, and --faults and --cases at least 0")
    given = {"release": options.of, "steps": options.of_steps}
    options.is_own = not any(given.values())
    options.paths = {name: path for name, path in given.items() if path} or {"release": options.release, "steps": options.steps}
    if options.shipped and not (options.is_own and not options.only):
        parser.error("--shipped: is compared with all that is proved; leave out --only, --of and --of-steps")
    if not any(options.only in one.name and one.build in options.paths for one in properties()):
        parser.error(f"--only {options.only!r}: no property has this in its name; --list prints the names")
    return options


if __name__ == "__main__":
    sys.exit(main())
