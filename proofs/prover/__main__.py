"""`python -m prover EXPORTS MUTANTS`: proves the catalogue on one library, and has the mutants caught."""

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
from .run import PROVED, REFUTED, Result, prove_property, try_mutant


def main() -> int:
    """0 where all is proved and each mutant caught."""
    options = _options()
    begun = time.monotonic()
    print(f"artefact   {options.exports}\nsha256     {sha256(options.exports)}", flush=True)
    properties, faults = list(catalogue()), list(mutants())
    # A process for each proof, as angr and z3 keep what they have seen: all in one would take tens of GiB. The server has
    # loaded angr, so that none of them has to.
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([f"{__package__}.run"])
    with ProcessPoolExecutor(options.jobs, mp_context=server, max_tasks_per_child=1) as pool:
        tries = [
            pool.submit(try_mutant, index, options.mutants if one.fault.renamed else options.exports)
            for index, one in enumerate(faults)
        ]
        proofs = [pool.submit(prove_property, index, options.exports) for index in range(len(properties))]
        for done, future in enumerate(as_completed([*tries, *proofs]), start=1):
            result: Result = future.result()
            print(
                f"{done:>3} of {len(tries) + len(proofs)}  {result.name}: {result.verdict} {result.detail}", flush=True
            )

    print("\nproperties")
    line("", "property", "covers", "CPU", "paths", "CPU time", "memory")
    proved = 0
    for one, result in zip(properties, (future.result() for future in proofs), strict=True):
        proved += result.verdict == PROVED
        line(result.verdict, one.name, one.covers, one.cpu.name, result.paths, *costs(result))
    print("\nmutants")
    line("", "fault", "to be refuted by", "CPU", "", "CPU time", "memory")
    caught = 0
    for fault, result in zip(faults, (future.result() for future in tries), strict=True):
        right = result.verdict == REFUTED and fault.sign in result.detail
        caught += right
        verdict = "caught" if right else "NOT CAUGHT"
        line(verdict, fault.name, fault.caught_by, fault.cpu.name, "", *costs(result))
    print(f"\n{proved} of {len(properties)} properties proved, {caught} of {len(faults)} mutants caught, ", end="")
    print(f"in {time.monotonic() - begun:.0f} s by {options.jobs} processes")
    return 0 if proved == len(properties) and caught == len(faults) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="prover", description=__doc__)
    parser.add_argument("exports", type=Path, help="the library to prove")
    parser.add_argument("mutants", type=Path, help="the same with faulty twins of some exports")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)")
    return parser.parse_args()


def costs(result: Result) -> tuple[str, str]:
    """Processor time and memory."""
    return f"{result.seconds:.1f} s", f"{result.kibibytes / 1024:.0f} MiB"


def line(verdict: str, name: str, covers: str, cpu: str, paths: object, seconds: str, memory: str) -> None:
    """A line of the closing table."""
    print(f"{verdict:<12} {name:<50} {covers:<38} {cpu:<8} {paths!s:>5} {seconds:>9} {memory:>9}")


if __name__ == "__main__":
    sys.exit(main())
