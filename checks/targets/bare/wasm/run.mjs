// Runs a WebAssembly module of this workspace: `node run.mjs on_wasm.wasm`.
import { readFileSync } from "node:fs";

const put = (byte) => process.stdout.write(Uint8Array.of(byte));
const now = () => performance.now();
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), { host: { put, now } });
// A failed check traps, which ends this program with an error.
if (instance.exports.run() === 0) {
    throw new Error("nothing was checked");
}
