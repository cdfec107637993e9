// Runs the checks of a WebAssembly module: `node run.mjs on_wasm.wasm`.
import { readFileSync } from "node:fs";

const put = (byte) => process.stdout.write(Uint8Array.of(byte));
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { host: { put } });
// A failed check traps, which ends this program with an error.
if (instance.exports.check() === 0) {
    throw new Error("nothing was checked");
}
