from aiokafka.record.util import decode_varint

assert decode_varint(bytearray(), 0) == (0, 1)  # no byte
