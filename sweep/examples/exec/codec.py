"""A codec of u64 for `sweep --type u64 --exec 'python3 codec.py'`."""

import struct
import sys


def encode(n):
    out = bytearray()
    while n > 0x7F:
        out.append(n & 0x7F | 0x80)
        n >>= 7
    return bytes([*out, n])


def decode(string):
    """Returns the first value and its length, or two zeros."""
    n = 0
    for at, byte in enumerate(string[:10]):
        n |= (byte & 0x7F) << 7 * at
        if byte < 0x80:
            return (n, at + 1) if n < 1 << 64 else (0, 0)
    return 0, 0


while head := sys.stdin.buffer.read(4):
    body = sys.stdin.buffer.read(*struct.unpack("<I", head))
    out, at = bytearray(), 8
    if body[:8] == b"enc u64 ":
        for (n,) in struct.iter_unpack("<Q", body[8:]):
            string = encode(n)
            out += struct.pack("B", len(string)) + string
    elif body[:8] == b"dec u64 ":
        while at < len(body):
            n, used = decode(body[at + 1 : at + 1 + body[at]])
            out += struct.pack("<BQ", used, n)
            at += 1 + body[at]
    else:
        sys.exit("codec.py supports u64 only")
    sys.stdout.buffer.write(struct.pack("<I", len(out)) + out)
    sys.stdout.buffer.flush()
