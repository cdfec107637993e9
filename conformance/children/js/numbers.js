// Returns an integer as a `number`, if one can represent it.
export function safe(value) {
  if (BigInt.asIntN(54, value) !== value) throw new RangeError(`${value} is no safe integer`);
  return Number(value);
}

// Returns the length of the first varint, for decoders that do not return it.
export function length(bytes) {
  const last = bytes.findIndex((byte) => byte < 128);
  return last < 0 ? bytes.length : last + 1;
}
