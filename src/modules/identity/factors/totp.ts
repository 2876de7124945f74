import { createHmac, timingSafeEqual } from 'node:crypto';
import { SECOND_MS } from '../../../kernel/time/time.ts';

// The parameters that every authenticator app supports.
const STEP_MS = 30 * SECOND_MS;
const DIGITS = 6;
/** Maximum number of steps by which the member's clock may be wrong. */
const DRIFT = 1;
/**
 * Maximum number of steps by which the clocks of two processes may differ, or one may be set back: five minutes.
 */
const CLOCKS_APART = 10;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Returns bytes in base 32 (RFC 4648) without padding; five bytes are eight characters. */
export function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const groups = bits.match(/.{1,5}/g) ?? [];
  return groups.map((group) => ALPHABET[Number.parseInt(group.padEnd(5, '0'), 2)]).join('');
}

/** Returns the one-time password of a step (RFC 4226). */
export function codeAt(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

/** Returns the time step of an instant (RFC 6238). */
export const stepAt = (ms: number): number => Math.floor(ms / STEP_MS);

const same = (left: string, right: string): boolean =>
  left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right));

/** Returns the accepted time step to which this code belongs. */
export function stepOf(secret: Uint8Array, code: string, nowMs: number): number | undefined {
  const now = stepAt(nowMs);
  const steps = Array.from({ length: 2 * DRIFT + 1 }, (_, place) => now - DRIFT + place);
  // Compares with the codes of all accepted steps, so that the time taken does not reveal which one matches.
  return steps.filter((step) => same(codeAt(secret, step), code))[0];
}

/**
 * Number of steps for which used codes are stored: older codes are refused for their age, also by clocks that are
 * behind.
 */
export const stillRemembered = (steps: number[], nowMs: number): number[] =>
  steps.filter((step) => step >= stepAt(nowMs) - DRIFT - CLOCKS_APART);

/** Returns the `otpauth:` address that an authenticator app reads, as text or as a QR code. */
export function otpauthUrl(issuer: string, account: string, secret: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const query = `secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / SECOND_MS}`;
  return `otpauth://totp/${label}?${query}`;
}
