"""The code that no proof executes: a branch that is wrongly known leads past it, and functions without a property are in it."""

import re
from collections.abc import Collection, Iterator, Mapping

from iced_x86 import Decoder, FlowControl, Instruction, Mnemonic

from model.image import Image

PADDING = Mnemonic.NOP, Mnemonic.INT3
TRAPS = FlowControl.EXCEPTION, FlowControl.INTERRUPT
CALLS = FlowControl.CALL, FlowControl.INDIRECT_CALL


def left_out(images: Mapping[str, Image], executed: Mapping[str, Collection[int]]) -> Iterator[str]:
    """Yields a line for each function of which proofs execute a part, and for each name of functions of which they execute
    none, in no build. Panics are not listed, since a proof excludes them."""
    parts, wholes, proved = list[str](), dict[str, None](), set[str]()
    for build, image in images.items():
        for function in image.functions():
            code = list(Decoder(64, image.read(function.address, function.size), ip=function.address))
            name = re.sub(r"::<[^:]*>$", "", re.sub(r"\b[iu]\d\d\b", "_", function.name))  # The types may be in it.
            if not any(one.ip in executed[build] for one in code):
                if function.kind == "T" or "zigzag_varint" in name:  # not of a library below
                    wholes[name] = None
                continue
            proved.add(name)
            if left := list(_left(image, code, executed[build])):
                parts.append(f"{len(left):>5} of {len(code)} instructions of {function.name} ({build}, from {left[0].ip:#x})")
    yield from parts
    yield from (f"all of {name}" for name in wholes if name not in proved)


def _left(image: Image, code: list[Instruction], executed: Collection[int]) -> Iterator[Instruction]:
    """Yields the instructions of a function that no proof executes, except for those before a panic."""
    block = list[Instruction]()
    for one in code:
        if one.ip in executed or one.mnemonic in PADDING:
            yield from block
            block = []
        elif one.flow_control in TRAPS or (one.flow_control in CALLS and image.panics(_called(image, one))):
            block = []
        else:
            block.append(one)
    yield from block


def _called(image: Image, call: Instruction) -> int | None:
    """Returns the function that is called, if its address is in the code or in a table of the library."""
    return image.pointers.get(call.ip_rel_memory_address) if call.is_ip_rel_memory_operand else call.near_branch_target
