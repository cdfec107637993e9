import assert from "node:assert";
import { decode } from "uint8-varint";

const bytes = Uint8Array.of(255, 255, 255, 255, 255, 255, 255, 127);
assert.equal(BigInt(decode(bytes)), 2n ** 56n); // 2^56 - 1
