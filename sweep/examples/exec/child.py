"""A codec of u64 by `enc` and `dec`, and a function of u32 by `fun`."""

import math
import sys


def encode(s):
    n, out = int.from_bytes(s, "little"), []
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes([*out, n])


def decode(s):
    n = 0
    for at, byte in enumerate(s[:10]):
        n |= (byte & 127) << 7 * at
        if byte < 128:
            return bytes([at + 1]) + n.to_bytes(8, "little") if n < 1 << 64 else bytes([0, 2, 9])
    return bytes([0, 1, len(s)] if len(s) < 10 else [0, 2, 9])


def square_root(s):
    return math.isqrt(int.from_bytes(s, "little")).to_bytes(4, "little")


TASKS = {b"enc u64 ": encode, b"dec u64 ": decode, b"fun u32 ": square_root}
while head := sys.stdin.buffer.read(4):
    body = sys.stdin.buffer.read(int.from_bytes(head, "little"))
    task = TASKS.get(body[:8]) or sys.exit(f"child.py has no task {body[:8]}")
    at, results = 8, bytearray()
    while at < len(body):
        end = at + 1 + body[at]
        result = task(body[at + 1 : end])
        results += bytes([len(result)]) + result
        at = end
    sys.stdout.buffer.write(len(results).to_bytes(4, "little") + results)
    sys.stdout.buffer.flush()
