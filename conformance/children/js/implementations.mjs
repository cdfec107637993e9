// The decoder and the encoder of each package for a wire type. Values are integers of any type.
import { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";
import * as webassemblyjs from "@webassemblyjs/leb128";
import leb128 from "leb128";
import { PbfReader, PbfWriter } from "pbf";
import protobufjs from "protobufjs";
import * as uint8Varint from "uint8-varint";
import varint from "varint";

// Returns an integer as a `number`, if one can represent it.
function safe(value) {
  if (BigInt.asIntN(54, value) !== value) throw new RangeError(`${value} is no safe integer`);
  return Number(value);
}

// Returns the length of the first varint, for decoders that do not return it.
function length(bytes) {
  const last = bytes.findIndex((byte) => byte < 128);
  return last < 0 ? bytes.length : last + 1;
}

// Methods of a reader and a writer have the name of the type. Those of 64 bits write what `wide` returns.
const named = (open, writer, wide) => (type) => {
  const method = type.replace("protobuf-", "");
  const narrow = method === "bool" ? Boolean : Number;
  const convert = method.endsWith("64") ? (value) => wide(value, method) : narrow;
  return {
    decode: (bytes) => {
      const reader = open(bytes), value = reader[method]();
      return [typeof value === "object" ? value.toString() : value, reader.pos];
    },
    encode: (value) => writer()[method](convert(value)).finish(),
  };
};

// As the README of protobufjs recommends.
const long = (value, method) => protobufjs.util.Long.fromString(value.toString(), method === "uint64");

const pbfOf = (read, write) => ({
  decode: (bytes) => {
    const reader = new PbfReader(bytes), value = read(reader);
    return [value, reader.pos];
  },
  encode: (value) => {
    const writer = new PbfWriter();
    write(writer, value);
    return writer.finish();
  },
});

function pbf(type) {
  if (type === "protobuf-bool") {
    return pbfOf((reader) => reader.readBoolean(), (writer, value) => writer.writeBoolean(Boolean(value)));
  }
  if (type.startsWith("protobuf-sint")) {
    return pbfOf((reader) => reader.readSVarint(), (writer, value) => writer.writeSVarint(safe(value)));
  }
  const isSigned = type.startsWith("protobuf-int");
  return pbfOf((reader) => reader.readVarint(isSigned), (writer, value) => writer.writeVarint(safe(value)));
}

function webassembly(type) {
  const [sign, bits] = type.split("-");
  const decode = webassemblyjs[`decode${sign === "signed" ? "Int" : "UInt"}${bits}`];
  const encode = webassemblyjs[`encode${sign === "signed" ? "I" : "U"}${bits}`];
  return {
    decode: (bytes) => {
      const { value, nextIndex } = decode(Buffer.from(bytes), 0);
      return [value.toString(), nextIndex];
    },
    encode: (value) => encode(safe(value)),
  };
}

const packages = {
  "@bufbuild/protobuf": named((bytes) => new BinaryReader(bytes), () => new BinaryWriter(), BigInt),
  "@webassemblyjs/leb128": webassembly,
  leb128: (type) => ({
    decode: (bytes) => [leb128[type.replace("-64", "")].decode(Buffer.from(bytes)), length(bytes)],
    encode: (value) => leb128[type.replace("-64", "")].encode(value.toString()),
  }),
  pbf,
  protobufjs: named((bytes) => protobufjs.Reader.create(bytes), () => protobufjs.Writer.create(), long),
  "uint8-varint": () => ({
    decode: (bytes) => [uint8Varint.decode(bytes), length(bytes)],
    encode: (value) => uint8Varint.encode(safe(value)),
  }),
  varint: () => ({
    decode: (bytes) => [varint.decode(bytes), varint.decode.bytes],
    encode: (value) => varint.encode(safe(value)),
  }),
};
export const codec = (name, type) => packages[name](type);
