from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

SOURCE = "protobuf"
KINDS = ["int32", "int64", "uint32", "uint64", "sint32", "sint64", "bool"]
file = descriptor_pb2.FileDescriptorProto(name="child.proto")
for kind in KINDS:
    number = descriptor_pb2.FieldDescriptorProto.Type.Value(f"TYPE_{kind.upper()}")
    file.message_type.add(name=kind).field.add(name="value", number=1, type=number, label="LABEL_OPTIONAL")
pool = descriptor_pool.DescriptorPool()
pool.Add(file)


def of(kind):
    """The parser of messages gets a tag and the bytes up to the first without continuation bit."""
    message = message_factory.GetMessageClass(pool.FindMessageTypeByName(kind))

    def decode(source):
        length = next((at + 1 for at, byte in enumerate(source) if byte < 128), len(source))
        return int(message.FromString(b"\x08" + source[:length]).value), length

    return decode, lambda value: message(value=value).SerializeToString()[1:]


TYPES = {f"protobuf-{kind}": of(kind) for kind in KINDS}
