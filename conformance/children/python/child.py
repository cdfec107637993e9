"""Speaks the protocol of `sweep protocol` for an API and a wire type."""

import sys

from implementations import CODECS

decode, encode = CODECS[sys.argv[1], sys.argv[2]]


def decoded(source, size, signed):
    value, length = decode(source)
    try:
        return bytes([length]) + value.to_bytes(size, "little", signed=signed)
    except OverflowError:  # does not fit the type
        return bytes([length]) + value.to_bytes(16, "little", signed=signed)


while head := sys.stdin.buffer.read(4):
    body = sys.stdin.buffer.read(int.from_bytes(head, "little"))
    signed, size = body[4:5] == b"i", int(body[5:8]) // 8
    at, results = 8, bytearray()
    while at < len(body):
        source = body[at + 1 : at + 1 + body[at]]
        try:
            if body[:3] == b"dec":
                result = decoded(source, size, signed)
            else:
                result = bytes(encode(int.from_bytes(source, "little", signed=signed)))
        except Exception:  # an error without a reason
            result = b""
        results += bytes([len(result)]) + result
        at += 1 + len(source)
    sys.stdout.buffer.write(len(results).to_bytes(4, "little") + results)
    sys.stdout.buffer.flush()
