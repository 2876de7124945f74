import { confirmAuthenticator, enrollAuthenticator, stepUp, verifyEmail } from '../../sdk/src/index.ts';
import { codeAt, stepAt } from '../../src/modules/identity/factors/totp.ts';
import type { Client } from './client.ts';
import type { Member, TestPlatform } from './platform.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes base 32; the platform itself only encodes it. */
function bytesOf(secret: string): Buffer {
  const bits = [...secret].map((one) => ALPHABET.indexOf(one).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** An authenticator app of a member. */
export interface App {
  recoveryCodes: string[];
  /** The code that added the app to the account. */
  confirmedWith: string;
  /** Moves the clock to the next time step, and returns a code that was not used before. */
  newCode(): string;
  /** The code that the app shows now. */
  code(): string;
}

type Where = Pick<TestPlatform, 'clock'>;

/** Creates an authenticator app from its secret. */
export const appOf = ({ clock }: Where, secret: string): Omit<App, 'recoveryCodes' | 'confirmedWith'> => {
  const code = () => codeAt(bytesOf(secret), stepAt(clock.now()));
  return {
    code,
    newCode: () => {
      clock.advance(30_000);
      return code();
    },
  };
};

/** Adds an authenticator app to the account of a client. */
export async function addApp(where: Where, client: Client): Promise<App> {
  const { secret } = (await client.call(enrollAuthenticator)).data;
  const app = appOf(where, secret);
  const confirmedWith = app.code();
  const { recoveryCodes } = (await client.call(confirmAuthenticator, { body: { code: confirmedWith } })).data;
  return { ...app, recoveryCodes, confirmedWith };
}

/** Adds an authenticator app to a member's account. */
export async function withApp<M extends Pick<Member, 'client'>>(
  where: Where,
  member: M,
): Promise<M & { app: App }> {
  return { ...member, app: await addApp(where, member.client) };
}

/** Steps up the session of a member with a code of their authenticator app. */
export const elevate = ({ client, app }: Pick<Member, 'client'> & { app: App }) =>
  client.call(stepUp, { body: { mfaCode: app.newCode() } });

/** Verifies the address of a new member by the mailed code: a first reset would otherwise take the factors away. */
export async function verifyAddress(
  { mailTo }: Pick<TestPlatform, 'mailTo'>,
  { client, email }: Pick<Member, 'client' | 'email'>,
): Promise<void> {
  const code = /\b\d{6}\b/.exec((await mailTo(email, 'email.verification')).text)?.[0] ?? '';
  await client.call(verifyEmail, { body: { code } });
}
