"""The decoders and encoders of each API by wire type."""

from io import BytesIO

import leb128
import varint
from aiokafka.protocol.types import UnsignedVarInt32, VarInt32, VarInt64
from aiokafka.record.util import decode_varint, encode_varint
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


def reading(read):
    """Returns the decoder that a reader of streams is."""

    def decode(source):
        stream = BytesIO(source)
        return read(stream), stream.tell()

    return decode


def encode_record(value):
    encoded = bytearray()
    encode_varint(value, encoded.append)
    return encoded


def protobuf(kind):
    """The parser of messages gets a tag and the bytes up to the first without continuation bit."""
    file = descriptor_pb2.FileDescriptorProto(name="child.proto")
    number = descriptor_pb2.FieldDescriptorProto.Type.Value(f"TYPE_{kind.upper()}")
    file.message_type.add(name=kind).field.add(name="value", number=1, type=number, label="LABEL_OPTIONAL")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(kind))

    def decode(source):
        length = next((at + 1 for at, byte in enumerate(source) if byte < 128), len(source))
        return int(message.FromString(b"\x08" + source[:length]).value), length

    return decode, lambda value: message(value=value).SerializeToString()[1:]


KINDS = ["int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool"]
CODECS = {
    ("aiokafka.protocol.types", "unsigned-32"): (reading(UnsignedVarInt32.decode), UnsignedVarInt32.encode),
    ("aiokafka.protocol.types", "zigzag-32"): (reading(VarInt32.decode), VarInt32.encode),
    ("aiokafka.protocol.types", "zigzag-64"): (reading(VarInt64.decode), VarInt64.encode),
    ("aiokafka.record.util", "zigzag-64"): (lambda s: decode_varint(bytearray(s), 0), encode_record),
    ("leb128", "unsigned-64"): (lambda s: leb128.u.decode_reader(BytesIO(s)), leb128.u.encode),
    ("leb128", "signed-64"): (lambda s: leb128.i.decode_reader(BytesIO(s)), leb128.i.encode),
    ("varint", "unsigned-64"): (reading(varint.decode_stream), varint.encode),
    **{("protobuf", f"protobuf-{kind}"): protobuf(kind) for kind in KINDS},
}
