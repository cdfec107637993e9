import protobuf from "protobufjs";

// 64-bit numbers are of the package `long`, as the README recommends.
export const source = "protobufjs";
const long = (isUnsigned) => (value) => protobuf.util.Long.fromString(value.toString(), isUnsigned);
const of = (method, convert) => ({
  decode: (bytes) => {
    const reader = protobuf.Reader.create(bytes), value = reader[method]();
    return [value === true ? 1 : value === false ? 0 : value.toString(), reader.pos];
  },
  encode: (value) => protobuf.Writer.create()[method](convert(value)).finish(),
});
export const types = {
  "protobuf-int32": of("int32", Number),
  "protobuf-int64": of("int64", long(false)),
  "protobuf-uint32": of("uint32", Number),
  "protobuf-uint64": of("uint64", long(true)),
  "protobuf-sint32": of("sint32", Number),
  "protobuf-sint64": of("sint64", long(false)),
  "protobuf-bool": of("bool", Boolean),
};
