const TEXT_FIN = 0x81;
const SHORT = 126;
const MIDDLE = 65_536;

/** Encodes a complete text message of the server as one frame (RFC 6455, 5.2), reusable for any number of sockets. */
export function frameOf(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = length < SHORT ? 2 : length < MIDDLE ? 4 : 10;
  const frame = Buffer.allocUnsafe(header + length);
  frame[0] = TEXT_FIN;
  if (length < SHORT) frame[1] = length;
  else if (length < MIDDLE) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, header);
  return frame;
}
