import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../kernel/secrets.ts';
import { type Clock, MINUTE_MS } from '../../../kernel/time/time.ts';
import type { SpendableToken } from '../keys/spent-tokens.model.ts';
import type { SpentTokenStore } from '../keys/spent-tokens.store.ts';

/** For how long the response to a challenge is accepted. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

const RANDOM_BYTES = 16;
const BODY_BYTES = 8 + RANDOM_BYTES;

interface ChallengeDeps {
  spentTokens: SpentTokenStore;
  clock: Clock;
  secrets: Secrets;
}

/**
 * Challenges of WebAuthn that contain their own expiry and a signature, so that issuing one writes nothing.
 * Responding to a challenge spends it, whether or not the response is right.
 */
export function passkeyChallenges({ spentTokens, clock, secrets }: ChallengeDeps) {
  const signer = secrets.signer('identity.passkey-challenge');
  const signedText = (body: Buffer, purpose: string): Buffer =>
    Buffer.concat([Buffer.from(`${purpose}\0`), body]);

  /**
   * Returns a challenge in the form in which it is spent; undefined unless it is authentic, for this purpose, and
   * not expired.
   */
  function read(challenge: string, purpose: string): SpendableToken | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    const body = bytes.subarray(0, BODY_BYTES);
    const given = bytes.subarray(BODY_BYTES).toString('base64url');
    if (body.length < BODY_BYTES || !signer.isSigned(signedText(body, purpose), given)) return undefined;
    const expiresAt = new Date(Number(body.readBigUInt64BE()));
    if (expiresAt.getTime() <= clock.now()) return undefined;
    return { jti: `passkey:${body.toString('base64url')}`, expiresAt };
  }

  return {
    /** @param purpose the use that the challenge is for, and the member whom it is for */
    issue(purpose: string): Buffer {
      const body = Buffer.alloc(BODY_BYTES);
      body.writeBigUInt64BE(BigInt(clock.now() + CHALLENGE_MS));
      randomBytes(RANDOM_BYTES).copy(body, 8);
      return Buffer.concat([body, signer.sign(signedText(body, purpose))]);
    },
    read,
    /** Spends a challenge; returns whether it was authentic, for this purpose, not expired and unused. */
    async spend(challenge: string, purpose: string): Promise<boolean> {
      const token = read(challenge, purpose);
      return token !== undefined && spentTokens.spend(token.jti, token.expiresAt);
    },
  };
}

export type PasskeyChallenges = ReturnType<typeof passkeyChallenges>;
