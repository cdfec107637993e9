"""Proofs about the compiled crate, by symbolic execution."""

import logging

# angr warns of optional parts that are not installed; what matters here ends in an exception.
for _name in ("angr", "claripy", "cle", "pyvex"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)
