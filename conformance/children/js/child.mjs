// Speaks the protocol of `sweep protocol` for an implementation and a wire type. Without them, lists both.
import { readFileSync, readdirSync, readSync, writeSync } from "node:fs";

const [file, wireType] = process.argv.slice(2);
if (!wireType) {
  for (const name of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".mjs") && name !== "child.mjs")) {
    const { source, types } = await import(`./${name}`);
    const { version } = JSON.parse(readFileSync(`${import.meta.dirname}/node_modules/${source}/package.json`));
    console.log(name.slice(0, -4), source, version, Object.keys(types).join(" "));
  }
  process.exit();
}
const { decode, encode } = (await import(`./${file}.mjs`)).types[wireType];

function read(length) {
  const bytes = Buffer.alloc(length);
  for (let at = 0, got; at < length; at += got) {
    if (!(got = readSync(0, bytes, { offset: at }))) process.exit();
  }
  return bytes;
}

// The value has the size of the type, or 16 bytes if it does not fit; what is no integer has none.
function decoded([value, length], size, isSigned) {
  let number;
  try {
    number = BigInt(value);
  } catch {
    return [length];
  }
  const fits = number === (isSigned ? BigInt.asIntN(8 * size, number) : BigInt.asUintN(8 * size, number));
  return [length, ...Array.from({ length: fits ? size : 16 }, (_, at) => Number((number >> BigInt(8 * at)) & 255n))];
}

for (;;) {
  const body = read(read(4).readUInt32LE()), results = [];
  const isSigned = body[4] === "i".charCodeAt(), size = parseInt(body.toString("latin1", 5, 8)) / 8;
  for (let at = 8; at < body.length; at += 1 + body[at]) {
    const input = Uint8Array.from(body.subarray(at + 1, at + 1 + body[at]));
    let result = [];
    try {
      if (body[0] === "d".charCodeAt()) result = decoded(decode(input), size, isSigned);
      else {
        const number = input.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
        result = encode(isSigned ? BigInt.asIntN(8 * size, number) : number);
      }
    } catch {
      result = []; // an error without a reason
    }
    results.push(result.length, ...result);
  }
  const answer = Buffer.from([0, 0, 0, 0, ...results]);
  answer.writeUInt32LE(results.length);
  writeSync(1, answer);
}
