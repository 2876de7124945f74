import { isIP, isIPv4, isIPv6 } from 'node:net';

const MAX_ADDRESS = 64;

/** Whether a text is an IP address or a network in CIDR notation (RFC 4632) such as `10.0.0.0/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)];
  if (bits === undefined || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) >= 1 && Number(prefix) <= bits);
}

/**
 * Returns the unit that throttles and limits count an address under: an IPv4 address itself, and the /64 network of an
 * IPv6 address, because one subscriber usually holds the whole /64. Maps IPv4-mapped IPv6 addresses to IPv4, ignores
 * zone ids (`%eth0`) and normalizes spellings. Returns text that is not an IP address as it is.
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

/** Returns the range in which one connection's addresses usually stay: the /24 of an IPv4 address, the /64 of an IPv6 one. */
export function addressRange(address: string): string {
  const group = addressGroup(address);
  return isIPv4(group) ? group.replace(/\d+$/, '0/24') : group;
}

/** Returns the eight 16-bit words of an IPv6 address. */
function wordsOf(address: string): number[] {
  const [head = '', tail] = address.split('::');
  const before = wordsOfPart(head);
  if (tail === undefined) return before;
  const after = wordsOfPart(tail);
  const zeros: number[] = new Array(8 - before.length - after.length).fill(0);
  return [...before, ...zeros, ...after];
}

const wordsOfPart = (part: string): number[] => (part === '' ? [] : part.split(':').flatMap(wordsOfPiece));

/** Returns the words of one piece; the last piece may be written as IPv4 (`::ffff:192.0.2.1`). */
function wordsOfPiece(piece: string): number[] {
  if (!piece.includes('.')) return [Number.parseInt(piece, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = piece.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

const bytesOf = (word: number): number[] => [word >> 8, word & 0xff];

/** Whether the address is in `::ffff:0:0/96`, the IPv4-mapped range. */
const isMapped = (words: number[]): boolean =>
  words.slice(0, 5).every((word) => word === 0) && words[5] === 0xffff;
