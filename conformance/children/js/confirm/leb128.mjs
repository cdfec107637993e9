import assert from "node:assert";
import leb from "leb128";

assert.equal(leb.unsigned.decode(Buffer.of(255)), "127"); // the input ends before the value
