"""A proof that executes no code, that claims nothing of what it has executed, or that is about short slices only, is "not
proved" with the place and the reason."""

import subprocess
import tempfile
import unittest
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import z3

from model.image import Image
from steps import executor
from steps.properties import Property
from steps.run import INCONCLUSIVE, PROVED, Result, attempt

COUNT = z3.BitVec("count", 64)
SOURCE = '__attribute__((naked)) void function(void) { __asm__("ret"); }'


def ends(image: Image, *facts: z3.BoolRef) -> list[executor.Path]:
    regions = [executor.Region("src", 8 * COUNT)]
    return executor.run(executor.Path(image, regions, facts, []), image.function("function"))


def claims(image: Image) -> None:
    for end in ends(image):
        end.prove(z3.BoolVal(True), "a claim")


def does_nothing(_: Image) -> None:
    pass


def is_never_run(image: Image) -> Iterator[None]:
    yield claims(image)


def claims_nothing(image: Image) -> None:
    ends(image)


def bounds_a_length(image: Image) -> None:
    ends(image, z3.ULE(COUNT, 1000))


class Guard(unittest.TestCase):
    def result(self, proof: Callable[[Image], object]) -> Result:
        folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "library.c").write_text(SOURCE)
        path = folder / "library.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", path, folder / "library.c"], check=True)
        return attempt(partial(Property("name", partial(proof)).check, Image(path)))

    def test_a_proof_that_executes_nothing_is_refused(self) -> None:
        for proof in does_nothing, is_never_run:
            result = self.result(proof)
            self.assertEqual(result.status, INCONCLUSIVE)
            self.assertRegex(result.detail, rf"test_guard\.py:\d+: {proof.__name__} executes no instruction of the library")

    def test_a_proof_that_claims_nothing_of_an_end_is_refused(self) -> None:
        result = self.result(claims_nothing)
        self.assertEqual(result.status, INCONCLUSIVE)
        self.assertRegex(result.detail, "at 0x[0-9a-f]+: claims_nothing claims nothing of the ends of this function")

    def test_a_proof_that_bounds_a_length_is_refused(self) -> None:
        result = self.result(bounds_a_length)
        expected = INCONCLUSIVE, "no input has a long src: what is assumed bounds its length"
        self.assertEqual((result.status, result.detail), expected)

    def test_a_proof_with_a_claim_is_accepted(self) -> None:
        result = self.result(claims)
        self.assertEqual((result.status, result.detail), (PROVED, ""))
