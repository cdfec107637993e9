import { PbfReader, PbfWriter } from "pbf";
import { safe } from "./numbers.js";

export const source = "pbf";
const of = (read, write, convert = safe) => ({
  decode: (bytes) => {
    const reader = new PbfReader(bytes), value = read(reader);
    return [value, reader.pos];
  },
  encode: (value) => {
    const writer = new PbfWriter();
    write(writer, convert(value));
    return writer.finish();
  },
});
const write = (writer, value) => writer.writeVarint(value);
const unsigned = of((reader) => reader.readVarint(), write);
const signed = of((reader) => reader.readVarint(true), write);
const zigzag = of((reader) => reader.readSVarint(), (writer, value) => writer.writeSVarint(value));
export const types = {
  "protobuf-int32": signed,
  "protobuf-int64": signed,
  "protobuf-uint32": unsigned,
  "protobuf-uint64": unsigned,
  "protobuf-sint32": zigzag,
  "protobuf-sint64": zigzag,
  "protobuf-bool": of((reader) => reader.readBoolean(), (writer, value) => writer.writeBoolean(value), Boolean),
};
