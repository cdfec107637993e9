// Speaks the protocol of `sweep protocol` for a package and a wire type.
import { readSync, writeSync } from "node:fs";
import { codec } from "./implementations.mjs";

const { decode, encode } = codec(...process.argv.slice(2));

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0, got; at < length; at += got) {
    if (!(got = readSync(0, bytes, { offset: at }))) process.exit();
  }
  return bytes;
}

// The value has the size of the type, or 16 bytes if it does not fit; what is no integer has none.
function decoded([value, length], size, cut) {
  let number;
  try {
    number = BigInt(value);
  } catch {
    return [length];
  }
  const bytes = Array.from({ length: 16 }, (_, at) => Number((number >> BigInt(8 * at)) & 255n));
  return [length, ...bytes.slice(0, number === cut(number) ? size : 16)];
}

for (;;) {
  const body = read(read(4).readUInt32LE()), results = [];
  const [isDecoder, isSigned] = [body[0] === "d".charCodeAt(), body[4] === "i".charCodeAt()];
  const size = parseInt(body.toString("latin1", 5, 8)) / 8;
  const cut = (number) => (isSigned ? BigInt.asIntN : BigInt.asUintN)(8 * size, number);
  for (let at = 8; at < body.length; at += 1 + body[at]) {
    const input = Uint8Array.from(body.subarray(at + 1, at + 1 + body[at]));
    let result = [];
    try {
      const number = input.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
      result = isDecoder ? decoded(decode(input), size, cut) : encode(cut(number));
    } catch {
      // an error without a reason
    }
    results.push(result.length, ...result);
  }
  const answer = Buffer.from([0, 0, 0, 0, ...results]);
  answer.writeUInt32LE(results.length);
  writeSync(1, answer);
}
