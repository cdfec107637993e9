from io import BytesIO

from aiokafka.protocol.types import UnsignedVarInt32, VarInt32, VarInt64

SOURCE = "aiokafka.protocol.types"


def of(kind):
    def decode(source):
        stream = BytesIO(source)
        return kind.decode(stream), stream.tell()

    return decode, kind.encode


TYPES = {"unsigned-32": of(UnsignedVarInt32), "zigzag-32": of(VarInt32), "zigzag-64": of(VarInt64)}
