from io import BytesIO

import varint

SOURCE = "varint"


def decode(source):
    stream = BytesIO(source)
    return varint.decode_stream(stream), stream.tell()


TYPES = {"unsigned-64": (decode, varint.encode)}
