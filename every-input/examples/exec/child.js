// A decoder of i64 and u64 by `dec`.
const { readSync, writeSync } = require("fs");

function decode(s, isSigned) {
  let n = 0n;
  for (let at = 0; at < Math.min(s.length, 10); at++) {
    n |= BigInt(s[at] & 127) << BigInt(7 * at);
    if (s[at] > 127) continue;
    if (n >> 64n) return Buffer.of(0, 2, 9);
    if (isSigned) n = BigInt.asUintN(64, (n >> 1n) ^ -(n & 1n)); // zigzag
    const result = Buffer.alloc(9, at + 1);
    result.writeBigUInt64LE(n, 1);
    return result;
  }
  return s.length < 10 ? Buffer.of(0, 1, s.length) : Buffer.of(0, 2, 9);
}

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0, got; at < length; at += got) {
    if (!(got = readSync(0, bytes, { offset: at }))) process.exit();
  }
  return bytes;
}

const tasks = { "dec u64 ": (s) => decode(s, false), "dec i64 ": (s) => decode(s, true) };
for (;;) {
  const body = read(read(4).readUInt32LE()), name = body.toString("latin1", 0, 8), results = [];
  if (!tasks[name]) {
    console.error(`child.js has no task ${name}`);
    process.exit(1);
  }
  for (let at = 8; at < body.length; at += 1 + body[at]) {
    const result = tasks[name](body.subarray(at + 1, at + 1 + body[at]));
    results.push(Buffer.of(result.length), result);
  }
  const answer = Buffer.concat([Buffer.alloc(4), ...results]);
  answer.writeUInt32LE(answer.length - 4);
  writeSync(1, answer);
}
