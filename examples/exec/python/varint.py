"""A child of `sweep --exec` with a codec in Python. ../README.md has the protocol."""

import struct
import sys

MAGIC = b"varsweep" + struct.pack("<I", 1)
HELLO, ENCODE, DECODE, ANSWER, ERROR = 1, 2, 3, 0x80, 0xFF


def encode(numbers, signed):
    out = bytearray()
    for n in numbers:
        rest = (n << 1) ^ (n >> 63) if signed else n
        while rest > 0x7F:
            out.append(rest & 0x7F | 0x80)
            rest >>= 7
        out.append(rest)
    return bytes(out)


def decode(src, count, signed):
    numbers, at = [], 0
    for _ in range(count):
        raw = shift = 0
        while True:
            byte = src[at]
            at += 1
            raw |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                break
        numbers.append((raw >> 1) ^ -(raw & 1) if signed else raw)
    return struct.pack(f"<I{count}{'q' if signed else 'Q'}", at, *numbers)


def answer(kind, payload):
    sys.stdout.buffer.write(struct.pack("<IB", len(payload) + 1, kind) + payload)
    sys.stdout.buffer.flush()


signed = True
while header := sys.stdin.buffer.read(5):
    length, kind = struct.unpack("<IB", header)
    payload = sys.stdin.buffer.read(length - 1)
    count = int.from_bytes(payload[:4], "little")
    try:
        if kind == HELLO and payload.startswith(MAGIC) and payload[12:13] in (b"i", b"u"):
            signed = payload[12:13] == b"i"
            answer(kind | ANSWER, MAGIC)
        elif kind == ENCODE:
            numbers = struct.unpack(f"<{count}{'q' if signed else 'Q'}", payload[4:])
            answer(kind | ANSWER, encode(numbers, signed))
        elif kind == DECODE:
            answer(kind | ANSWER, decode(payload[4:], count, signed))
        else:
            answer(ERROR, b"varint.py supports version 1 and the types i8 to i64 and u8 to u64")
    except Exception as error:  # the codec may raise: the sweep then reports the message
        answer(ERROR, repr(error).encode())
