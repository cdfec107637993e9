"""Proofs about the compiled crate by symbolic execution."""

import logging

# angr warns about optional parts that are not installed. Real problems raise exceptions.
for _name in ("angr", "claripy", "cle", "pyvex"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)
