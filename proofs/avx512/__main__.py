"""`python -m avx512 LIBRARY`: compares the model with the CPU, proves the properties, and refutes the
mutants."""

import argparse
import multiprocessing
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from iced_x86 import Instruction

from steps.trial import PROVED, REFUTED, exit_code

from model.cpu_check import check
from model.image import Image
from .mutants import mutants
from .properties import SLICES, properties
from .run import Result, prove_property, try_mutant

# Parts of the names of the functions whose instructions are compared with the CPU.
CODE = (
    "avx512", "scalar::slice::encode", "simd::scalar::decode", "simd::scalar::encode", "ScalarKernel",
    "bmi2::encode", "bmi2::decode", "bmi2::Bmi2",
    *[f"swar::Swar as zigzag_varint::simd::slices::Slices<{one.name}>>::encode" for one in SLICES],
)


def main() -> int:
    """Returns 0 if the model agrees with the CPU, every property is proved and every mutant is refuted, 1 if
    a property is refuted, and 2 otherwise."""
    options = _options()
    if options.list:
        print(*(one.name for one in properties()), sep="\n")
        return 0
    image = Image(options.library)
    print(f"artefact   {options.library}\nsha256     {image.sha256}", flush=True)
    agrees = check(_instructions(image), options.cases) if options.cases else True
    proofs = [one.name for one in properties() if options.only in one.name]
    faults = [one.title for one in mutants() if options.only in one.caught_by and options.mutants]
    statuses, caught = [], 0
    context = multiprocessing.get_context("forkserver")
    with ProcessPoolExecutor(options.jobs, mp_context=context, max_tasks_per_child=1) as pool:
        covers = {one.name: one.covers for one in properties()}
        for result in pool.map(prove_property, proofs, [options.library] * len(proofs)):
            statuses.append(result.status)
            counts = f"{result.counts.paths} paths, {result.counts.accesses} accesses"
            line(result.status, result.name, covers[result.name], counts, result)
        for result in pool.map(try_mutant, faults, [options.library] * len(faults)):
            caught += result.status == REFUTED
            why = " ".join(result.detail.split())[:80]
            line("refuted" if result.status == REFUTED else "SURVIVED", result.name, why, "", result)
    proved = statuses.count(PROVED)
    print(f"\nfigure: properties={len(proofs)}; proved={proved}; mutants={len(faults)}; refuted={caught}")
    return exit_code(statuses) or (0 if agrees and caught == len(faults) else 2)


def _instructions(image: Image) -> Iterator[tuple[Instruction, bytes]]:
    for function in [function for part in CODE for function in image.functions(part)]:
        for one in image.instructions(function):
            yield one, image.read(one.ip, one.len)


def line(status: str, name: str, what: str, counts: str, result: Result) -> None:
    """Prints a row of the table."""
    print(f"{status:<12} {name:<60} {what:<50} {counts:<26} {result.seconds:>6.1f} s", flush=True)
    if status not in (PROVED, "refuted"):
        print(f"             {result.detail}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="avx512", description=__doc__)
    parser.add_argument("library", type=Path, help="the library to prove")
    parser.add_argument("--only", default="", help="only the properties whose names contain this text")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--cases", type=int, default=25, help="cases of each instruction on the CPU (default: 25)")
    parser.add_argument("--no-mutants", action="store_false", dest="mutants", help="prove the properties only")
    parser.add_argument("--list", action="store_true", help="only print the names of the properties")
    options = parser.parse_args()
    if not options.library.is_file():
        parser.error(f"{options.library}: no such file; proofs/run.sh builds it")
    if options.jobs < 1 or options.cases < 0:
        parser.error("--jobs must be at least 1, and --cases at least 0")
    if not any(options.only in one.name for one in properties()):
        parser.error(f"--only {options.only!r}: no property has this in its name; --list prints the names")
    return options


if __name__ == "__main__":
    sys.exit(main())
