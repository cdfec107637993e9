// Runs a WebAssembly module of this folder: `node run.mjs wasm.wasm`.
import { readFileSync } from "node:fs";

const put = (byte) => process.stdout.write(Uint8Array.of(byte));
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { host: { put } });
// A failed check traps, which ends this program with an error.
if (instance.exports.run() === 0) {
    throw new Error("nothing was checked");
}
