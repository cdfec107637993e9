import * as leb from "@webassemblyjs/leb128";

export const source = "@webassemblyjs/leb128";
const of = (decode, encode) => ({
  decode: (bytes) => {
    const { value, nextIndex } = decode(Buffer.from(bytes), 0);
    return [value.toString(), nextIndex];
  },
  encode: encode && ((value) => encode(Number(value))),
});
export const types = {
  "unsigned-32": of(leb.decodeUInt32, leb.encodeU32),
  "unsigned-64": of(leb.decodeUInt64),
  "signed-32": of(leb.decodeInt32, leb.encodeI32),
  "signed-64": of(leb.decodeInt64),
};
