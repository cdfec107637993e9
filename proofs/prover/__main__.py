"""`python -m prover EXPORTS MUTANTS`: proves the catalogue on one library, and has the mutants caught."""

import argparse
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from .artefact import sha256
from .catalogue import catalogue
from .mutants import mutants
from .run import PROVED, REFUTED, Result, prove_property, try_mutant

WIDTHS = (52, 28, 9)


def main() -> int:
    """0 where all is proved and each mutant caught."""
    options = _options()
    begun = time.monotonic()
    print(f"artefact   {options.exports.name}\nsha256     {sha256(options.exports)}", flush=True)
    fork = multiprocessing.get_context("fork")  # what angr has loaded need not be loaded again
    with ProcessPoolExecutor(options.jobs, mp_context=fork) as pool:
        properties = list(catalogue())
        proofs = [pool.submit(prove_property, index, options.exports) for index in range(len(properties))]
        faults = list(mutants())
        tries = [
            pool.submit(try_mutant, index, options.mutants if one.fault.renamed else options.exports)
            for index, one in enumerate(faults)
        ]
        _line("property", "covers", "CPU", "paths", "CPU time", "")
        proved = 0
        for one, proof in zip(properties, proofs, strict=True):
            result = proof.result()
            proved += result.verdict == PROVED
            _line(one.name, one.covers, one.cpu.name, result.paths, _seconds(result), f"{result.verdict} {result.detail}")
        _line("mutant", "to be caught by", "CPU", "", "CPU time", "")
        caught = 0
        for fault, attempt in zip(faults, tries, strict=True):
            result = attempt.result()
            right = result.verdict == REFUTED and fault.sign in result.detail
            caught += right
            verdict = "caught" if right else f"NOT CAUGHT ({result.verdict})"
            _line(fault.name, fault.caught_by, fault.cpu.name, "", _seconds(result), f"{verdict}: {result.detail}")
    print(f"\n{proved} of {len(properties)} properties proved, {caught} of {len(faults)} mutants caught, ", end="")
    print(f"in {time.monotonic() - begun:.0f} s with {options.jobs} processes")
    return 0 if proved == len(properties) and caught == len(faults) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="prover", description=__doc__)
    parser.add_argument("exports", type=Path, help="the library to prove")
    parser.add_argument("mutants", type=Path, help="the same with faulty twins of some exports")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one per processor)")
    return parser.parse_args()


def _seconds(result: Result) -> str:
    return f"{result.seconds:.1f} s"


def _line(name: str, covers: str, cpu: str, paths: object, seconds: str, verdict: str) -> None:
    columns = " ".join(text.ljust(width) for text, width in zip((name, covers, cpu), WIDTHS, strict=True))
    print(f"{columns} {paths!s:>5} {seconds:>9}  {verdict}".rstrip(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
