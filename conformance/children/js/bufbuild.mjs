import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

export const source = "@bufbuild/protobuf";
const of = (method, convert) => ({
  decode: (bytes) => {
    const reader = new BinaryReader(bytes);
    return [reader[method](), reader.pos];
  },
  encode: (value) => new BinaryWriter()[method](convert(value)).finish(),
});
export const types = {
  "protobuf-int32": of("int32", Number),
  "protobuf-int64": of("int64", BigInt),
  "protobuf-uint32": of("uint32", Number),
  "protobuf-uint64": of("uint64", BigInt),
  "protobuf-sint32": of("sint32", Number),
  "protobuf-sint64": of("sint64", BigInt),
  "protobuf-bool": of("bool", Boolean),
};
