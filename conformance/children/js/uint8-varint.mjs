import { decode, encode } from "uint8-varint";
import { length, safe } from "./numbers.js";

export const source = "uint8-varint";
const type = { decode: (bytes) => [decode(bytes), length(bytes)], encode: (value) => encode(safe(value)) };
export const types = { "unsigned-64": type, multiformats: type };
