from aiokafka.record.util import decode_varint, encode_varint

SOURCE = "aiokafka.record.util"


def encode(value):
    encoded = bytearray()
    encode_varint(value, encoded.append)
    return encoded


TYPES = {"zigzag-64": (lambda source: decode_varint(bytearray(source), 0), encode)}
