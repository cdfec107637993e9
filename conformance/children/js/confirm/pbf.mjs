import assert from "node:assert";
import { PbfReader } from "pbf";

const read = (...bytes) => new PbfReader(Uint8Array.from(bytes)).readVarint(true);
assert.equal(read(255, 255, 255, 255, 15), 4294967295); // an int32 of -1 in five bytes
assert.equal(read(128, 128, 128, 128, 8), 2147483648); // an int32 of -2147483648
assert.equal(BigInt(read(255, 255, 255, 255, 255, 255, 255, 127)), 2n ** 56n); // 2^56 - 1
