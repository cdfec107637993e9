"""A codec by `enc` and `dec`, and the square root of the bits by `fun`, for every integer type."""

import math
import sys


def encode(s, is_signed, bits):
    n, out = int.from_bytes(s, "little", signed=is_signed), []
    n = n << 1 ^ n >> bits - 1 if is_signed else n  # zigzag
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes([*out, n])


def decode(s, is_signed, bits):
    n, longest = 0, (bits + 6) // 7
    for at, byte in enumerate(s[:longest]):
        n |= (byte & 127) << 7 * at
        if byte < 128:
            if n >> bits:
                break
            n = n >> 1 ^ -(n & 1) if is_signed else n
            return bytes([at + 1]) + n.to_bytes(bits // 8, "little", signed=is_signed)
    return bytes([0, 1, len(s)] if len(s) < longest else [0, 2, longest - 1])


def square_root(s, is_signed, bits):
    return math.isqrt(int.from_bytes(s, "little")).to_bytes(len(s), "little")


TASKS = {b"enc": encode, b"dec": decode, b"fun": square_root}
while head := sys.stdin.buffer.read(4):
    body = sys.stdin.buffer.read(int.from_bytes(head, "little"))
    task, type_name = TASKS[body[:3]], body[4:8].decode()
    if type_name[0] not in "iu":
        sys.exit(f"child.py has no task {body[:8]}")
    is_signed, bits = type_name[0] == "i", int(type_name[1:])
    at, results = 8, bytearray()
    while at < len(body):
        end = at + 1 + body[at]
        result = task(body[at + 1 : end], is_signed, bits)
        results += bytes([len(result)]) + result
        at = end
    sys.stdout.buffer.write(len(results).to_bytes(4, "little") + results)
    sys.stdout.buffer.flush()
