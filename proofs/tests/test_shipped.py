"""Functions have the same code if their instructions, what they call and the constants that they read are the same."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from model.image import Image
from steps.shipped import Code, Matcher

SOURCE = """
#if BEFORE
int other(int x) { return x ^ 5; }
const char text[100] = "other";
#endif
static const unsigned char table[16] = {1, 2, TABLE};
static const char one[4] = "one", two[4] = NAME;
static const char *const names[2] = {one, two};
__attribute__((noipa)) static int zigzag_varint_inner(int x) { return x * 3 + INNER; }
__attribute__((noipa)) static int zigzag_varint_jumps(int x) {
    switch (x) { case 0: return 9; case 1: return inner(7); case 2: return 4; case 3: return inner(2); case 4: return JUMPS; }
    return 5;
}
__attribute__((noipa)) int zigzag_varint_outer(int x) { return inner(x) + zigzag_varint_jumps(x) + table[x & 15] + *names[x & 1]; }
""".replace(" inner", " zigzag_varint_inner")
VALUES = {"BEFORE": "0", "TABLE": "3", "NAME": '"two"', "INNER": "4", "JUMPS": "zigzag_varint_inner(6)"}


class Shipped(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))

    def code(self, **changed: str) -> Code:
        """Returns the code of a library that is compiled with these values."""
        path = self.folder / f"{len(list(self.folder.iterdir()))}.so"
        path.with_suffix(".c").write_text(SOURCE)
        values = [f"-D{name}={value}" for name, value in (VALUES | changed).items()]
        options = ["-O2", "-fPIC", "-shared", "-fcf-protection=none", *values, "-o", path]
        subprocess.run(["cc", *options, path.with_suffix(".c")], check=True)
        return Code(Image(path))

    def same(self, **changed: str) -> set[str]:
        """Returns the functions that have the same code in a library with these values."""
        one, other = self.code(), self.code(**changed)
        pair, among = Matcher(one, other), other.of_crate(())
        found = {function.name for function in one.of_crate(()) if pair.counterpart(function, among)}
        return {name.removeprefix("zigzag_varint_") for name in found}

    def test_code_at_other_addresses_is_the_same(self) -> None:
        self.assertEqual(self.same(BEFORE="1"), {"inner", "jumps", "outer"})

    def test_another_constant_makes_another_function(self) -> None:
        self.assertEqual(self.same(TABLE="4"), {"inner", "jumps"})
        self.assertEqual(self.same(NAME='"2"'), {"inner", "jumps"})

    def test_another_callee_makes_another_function(self) -> None:
        self.assertEqual(self.same(INNER="5"), set())
        self.assertEqual(self.same(JUMPS="8"), {"inner"})
