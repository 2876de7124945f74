import type { Chance } from './chance.ts';

interface FrameOptions {
  opcode?: number;
  isLast?: boolean;
  isMasked?: boolean;
  reserved?: number;
}

/** Encodes a WebSocket frame as a client sends it, or as a broken one does. */
export function frame(
  content: string | Buffer,
  { opcode = 1, isLast = true, isMasked = true, reserved = 0 }: FrameOptions = {},
): Buffer {
  const payload = Buffer.from(content as string);
  const first = (isLast ? 0x80 : 0) | reserved | opcode;
  const mask = isMasked ? 0x80 : 0;
  const long = payload.length > 65_535;
  const header = Buffer.alloc(payload.length < 126 ? 2 : long ? 10 : 4);
  header[0] = first;
  header[1] = mask | (payload.length < 126 ? payload.length : long ? 127 : 126);
  if (header.length === 4) header.writeUInt16BE(payload.length, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(payload.length), 2);
  // A mask of zeros does not change the payload.
  return Buffer.concat([header, ...(isMasked ? [Buffer.alloc(4)] : []), payload]);
}

const KINDS = ['auth', 'subscribe', 'unsubscribe', 'chat:send', 'chat:typing', 'ping', 'dance', '__proto__'];
const CHANNELS = ['chatroom', 'notifications', 'market', 'constructor', ['chatroom'], null];

function oddValue({ below, pick }: Chance): unknown {
  return pick([
    () => null,
    () => below(1e9) - 5e8,
    () => 1e308 * 10 ** below(3),
    () => '',
    () => 'f'.repeat(24),
    () => '\u202e'.repeat(below(4_000)),
    () => 'x'.repeat(below(50_000)),
    () => '\ud800\u0000',
    () => [],
    () => Array(below(20_000)).fill(0),
    () => Array(below(2_000)).fill({ a: [null] }),
    () => Array(below(90)).fill('^GSPC'),
    () => ({ toString: 1, __proto__: 2, length: 1e9 }),
    () => ({ $ne: null }),
  ])();
}

function oddMessage(chance: Chance): string {
  const message: Record<string, unknown> = { type: chance.pick<unknown>([...KINDS, ...KINDS, 7, null]) };
  for (const field of ['channel', 'chatroomId', 'userId', 'symbols', 'message', 'clientMessageId', 'after'])
    if (chance.below(2)) message[field] = oddValue(chance);
  if (chance.below(2)) message.channel = chance.pick<unknown>(CHANNELS);
  if (chance.below(2)) message.requestId = oddValue(chance);
  return JSON.stringify(message).slice(0, 65_000);
}

/** Encodes a message in fragments, with pings in between. */
function inPieces(text: string, chance: Chance): Buffer {
  const pieces: Buffer[] = [];
  const length = 1 + chance.below(Math.max(2, text.length / 20));
  for (let at = 0; at < text.length; at += length) {
    const isLast = at + length >= text.length;
    pieces.push(frame(text.slice(at, at + length), { opcode: at === 0 ? 1 : 0, isLast }));
    if (chance.below(3) === 0) pieces.push(frame('still here', { opcode: 9 }));
  }
  return Buffer.concat(pieces);
}

const PING = '{"type":"ping"}';
const KINDS_OF_ATTACK: ((chance: Chance) => Buffer)[] = [
  (chance) => frame(oddMessage(chance)),
  (chance) => frame(oddMessage(chance)),
  (chance) => frame(oddMessage(chance)),
  (chance) => frame(oddMessage(chance).slice(chance.below(10), -1 - chance.below(10))),
  ({ below }) => frame('['.repeat(below(65_000))),
  ({ below }) => frame(`{"type":"ping","a":${'{"a":'.repeat(below(9_000))}`),
  ({ below }) => frame(`{"type":"ping","a":${'['.repeat(below(30_000))}`.padEnd(65_000, ']').concat('}')),
  ({ below }) =>
    frame(JSON.stringify({ type: 'subscribe', channel: 'market', symbols: Array(below(30_000)).fill(0) })),
  (chance) => inPieces(oddMessage(chance), chance),
  (chance) => inPieces(PING, chance),
  ({ below }) => Buffer.concat(Array(below(3_000)).fill(frame('flood', { opcode: 9 }))),
  ({ below }) => Buffer.concat(Array(below(400)).fill(frame(PING))),
  () => frame(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0xc0, 0x80])),
  () => frame('x'.repeat(66_000)),
  () => frame(Buffer.alloc(100, 7), { opcode: 2 }),
  ({ pick }) => frame(PING, { reserved: pick([0x10, 0x20, 0x40]) }),
  ({ pick }) => frame(PING, { opcode: pick([3, 7, 11, 15]) }),
  () => frame(PING, { isMasked: false }),
  () => frame(PING, { opcode: 0 }),
  () => frame('x'.repeat(200), { opcode: 9 }),
  () => frame(Buffer.from([0, 1]), { opcode: 8 }),
];

/** Incomplete messages: half a frame, a message without its last fragment, and a frame that announces a huge length. */
const OPEN_ENDED: ((chance: Chance) => Buffer)[] = [
  ({ below }) => frame('x'.repeat(60_000)).subarray(0, 1 + below(1_000)),
  () => frame(PING, { isLast: false }),
  () => Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
];

/** Returns random bytes of the kinds that no proper client sends. */
export function attack(chance: Chance): { bytes: Buffer; isOpenEnded: boolean } {
  const isOpenEnded = chance.below(30) === 0;
  return { bytes: chance.pick(isOpenEnded ? OPEN_ENDED : KINDS_OF_ATTACK)(chance), isOpenEnded };
}
