"""`python -m prover EXPORTS MUTANTS`: proves the properties of the catalogue, and refutes the
mutants."""

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from .artefact import sha256
from .catalogue import catalogue
from .mutants import mutants
from .run import Result, prove_property, try_mutant
from .trial import PROVED, REFUTED


def main() -> int:
    """Returns 0 if every property is proved and every mutant is caught."""
    options = _options()
    if options.list:
        print(*(one.title for one in catalogue()), sep="\n")
        return 0
    started = time.monotonic()
    print(f"artefact   {options.exports}\nsha256     {sha256(options.exports)}", flush=True)
    properties = {index: one for index, one in enumerate(catalogue()) if options.only in one.title}
    faults = {index: one for index, one in enumerate(mutants()) if options.only in f"{one.caught_by}: {one.name}"}
    # Each proof has a process of its own, because angr and z3 keep caches: one process would need
    # tens of GiB. The server loads angr once for all of them.
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([f"{__package__}.run"])
    with ProcessPoolExecutor(options.jobs, mp_context=server, max_tasks_per_child=1) as pool:
        trials = [
            pool.submit(try_mutant, index, options.mutants if one.fault.renamed else options.exports)
            for index, one in faults.items()
        ]
        proofs = [pool.submit(prove_property, index, options.exports) for index in properties]
        for done, future in enumerate(as_completed([*trials, *proofs]), start=1):
            result: Result = future.result()
            print(
                f"{done:>3} of {len(trials) + len(proofs)}  {result.name}: {result.status} {result.detail}", flush=True
            )

    print("\nproperties")
    line("", "property", "covers", "CPU", "paths", "CPU time", "memory")
    proved = 0
    for one, result in zip(properties.values(), (future.result() for future in proofs), strict=True):
        proved += result.status == PROVED
        line(result.status, one.name, one.covers, one.cpu.name, result.paths, *costs(result))
    print("\nmutants")
    line("", "fault", "refuted by the property", "CPU", "", "CPU time", "memory")
    caught = 0
    for fault, result in zip(faults.values(), (future.result() for future in trials), strict=True):
        is_caught = result.status == REFUTED and fault.sign in result.detail
        caught += is_caught
        status = "caught" if is_caught else "NOT CAUGHT"
        line(status, fault.name, fault.caught_by, fault.cpu.name, "", *costs(result))
    print(f"\n{proved} of {len(properties)} properties proved, {caught} of {len(faults)} mutants caught, ", end="")
    print(f"in {time.monotonic() - started:.0f} s by {options.jobs} processes")
    print(f"figure: properties={len(properties)}; proved={proved}; mutants={len(faults)}; refuted={caught}")
    return 0 if proved == len(properties) and caught == len(faults) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="prover", description=__doc__)
    parser.add_argument("exports", type=Path, help="the library to prove")
    parser.add_argument("mutants", type=Path, help="the same library with faulty variants of some exports")
    parser.add_argument("--only", default="", help="only properties and mutants whose names contain this text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)")
    parser.add_argument("--list", action="store_true", help="only print the names of the properties")
    options = parser.parse_args()
    if not any(options.only in one.title for one in catalogue()):
        parser.error(f"--only {options.only!r}: no property has this in its name; --list prints the names")
    return options


def costs(result: Result) -> tuple[str, str]:
    """Returns processor time and memory as text."""
    return f"{result.seconds:.1f} s", f"{result.kibibytes / 1024:.0f} MiB"


def line(status: str, name: str, covers: str, cpu: str, paths: object, seconds: str, memory: str) -> None:
    """Prints a line of the tables at the end."""
    print(f"{status:<12} {name:<50} {covers:<38} {cpu:<8} {paths!s:>5} {seconds:>9} {memory:>9}")


if __name__ == "__main__":
    sys.exit(main())
