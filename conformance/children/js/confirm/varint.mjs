import assert from "node:assert";
import varint from "varint";

assert.equal(BigInt(varint.decode([255, 255, 255, 255, 255, 255, 255, 127])), 2n ** 56n); // 2^56 - 1
