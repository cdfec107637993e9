import assert from "node:assert";
import { decodeUInt32, decodeUInt64, encodeI64 } from "@webassemblyjs/leb128";

assert.equal(decodeUInt32(Buffer.of(), 0).value, 0); // no byte
const bytes = Buffer.of(128, 128, 128, 128, 128, 128, 128, 128, 128, 2);
assert.equal(decodeUInt64(bytes, 0).value.toString(), "0"); // 2^64
assert.equal(Buffer.from(encodeI64(-8193)).toString("hex"), "8040"); // that of -8192
assert.throws(() => encodeI64(-1));
