// Arrays as parameters in PostgreSQL's binary format, which the driver sends for buffers: neither side escapes, quotes
// or parses them. For statements on hot paths; the parameter must be cast to exactly the type.

const TEXT = 25;
const BIGINT = 20;
const BYTEA = 17;
/** The dimensions, a flag for nulls, the element type, the number of elements, and the first index. */
const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;
const NULL_LENGTH = -1;

/** Returns a buffer with the header; the elements follow at {@link HEADER_BYTES}. */
function arrayHeader(elementType: number, count: number, elementBytes: number, hasNulls: boolean): Buffer {
  if (count === 0) {
    const empty = Buffer.alloc(12);
    empty.writeInt32BE(elementType, 8);
    return empty;
  }
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + count * LENGTH_BYTES + elementBytes);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeInt32BE(elementType, 8);
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16);
  return buffer;
}

/** A parameter of type `text[]`. */
export function textArray(values: (string | null)[]): Buffer {
  let bytes = 0;
  let hasNulls = false;
  for (const value of values) {
    if (value === null) hasNulls = true;
    else bytes += Buffer.byteLength(value);
  }
  const buffer = arrayHeader(TEXT, values.length, bytes, hasNulls);
  let at = HEADER_BYTES;
  for (const value of values) {
    const length = value === null ? NULL_LENGTH : buffer.write(value, at + LENGTH_BYTES);
    buffer.writeInt32BE(length, at);
    at += LENGTH_BYTES + Math.max(0, length);
  }
  return buffer;
}

/** A parameter of type `bigint[]`; numbers must be safe integers. */
export function bigintArray(values: (number | bigint)[]): Buffer {
  const buffer = arrayHeader(BIGINT, values.length, values.length * 8, false);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(8, at);
    buffer.writeBigInt64BE(BigInt(value), at + LENGTH_BYTES);
    at += LENGTH_BYTES + 8;
  }
  return buffer;
}

/** A parameter of type `bytea[]`. */
export function byteaArray(values: Buffer[]): Buffer {
  const bytes = values.reduce((sum, value) => sum + value.length, 0);
  const buffer = arrayHeader(BYTEA, values.length, bytes, false);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(value.length, at);
    value.copy(buffer, at + LENGTH_BYTES);
    at += LENGTH_BYTES + value.length;
  }
  return buffer;
}
