"""Libraries that cannot be proved: "not proved" with the place and the reason, and exit code 2."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

# Functions with the names of exports: one of which the model lacks the first instruction, and one that never has space for
# its result. And the variable that proofs need.
SOURCE = """
__attribute__((naked)) void encode_to_slice_u16(void) { __asm__("xor %eax, %eax; ret"); }
__attribute__((naked)) void decode_u16(void) { __asm__("cpuid; ret"); }
char known __asm__("_ZN13zigzag_varint4simd6single5level5KNOWN17h0123456789abcdefE");
"""


class BadInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.library = cls.folder / "library.so"
        (cls.folder / "library.c").write_text(SOURCE)
        cls.compile("-shared", "-fPIC", "-o", cls.library)

    @classmethod
    def compile(cls, *options: str | Path) -> None:
        subprocess.run(["cc", *options, cls.folder / "library.c"], check=True)

    def check(self, path: Path, reason: str, only: str = "u16 decode") -> None:
        """Checks how the program ends if it is to prove this library."""
        command = [sys.executable, "-m", "steps", path, path, "--of", path, "--only", only, "--faults", "0"]
        ended = subprocess.run(command, capture_output=True, text=True)
        output = ended.stdout + ended.stderr
        self.assertIn(reason, output)
        self.assertRegex(output, "(?m)^not proved")
        self.assertNotIn("Traceback", output)
        self.assertEqual(ended.returncode, 2, output)

    def changed(self, start: int, new: bytes) -> Path:
        """Returns a library that has other bytes at this offset."""
        content = bytearray(self.library.read_bytes())
        content[start : start + len(new)] = new
        path = self.folder / "changed.so"
        path.write_bytes(content)
        return path

    def test_an_instruction_that_the_model_lacks_is_named_with_its_place(self) -> None:
        names = subprocess.run(["nm", self.library], capture_output=True, text=True, check=True).stdout.splitlines()
        [address] = [name.split()[0].lstrip("0") for name in names if name.endswith(" decode_u16")]
        self.check(self.library, f"at 0x{address} in decode_u16: cpuid: an instruction that is not modelled")

    def test_what_another_compiler_has_made_is_not_refuted(self) -> None:
        reason = "or unknown passes this in another way: the contracts are for rustc version 1.95."
        self.check(self.library, reason, "u16 encode_to_slice")

    def test_a_function_that_the_library_lacks_is_named(self) -> None:
        self.check(self.library, "the library has 0 symbols decode_canonical_u16")

    def test_a_library_without_symbols_is_refused(self) -> None:
        path = self.folder / "stripped.so"
        self.compile("-shared", "-fPIC", "-s", "-o", path)
        self.check(path, "stripped.so: no symbols; build it without `strip`")

    def test_another_architecture_is_named(self) -> None:
        self.check(self.changed(18, b"\xb7"), "changed.so: built for AArch64, 64-bit; the proofs are about x86-64")
        self.check(self.changed(4, b"\x01"), "changed.so: built for x64, 32-bit; the proofs are about x86-64")

    def test_what_is_no_library_is_refused(self) -> None:
        path = self.folder / "object.so"
        self.compile("-c", "-o", path)
        self.check(path, "object.so: not a shared library (ET_REL)")
        for content in b"", b"text":
            path.write_bytes(content)
            self.check(path, "object.so: not an ELF file")
        self.check(self.folder, ": cannot be read (Is a directory)")
        self.check(self.folder / "nothing.so", "nothing.so: cannot be read (No such file or directory)")

    def test_a_truncated_library_is_refused(self) -> None:
        content = self.library.read_bytes()
        path = self.folder / "truncated.so"
        for size in 4, 60, 100, len(content) // 2, len(content) - 1:
            path.write_bytes(content[:size])
            self.check(path, "truncated.so: truncated or damaged")
