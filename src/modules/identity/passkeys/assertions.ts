import { hash, verify } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { lazy } from '../../../kernel/concurrency/lazy.ts';
import { recentlyUsed } from '../../../kernel/concurrency/recently-used.ts';
import type { ClientData } from './client-data.ts';
import { type CredentialKey, credentialKeyOf } from './credential-keys.ts';
import type { SigningPasskey, Use } from './passkeys.model.ts';
import type { WebAuthnLibrary } from './web-authn-library.ts';

/** Maximum number of public keys that are cached in parsed form; 2 KB each. */
const MAX_KEYS = 5_000;

const TOKEN_BINDING_STATES: unknown[] = ['present', 'supported', 'notSupported'];

/** The response of an authenticator to request options, and the data to verify it. */
interface Assertion {
  passkey: SigningPasskey;
  response: AuthenticationResponseJSON;
  /** The client data of the response. */
  client: ClientData;
  /** The member whose passkey it is, as 24 hexadecimal characters. */
  userId: string;
}

/**
 * Verifies the response to request options (WebAuthn level 2, section 7.2), except for the challenge and the
 * origin, which the caller has checked in the client data. `@simplewebauthn/server` does the same in six times the
 * time, because it imports the key each time and switches threads four times. A test compares the verdicts.
 */
export function assertions(rpIdOf: () => string) {
  const expectedRpIdHash = lazy(() => hash('sha256', rpIdOf(), 'buffer'));
  const keys = recentlyUsed<string, CredentialKey>(MAX_KEYS);

  function keyOf(publicKey: Buffer, library: WebAuthnLibrary): CredentialKey | undefined {
    const bytes = publicKey.toString('latin1');
    let key = keys.get(bytes);
    if (!key) {
      key = credentialKeyOf(publicKey, library);
      if (key) keys.set(bytes, key);
    }
    return key;
  }

  return {
    /**
     * Returns the changes that a valid response makes to its passkey; undefined for an invalid one.
     * @throws if it is malformed
     */
    check({ passkey, response, client, userId }: Assertion, library: WebAuthnLibrary): Use | undefined {
      const { authenticatorData, clientDataJSON, signature, userHandle } = response.response;
      // Step 6: the owner, if the authenticator names one.
      const isOwners = userHandle === undefined || decoded(userHandle).toString('hex') === userId;
      // Step 7 and section 5.1: the credential.
      const { id, rawId, type } = response;
      if (!isOwners || id !== passkey.credentialId || rawId !== id || type !== 'public-key') return undefined;
      // Steps 11 and 14: the client data.
      if (client.type !== 'webauthn.get' || isFramed(client) || !isTokenBinding(client.tokenBinding))
        return undefined;
      // Steps 15 to 18: the authenticator data, which may contain extensions and nothing else.
      const bytes = decoded(authenticatorData);
      const { rpIdHash, flags, counter } = library.parseAuthenticatorData(new Uint8Array(bytes));
      const isOurs = expectedRpIdHash().equals(rpIdHash);
      if (!isOurs || !flags.up || !flags.uv || (flags.bs && !flags.be)) return undefined;
      // Step 21: the counter.
      if (counter <= passkey.counter && (counter > 0 || passkey.counter > 0)) return undefined;
      // Steps 19 and 20: the signature.
      const signed = Buffer.concat([bytes, hash('sha256', decoded(clientDataJSON), 'buffer')]);
      const credential = keyOf(passkey.publicKey, library);
      const isSigned = credential && verify(credential.digest, signed, credential.key, decoded(signature));
      return isSigned ? { id: passkey.id, counter, backedUp: flags.bs } : undefined;
    },
  };
}

const decoded = (text: string): Buffer => Buffer.from(text, 'base64url');

/** Whether the page was embedded in a page of another origin, as reported by browsers that support `topOrigin`. */
const isFramed = ({ topOrigin }: ClientData): boolean => Boolean(topOrigin);

/** Whether the state of the token binding is absent or one that is defined (level 2, section 5.8.1). */
const isTokenBinding = (binding: unknown): boolean =>
  !binding ||
  (typeof binding === 'object' && TOKEN_BINDING_STATES.includes((binding as { status?: unknown }).status));
