import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import {
  addPasskey,
  getPasskeyOptions,
  getPasskeySignInOptions,
  signInByPasskey,
} from '../../sdk/src/index.ts';
import type { Client } from './client.ts';

const UP = 0x01;
const UV = 0x04;
const BACKED_UP = 0x18;
const ATTESTED = 0x40;

const sha256 = (bytes: string | Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

interface Behaviour {
  origin?: string;
  rpId?: string;
  /** The signature counter to report; by default one more than before. */
  counter?: number;
  isVerified?: boolean;
  /** The number of a coordinate to leave out of the public key. */
  without?: number;
  challenge?: string;
  type?: string;
}

/** A software authenticator with one passkey, which can misbehave. */
export function authenticator({ counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const id = base64(randomBytes(32));
  let counter = 0;

  const clientData = (type: string, challenge: string, { origin, ...behaviour }: Behaviour): Buffer =>
    Buffer.from(
      JSON.stringify({
        type: behaviour.type ?? type,
        challenge: behaviour.challenge ?? challenge,
        origin: origin ?? 'http://localhost:3000',
        crossOrigin: false,
      }),
    );

  function authData(
    flags: number,
    { rpId = 'localhost', isVerified = true, ...behaviour }: Behaviour,
  ): Buffer {
    if (counts) counter = behaviour.counter ?? counter + 1;
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | UP | (isVerified ? UV : 0));
    head.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), head]);
  }

  return {
    id,
    /** Returns the response to the options for creating a passkey. */
    create(challenge: string, behaviour: Behaviour = {}) {
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]);
      if (behaviour.without !== undefined) key.delete(behaviour.without);
      const credentialId = Buffer.from(id, 'base64url');
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = [Buffer.alloc(16), length, credentialId, Buffer.from(isoCBOR.encode(key))];
      const data = Buffer.concat([authData(ATTESTED | BACKED_UP, behaviour), ...attested]);
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(data)],
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64(clientData('webauthn.create', challenge, behaviour)),
          attestationObject: base64(isoCBOR.encode(attestation as never)),
          transports: ['internal'],
        },
      };
    },
    /** Returns the response to the options for signing in with a passkey. */
    get(challenge: string, behaviour: Behaviour = {}) {
      const data = authData(BACKED_UP, behaviour);
      const client = clientData('webauthn.get', challenge, behaviour);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key' as const,
        clientExtensionResults: {},
        response: {
          clientDataJSON: base64(client),
          authenticatorData: base64(data),
          signature: base64(signature),
        },
      };
    },
  };
}

export type Authenticator = ReturnType<typeof authenticator>;

/** Requests a challenge for signing in or stepping up. */
export const newChallenge = async (client: Client): Promise<string> =>
  String((await client.call(getPasskeySignInOptions)).data.challenge);

/** Adds a passkey to the account of a client, and returns its authenticator and its id. */
export async function addKey(client: Client, made = authenticator(), name = 'A phone') {
  const { challenge } = (await client.call(getPasskeyOptions)).data;
  const body = { name, response: made.create(String(challenge)) };
  return { made, passkey: (await client.call(addPasskey, { body })).data };
}

/** Tries to sign in with the passkey of an authenticator. */
export const trySignIn = async (client: Client, made: Authenticator, behaviour: Behaviour = {}) =>
  client.attempt(signInByPasskey, {
    body: { response: made.get(await newChallenge(client), behaviour), platform: 'web', device: 'key' },
  });
