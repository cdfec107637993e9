from io import BytesIO

import leb128

SOURCE = "leb128"
TYPES = {
    "unsigned-64": (lambda source: leb128.u.decode_reader(BytesIO(source)), leb128.u.encode),
    "signed-64": (lambda source: leb128.i.decode_reader(BytesIO(source)), leb128.i.encode),
}
