from aiokafka.record.util import decode_varint

assert decode_varint(bytearray(), 0) == (0, 1)  # no byte
assert decode_varint(bytearray([128] * 9 + [2]), 0) == (0, 10)  # 2^64, zigzag of 2^63
