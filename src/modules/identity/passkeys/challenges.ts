import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Clock, MINUTE_MS } from '../../../kernel/time/time.ts';
import type { SpendableToken } from '../keys/spent-tokens.model.ts';
import type { SpentTokenStore } from '../keys/spent-tokens.store.ts';

/** How long the answer to a challenge is accepted. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

const RANDOM_BYTES = 16;
const BODY_BYTES = 8 + RANDOM_BYTES;

interface ChallengeDeps {
  spentTokens: SpentTokenStore;
  clock: Clock;
  secretKey: string;
}

/**
 * Challenges of WebAuthn that carry their own end and authenticity, so that asking for one writes nothing. Answering one
 * uses it up, whether or not the answer is right.
 */
export function passkeyChallenges({ spentTokens, clock, secretKey }: ChallengeDeps) {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'identity.passkey-challenge', 32));
  const sign = (body: Buffer, purpose: string): Buffer =>
    createHmac('sha256', key).update(purpose).update('\0').update(body).digest();

  /** Returns a challenge as it is spent; undefined unless it is ours, for this purpose and in time. */
  function read(challenge: string, purpose: string): SpendableToken | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    const body = bytes.subarray(0, BODY_BYTES);
    const expected = sign(body, purpose);
    const given = bytes.subarray(BODY_BYTES);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
    const expiresAt = new Date(Number(body.readBigUInt64BE()));
    if (expiresAt.getTime() <= clock.now()) return undefined;
    return { jti: `passkey:${body.toString('base64url')}`, expiresAt };
  }

  return {
    /** @param purpose the only use of the challenge, and its member */
    issue(purpose: string): Buffer {
      const body = Buffer.alloc(BODY_BYTES);
      body.writeBigUInt64BE(BigInt(clock.now() + CHALLENGE_MS));
      randomBytes(RANDOM_BYTES).copy(body, 8);
      return Buffer.concat([body, sign(body, purpose)]);
    },
    read,
    /** Uses a challenge up; returns whether it is one for this purpose, in time and unused. */
    async spend(challenge: string, purpose: string): Promise<boolean> {
      const token = read(challenge, purpose);
      return token !== undefined && spentTokens.spend(token.jti, token.expiresAt);
    },
  };
}

export type PasskeyChallenges = ReturnType<typeof passkeyChallenges>;
