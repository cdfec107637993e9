import varint from "varint";
import { safe } from "./numbers.js";

export const source = "varint";
const decode = (bytes) => [varint.decode(bytes), varint.decode.bytes];
export const types = { "unsigned-64": { decode, encode: (value) => varint.encode(safe(value)) } };
