"""What the proofs together leave out: code that none executes, and results that the contracts of calls do not have. A branch
that is wrongly known leads past code."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from iced_x86 import FlowControl, Instruction, Mnemonic

from model.image import Image, Outcome

from .results import Trace

PADDING = Mnemonic.NOP, Mnemonic.INT3
TRAPS = FlowControl.EXCEPTION, FlowControl.INTERRUPT
CALLS = FlowControl.CALL, FlowControl.INDIRECT_CALL


def left_out(images: Mapping[str, Image], executed: Mapping[str, Collection[int]]) -> Iterator[str]:
    """Yields a line for each function of which proofs execute a part, and for each name of functions of which they execute
    none, in no build. Panics are not listed, since a proof excludes them."""
    parts, wholes, proved = list[str](), dict[str, None](), set[str]()
    for build, image in images.items():
        for function in image.functions():
            code = image.code(function)
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


def contracts_without(traces: Iterable[Trace]) -> tuple[list[str], list[str]]:
    """Returns the functions of which no proof runs what contracts of calls stand for, and those of which no contract has some
    result that the proof of the function has found, by their labels."""
    results, contracts = defaultdict[str, set[Outcome]](set), defaultdict[str, set[Outcome]](set)
    for one in traces:
        for all_of, those in ((results, one.results), (contracts, one.contracts)):
            for label, outcomes in those.items():
                all_of[label] |= {(low, word) for low, word in outcomes}
    lacking = [label for label in contracts if not all(_has(contracts[label], one) for one in results.get(label, ()))]
    return sorted(contracts.keys() - results), sorted(lacking)


def _has(contract: Collection[Outcome], result: Outcome) -> bool:
    """Whether a contract may have a result, where both are known."""
    return any(all(None in pair or pair[0] == pair[1] for pair in zip(one, result, strict=True)) for one in contract)
