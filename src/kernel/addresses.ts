import { isIP, isIPv4, isIPv6 } from 'node:net';

const MAX_ADDRESS = 64;

/** Whether a text is an IP address, or a network of them in CIDR notation (RFC 4632): `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/**
 * What throttles and limits count an address as: an IPv4 address by itself, of an IPv6 address its /64 network, which
 * one subscriber has whole. IPv4 mapped into IPv6 is that IPv4 address, and zone ids (`%eth0`) do not count. Two ways
 * of writing one address are one group; what is no address stands for itself.
 */
export function addressGroup(address: string): string {
  if (isIPv4(address)) return address;
  const bare = address.slice(0, MAX_ADDRESS).split('%', 1)[0] as string;
  if (!isIPv6(bare)) return bare;
  const words = wordsOf(bare);
  if (isMapped(words)) return words.slice(6).flatMap(bytesOf).join('.');
  const network = words.slice(0, 4).map((word) => word.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight 16-bit words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = wordsOfPart(head);
  if (tail === undefined) return before;
  const after = wordsOfPart(tail);
  const zeros: number[] = new Array(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

const wordsOfPart = (part: string): number[] => (part === '' ? [] : part.split(':').flatMap(wordsOfPiece));

/** The last piece may be written as IPv4: `::ffff:192.0.2.1`. */
function wordsOfPiece(piece: string): number[] {
  if (!piece.includes('.')) return [Number.parseInt(piece, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = piece.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const bytesOf = (word: number): number[] => [word >> 8, word & 0xff];

/** `::ffff:0:0/96`. */
const isMapped = (words: number[]): boolean =>
  words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
