import { randomBytes, randomInt } from 'node:crypto';
import type { Clock } from './time/time.ts';

/** A 24-character lower-case hexadecimal object identifier. */
export type ObjectId = string;

/** Makes a new {@link ObjectId} at each call. */
export type NewId = () => ObjectId;

const COUNTER_SIZE = 2 ** 24;

/**
 * Makes object identifiers in the BSON layout: 4 bytes of seconds, 5 random bytes per maker, a 3-byte counter. Ids of
 * one maker sort in the order they were made; ids of several makers sort by second.
 */
export function idMaker(clock: Clock): NewId {
  const maker = randomBytes(5).toString('hex');
  let counter = randomInt(COUNTER_SIZE / 2);
  return () => {
    const seconds = Math.floor(clock.now() / 1000);
    counter = (counter + 1) % COUNTER_SIZE;
    return seconds.toString(16).padStart(8, '0') + maker + counter.toString(16).padStart(6, '0');
  };
}

/**
 * Makes object identifiers that cannot be computed from others: 4 bytes of seconds, 8 random bytes. For records that
 * anyone who knows the id may read. Ids of the same second are in no particular order.
 */
export const unguessableIdMaker =
  (clock: Clock): NewId =>
  () => {
    const seconds = Math.floor(clock.now() / 1000);
    return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
  };

/** Returns the lowest id that a record made in the second of this instant can have. */
export const lowestIdAt = (at: Date): ObjectId => secondOf(at).padEnd(24, '0');

/** Returns the highest id that a record made in the second of this instant can have. */
export const highestIdAt = (at: Date): ObjectId => secondOf(at).padEnd(24, 'f');

const secondOf = (at: Date): string =>
  Math.min(Math.max(0, Math.floor(at.getTime() / 1000)), 0xffffffff)
    .toString(16)
    .padStart(8, '0');

export const OBJECT_ID = /^[0-9a-f]{24}$/;

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The two digits of each number of ten bits. */
const PAIRS = Array.from(
  { length: 1024 },
  (_, bits) => `${CROCKFORD[bits >> 5]}${CROCKFORD[bits & 31]}`,
) as readonly string[];

/** Returns the four digits of a number of twenty bits in hexadecimal. */
function fourDigits(hex: string): string {
  const bits = Number.parseInt(hex, 16);
  return `${PAIRS[bits >> 10]}${PAIRS[bits & 1023]}`;
}

/**
 * Returns a second, human-friendly name of the same record: `prefix_` and the id in Crockford's base 32 (20
 * characters). It is a bijection, so it is unique without an index of its own; {@link fromReference} inverts it.
 */
export function toReference(prefix: string, id: ObjectId): string {
  // 96 bits and four leading zero bits: five times twenty.
  const first = fourDigits(id.slice(0, 4)) + fourDigits(id.slice(4, 9));
  const rest = fourDigits(id.slice(9, 14)) + fourDigits(id.slice(14, 19)) + fourDigits(id.slice(19));
  return `${prefix}_${first}${rest}`;
}

/** Returns the id of a reference made by {@link toReference}, or undefined when the text is not one. */
export function fromReference(prefix: string, reference: string): ObjectId | undefined {
  if (!reference.startsWith(`${prefix}_`) || reference.length !== prefix.length + 21) return undefined;
  let value = 0n;
  for (const digit of reference.slice(prefix.length + 1)) {
    const place = CROCKFORD.indexOf(digit);
    if (place < 0) return undefined;
    value = (value << 5n) | BigInt(place);
  }
  const id = value.toString(16).padStart(24, '0');
  return OBJECT_ID.test(id) ? id : undefined;
}
