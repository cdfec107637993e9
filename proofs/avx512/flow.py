"""The loops of a function."""

from collections import Counter

from iced_x86 import FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, RegisterExt

from model.image import Function, Image

ENDS = (FlowControl.RETURN, FlowControl.UNCONDITIONAL_BRANCH, FlowControl.EXCEPTION)
BRANCHES = (FlowControl.CONDITIONAL_BRANCH, FlowControl.UNCONDITIONAL_BRANCH)


def all_loops(image: Image, function: Function) -> dict[int, set[int]]:
    """Returns the first address of every loop, and all addresses of that loop."""
    edges = _edges(image, function)
    loops: dict[int, set[int]] = {}
    for source, head in _back_edges(edges, function.address):
        loops[head] = loops.get(head, set()) | _body(edges, source, head)
    return loops


def outermost_loops(image: Image, function: Function) -> dict[int, set[int]]:
    """Returns the outermost loops. Loops within have to end by themselves."""
    loops = all_loops(image, function)
    inner = {head for head in loops for other, body in loops.items() if head != other and head in body}
    return {head: body for head, body in loops.items() if head not in inner}


def _edges(image: Image, function: Function) -> dict[int, list[int]]:
    """Returns the addresses that follow each instruction, within the function."""
    code = {one.ip: one for one in image.instructions(function)}
    edges = {}
    for address, one in code.items():
        following = [] if one.flow_control in ENDS else [one.next_ip]
        following += [one.near_branch_target] if one.flow_control in BRANCHES else []
        edges[address] = [target for target in following if target in code]
    return edges


def _back_edges(edges: dict[int, list[int]], start: int) -> list[tuple[int, int]]:
    """Returns the edges that lead back in a depth-first search. Every loop has one."""
    found, active, done = [], {start}, set()
    stack = [(start, iter(edges[start]))]
    while stack:
        address, following = stack[-1]
        target = next(following, None)
        if target is None:
            active.discard(address)
            done.add(address)
            stack.pop()
        elif target in active:
            found.append((address, target))
        elif target not in done:
            active.add(target)
            stack.append((target, iter(edges[target])))
    return found


def _body(edges: dict[int, list[int]], source: int, head: int) -> set[int]:
    """Returns the addresses from which `source` can be reached without the head."""
    sources: dict[int, list[int]] = {}
    for address, targets in edges.items():
        for target in targets:
            sources.setdefault(target, []).append(address)
    body, pending = {head}, [source]
    while pending:
        address = pending.pop()
        if address not in body:
            body.add(address)
            pending += sources.get(address, [])
    return body


def cut_points(image: Image, function: Function) -> set[int]:
    """Returns heads of loops such that every loop that calls or stores passes one of them: the first
    addresses of loops within others before those of the loops around them. Other loops have to end
    by themselves."""
    edges = _edges(image, function)
    chosen: set[int] = set()
    for head, body in sorted(all_loops(image, function).items(), key=lambda loop: len(loop[1])):
        acts = any(_acts(image.instruction(address)) for address in body)
        if acts and _returns(edges, head, body - chosen):
            chosen.add(head)
    return chosen


def _acts(instruction: Instruction) -> bool:
    """Whether an instruction calls a function or stores."""
    stores = instruction.op0_kind == OpKind.MEMORY and instruction.mnemonic not in (Mnemonic.CMP, Mnemonic.TEST)
    return stores or instruction.flow_control in (FlowControl.CALL, FlowControl.INDIRECT_CALL)


def _returns(edges: dict[int, list[int]], head: int, within: set[int]) -> bool:
    """Whether a way leads from the head back to it."""
    seen: set[int] = set()
    pending = [target for target in edges[head] if head in within]
    while pending:
        address = pending.pop()
        if address in within and address not in seen:
            seen.add(address)
            pending += edges[address]
    return head in seen


def waists(image: Image, function: Function) -> set[int]:
    """Returns the addresses at which ways join, and which every way from the start to a return passes
    once."""
    edges, sources = _edges(image, function), Counter[int]()
    for targets in edges.values():
        sources.update(targets)
    within = set().union(*all_loops(image, function).values())
    returns = {at for at in edges if image.instruction(at).flow_control == FlowControl.RETURN}
    joins = {at for at, count in sources.items() if count > 1 and at not in within}
    return {at for at in joins if not returns & _reached(edges, function.address, at)}


def _reached(edges: dict[int, list[int]], start: int, without: int) -> set[int]:
    """Returns the addresses that can be reached without passing one of them."""
    reached, pending = {without}, [start]
    while pending:
        address = pending.pop()
        if address not in reached:
            reached.add(address)
            pending += edges[address]
    return reached - {without}


def live_registers(image: Image, function: Function) -> dict[int, set[int]]:
    """Returns the registers that may be read from each address on before they are written, by the numbers
    of iced-x86. What is not read may be forgotten."""
    edges, used = _edges(image, function), {}
    information = InstructionInfoFactory()
    for one in image.instructions(function):
        reads, writes = set(), set()
        for register in information.info(one).used_registers():
            full = RegisterExt.full_register(register.register)
            if one.mnemonic == Mnemonic.VZEROUPPER:  # It neither uses nor replaces the lower halves.
                continue
            if register.access != OpAccess.WRITE:
                reads.add(full)
            elif RegisterExt.size(register.register) >= 4:  # The upper half becomes zero.
                writes.add(full)
        if one.flow_control == FlowControl.RETURN:  # The caller reads results, and what is kept.
            reads |= {getattr(Register, name) for name in ("RAX", "RDX", "RBX", "RBP", "R12", "R13", "R14", "R15")}
        used[one.ip] = reads, writes
    live: dict[int, set[int]] = {address: set() for address in edges}
    sources: dict[int, list[int]] = {}
    for address, targets in edges.items():
        for target in targets:
            sources.setdefault(target, []).append(address)
    pending = list(edges)
    while pending:
        address = pending.pop()
        reads, writes = used[address]
        after = set().union(*[live[target] for target in edges[address]])
        now = reads | (after - writes)
        if now != live[address]:
            live[address] = now
            pending += sources.get(address, [])
    return live
