from io import BytesIO

from aiokafka.protocol.types import UnsignedVarInt32, VarInt32, VarInt64

assert VarInt32.encode(-1) == b"\xff\xff\xff\xff\x0f"  # zigzag is 01
assert VarInt64.encode(64) == b"\xc0\x01", VarInt64.encode(64)  # zigzag is 80 01
assert UnsignedVarInt32.decode(BytesIO(b"\x80\x80\x80\x80\x10")) == 2**32
