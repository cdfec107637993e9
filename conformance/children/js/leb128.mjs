import leb from "leb128";
import { length } from "./numbers.js";

export const source = "leb128";
const of = (format) => ({
  decode: (bytes) => [format.decode(Buffer.from(bytes)), length(bytes)],
  encode: (value) => format.encode(value.toString()),
});
export const types = { "unsigned-64": of(leb.unsigned), "signed-64": of(leb.signed) };
