import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { test } from 'node:test';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import fc from 'fast-check';
import { assertions } from './assertions.ts';
import { readClientData } from './client-data.ts';
import { loadWebAuthnLibrary } from './web-authn-library.ts';

const library = await loadWebAuthnLibrary();
const { check } = assertions(() => 'localhost');

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');
const bytesOf = (text: string | undefined): Uint8Array =>
  new Uint8Array(Buffer.from(text ?? '', 'base64url'));
const coseOf = (members: [number, number | Uint8Array][]): Buffer =>
  Buffer.from(isoCBOR.encode(new Map(members)));

/** A key of a credential: its private part, its COSE form and the digest of its signatures. */
interface Signing {
  privateKey: KeyObject;
  publicKey: Buffer;
  digest: string | null;
}

function elliptic(): Signing {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const cose = coseOf([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytesOf(x)],
    [-3, bytesOf(y)],
  ]);
  return { privateKey, publicKey: cose, digest: 'sha256' };
}

function edwards(): Signing {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x } = publicKey.export({ format: 'jwk' });
  const cose = coseOf([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, bytesOf(x)],
  ]);
  return { privateKey, publicKey: cose, digest: null };
}

function rsa(): Signing {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const cose = coseOf([
    [1, 3],
    [3, -257],
    [-1, bytesOf(n)],
    [-2, bytesOf(e)],
  ]);
  return { privateKey, publicKey: cose, digest: 'sha256' };
}

const KEYS = { ES256: elliptic(), EdDSA: edwards(), RS256: rsa(), another: elliptic() };
const USER = 'a1'.repeat(12);
const ID = base64(Buffer.alloc(16, 7));
const CHALLENGE = base64(Buffer.alloc(32, 1));
const ORIGIN = 'http://localhost:3000';

/** The flaws that a response may have; a missing property means that the part is correct. */
interface Flaws {
  algorithm: 'ES256' | 'EdDSA' | 'RS256';
  signedBy: keyof typeof KEYS | undefined;
  client: Record<string, unknown>;
  rpId: string;
  flags: number;
  counter: number;
  storedCounter: number;
  /** Bytes after the counter. */
  rest: string;
  /** Bits to flip in the signature. */
  flipped: number;
  cut: number;
  rawId: string;
  type: string;
}

const RIGHT: Flaws = {
  algorithm: 'ES256',
  signedBy: undefined,
  client: {},
  rpId: 'localhost',
  flags: 0x05,
  counter: 1,
  storedCounter: 0,
  rest: '',
  flipped: 0,
  cut: 0,
  rawId: ID,
  type: 'public-key',
};

function answerWith(flaws: Partial<Flaws>) {
  const how = { ...RIGHT, ...flaws };
  const client = Buffer.from(
    JSON.stringify({
      type: 'webauthn.get',
      challenge: CHALLENGE,
      origin: ORIGIN,
      crossOrigin: false,
      ...how.client,
    }),
  );
  const counter = Buffer.alloc(4);
  counter.writeUInt32BE(how.counter);
  const parts = [sha256(how.rpId), Buffer.from([how.flags]), counter, Buffer.from(how.rest, 'hex')];
  const data = Buffer.concat(parts).subarray(0, how.cut === 0 ? undefined : -how.cut);
  const signer = KEYS[how.signedBy ?? how.algorithm];
  const signature = sign(signer.digest, Buffer.concat([data, sha256(client)]), signer.privateKey);
  signature[signature.length - 1] = (signature.at(-1) as number) ^ how.flipped;
  const response = {
    id: ID,
    rawId: how.rawId,
    type: how.type,
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64(client),
      authenticatorData: base64(data),
      signature: base64(signature),
    },
  } as AuthenticationResponseJSON;
  const { publicKey } = KEYS[how.algorithm];
  return { response, passkey: { id: USER, credentialId: ID, publicKey, counter: how.storedCounter } };
}

type Answer = ReturnType<typeof answerWith>;

/** The verdict of the platform: the changes to the passkey, or undefined if the response is refused. */
function ours({ response, passkey }: Answer) {
  const client = readClientData(response.response.clientDataJSON);
  try {
    return client && check({ passkey, response, client, userId: USER }, library);
  } catch {
    return undefined;
  }
}

