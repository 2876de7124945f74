// How close does the rate of sign-ins by passkey come to that of verifying their signatures, and how far is it from that
// of sign-ins by password?
import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { type Authenticator, authenticator } from '../../test/support/authenticator.ts';
import { request } from '../load.ts';
import { SECONDS } from '../paired.ts';
import type { Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

const CONNECTIONS = 8;
const MEMBERS = 64;
/** Challenges fetched at once before a turn. */
const AT_ONCE = 32;
/** More than a turn uses; each challenge can be used once. */
const ANSWERS = Math.ceil((SECONDS + 1) * 2_500);
const RP = { expectedOrigin: 'http://localhost:3000', expectedRPID: 'localhost' };

export async function passkeys(scene: Scene): Promise<Row[]> {
  const { fixture, ours, requests } = scene;
  const headers = { 'x-api-key': fixture.unlimitedKey };
  const call = async (path: string, body: object, token?: string): Promise<Record<string, unknown>> => {
    const answered = await fetch(fixture.url + path, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const { data, message } = (await answered.json()) as { data: Record<string, unknown>; message: string };
    if (!answered.ok) throw new Error(`${path}: ${answered.status} ${message}`);
    return data;
  };

  const keys: Authenticator[] = [];
  for (const { token } of fixture.members.slice(0, MEMBERS)) {
    // Authenticators without a counter, like those of phones, so that responses may arrive in any order.
    const key = authenticator({ counts: false });
    const { challenge } = await call('/v1/auth/passkeys/options', {}, token);
    const body = { name: 'bench', response: key.create(String(challenge)) };
    await call('/v1/auth/passkeys', body, token);
    keys.push(key);
  }

  let ready: Buffer[] = [];
  const prepare = async () => {
    ready = [];
    const lane = async () => {
      while (ready.length < ANSWERS) {
        const { challenge } = await call('/v1/auth/passkeys/signin-options', {});
        const key = keys[ready.length % keys.length] as Authenticator;
        const body = { response: key.get(String(challenge)), platform: 'web', device: 'bench' };
        ready.push(request('POST', '/v1/auth/passkeys/signin', headers, body));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  };
  const next = () => {
    const one = ready.pop();
    if (!one) throw new Error('there are not enough answers to challenges for this machine');
    return one;
  };

  const turns = await scene.interleave('sign-ins by passkey', {
    ours: { ...ours(next, CONNECTIONS), before: prepare },
    passwords: ours(requests.signIn, CONNECTIONS),
    verification: { run: verificationTurn, stopped: [fixture.pid] },
  });
  const shared = { ours: turns.ours };
  return [
    compared({
      ...shared,
      what: 'sign-ins by passkey, 8 connections',
      limit: turns.verification,
      limitName: 'the library verifying one signature, two at once',
      target: 0.5,
    }),
    compared({
      ...shared,
      what: 'sign-ins by passkey, 8 connections',
      limit: turns.passwords,
      limitName: 'sign-ins by password',
      target: 10,
    }),
  ];
}

/** Verifies the same signature repeatedly, and nothing else. */
async function verificationTurn(): Promise<{ perSecond: number; answered: number }> {
  const key = authenticator({ counts: false });
  const challenge = Buffer.alloc(32, 1).toString('base64url');
  const expected = { ...RP, expectedChallenge: challenge };
  const { registrationInfo } = await verifyRegistrationResponse({
    response: key.create(challenge),
    ...expected,
  });
  if (!registrationInfo) throw new Error('the key is not accepted');
  const { id, publicKey } = registrationInfo.credential;
  const response = key.get(challenge) as AuthenticationResponseJSON;
  const until = performance.now() + SECONDS * 1000;
  let count = 0;
  const lane = async () => {
    for (; performance.now() < until; count++)
      await verifyAuthenticationResponse({
        response,
        ...expected,
        credential: { id, publicKey, counter: 0 },
      });
  };
  await Promise.all([lane(), lane()]);
  return { perSecond: count / SECONDS, answered: count };
}