/** The verdict of the library. */
async function theirs({ response, passkey }: Answer) {
  try {
    const { verified, authenticationInfo } = await library.verifyAuthenticationResponse({
      response,
      expectedChallenge: CHALLENGE,
      expectedOrigin: ORIGIN,
      expectedRPID: 'localhost',
      requireUserVerification: true,
      credential: { id: ID, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    });
    const { newCounter: counter, credentialBackedUp: backedUp } = authenticationInfo;
    return verified ? { id: passkey.id, counter, backedUp } : undefined;
  } catch {
    return undefined;
  }
}

const EXTENSION = base64hex({ credProtect: 2 });
function base64hex(map: Record<string, number>): string {
  return Buffer.from(isoCBOR.encode(new Map(Object.entries(map)))).toString('hex');
}

test('each check of section 7.2 refuses the answers that violate it, for every kind of key', () => {
  const flaws: Record<string, Partial<Flaws>> = {
    'another credential': { rawId: base64(Buffer.alloc(16, 8)) },
    'another kind of credential': { type: 'password' },
    'a registration': { client: { type: 'webauthn.create' } },
    'a page in a frame of another origin': {
      client: { crossOrigin: true, topOrigin: 'https://evil.example' },
    },
    'an unknown state of the token binding': { client: { tokenBinding: { status: 'unknown' } } },
    'another domain': { rpId: 'evil.example' },
    'nobody present': { flags: 0x04 },
    'nobody verified': { flags: 0x01 },
    'backed up, but not eligible for it': { flags: 0x15 },
    'bytes after the authenticator data': { rest: '00' },
    'authenticator data that is cut off': { cut: 1 },
    'extensions that are cut off': { flags: 0x85, rest: EXTENSION.slice(0, -2) },
    'a counter that stays': { counter: 5, storedCounter: 5 },
    'a counter that falls': { counter: 4, storedCounter: 5 },
    'a counter that is given up': { counter: 0, storedCounter: 5 },
    'a signature of another key': { signedBy: 'another' },
    'a damaged signature': { flipped: 1 },
  };
  for (const algorithm of ['ES256', 'EdDSA', 'RS256'] as const) {
    assert.deepEqual(ours(answerWith({ algorithm })), { id: USER, counter: 1, backedUp: false }, algorithm);
    for (const [name, flaw] of Object.entries(flaws))
      assert.equal(ours(answerWith({ algorithm, ...flaw })), undefined, `${algorithm}: ${name}`);
  }
  const right = { counter: 0, flags: 0x9d, rest: EXTENSION };
  assert.deepEqual(
    ours(answerWith(right)),
    { id: USER, counter: 0, backedUp: true },
    'extensions are ignored',
  );
});

test('a passkey whose authenticator names another owner is refused', () => {
  const answer = answerWith({});
  const named = (owner: string): Answer => ({
    ...answer,
    response: {
      ...answer.response,
      response: { ...answer.response.response, userHandle: base64(Buffer.from(owner, 'hex')) },
    },
  });
  assert.ok(ours(named(USER)));
  assert.equal(ours(named('b2'.repeat(12))), undefined);
});

test('any answer gets the verdict of the library, flawed or not', async () => {
  const often = <T>(right: T, ...wrong: T[]) =>
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(right) },
      { weight: 1, arbitrary: fc.constantFrom(...wrong) },
    );
  const flaws = fc.record({
    algorithm: fc.constantFrom('ES256' as const, 'EdDSA' as const, 'RS256' as const),
    signedBy: often<Flaws['signedBy']>(undefined, 'another', 'EdDSA', 'RS256', 'ES256'),
    client: often<Flaws['client']>(
      {},
      { crossOrigin: true },
      { topOrigin: 'https://evil.example' },
      { crossOrigin: true, topOrigin: ORIGIN },
      { tokenBinding: { status: 'supported' } },
      { tokenBinding: 'supported' },
      { tokenBinding: { status: 'other' } },
      { type: 'webauthn.create' },
      { extra: 1 },
    ),
    rpId: often('localhost', 'evil.example', ''),
    flags: often(0x05, ...Array.from({ length: 256 }, (_, flags) => flags)),
    counter: often(1, 0, 7, 0xffffffff),
    storedCounter: often(0, 1, 7),
    rest: often('', '00', EXTENSION, `${EXTENSION}00`, EXTENSION.slice(0, -2), 'ff'),
    flipped: often(0, 1, 128),
    cut: often(0, 1, 5, 40),
    rawId: often(ID, 'AAAA'),
    type: often('public-key', 'password'),
  });
  await fc.assert(
    fc.asyncProperty(flaws, async (how) => {
      const answer = answerWith(how);
      assert.deepEqual(ours(answer), await theirs(answer));
    }),
    { numRuns: 1_000 },
  );
});
