import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { lazy } from '../../../kernel/concurrency/lazy.ts';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { SpendableToken } from '../keys/spent-tokens.model.ts';
import { assertions } from './assertions.ts';
import { CHALLENGE_MS, type PasskeyChallenges } from './challenges.ts';
import { type ClientData, readClientData } from './client-data.ts';
import { ALGORITHMS, credentialKeyOf } from './credential-keys.ts';
import type { Passkey, Signer, Use } from './passkeys.model.ts';
import { loadWebAuthnLibrary, type WebAuthnLibrary } from './web-authn-library.ts';

const NAME = 'Platform';
/** The purpose of challenges for signing in and stepping up. */
const SIGN_IN = 'sign in';

/** The data of a newly registered authenticator. */
export type Registered = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>;

interface WebAuthnDeps {
  challenges: PasskeyChallenges;
  /** The domain that passkeys are bound to; undefined if there are none. */
  rpId: string | undefined;
  /** The origins of the pages that may use them; undefined means all on localhost. */
  origins: string[] | undefined;
}

/**
 * The protocol of passkeys (WebAuthn level 2), implemented by `@simplewebauthn/server` except for signatures
 * ({@link assertions}). All refusals are reported as `undefined`, because callers respond to each in the same way.
 */
export function webAuthn({ challenges, rpId, origins }: WebAuthnDeps) {
  const rpIdOrNone = (): string => {
    if (rpId === undefined) throw serviceUnavailable('PASSKEY_RP_ID is not set');
    return rpId;
  };

  const library = lazy(loadWebAuthnLibrary);
  const { check } = assertions(rpIdOrNone);

  /** Returns the client data of a response from one of our pages; undefined if it comes from another origin. */
  function ownClientData(clientDataJSON: string): ClientData | undefined {
    rpIdOrNone();
    const client = readClientData(clientDataJSON);
    const isOurs = client && (origins ? origins.includes(client.origin) : isLocal(client.origin));
    return isOurs ? client : undefined;
  }

  return {
    /** Loads the library in advance, so that no request waits for it. */
    prepare: async (): Promise<void> => {
      if (rpId !== undefined) await library();
    },

    async registrationOptions(
      { id, email, firstName, lastName }: { id: string; email: string; firstName: string; lastName: string },
      existing: Passkey[],
    ) {
      const { generateRegistrationOptions } = await library();
      return generateRegistrationOptions({
        rpName: NAME,
        rpID: rpIdOrNone(),
        userName: email,
        userID: new Uint8Array(Buffer.from(id, 'hex')),
        userDisplayName: `${firstName} ${lastName}`,
        challenge: new Uint8Array(challenges.issue(`register ${id}`)),
        timeout: CHALLENGE_MS,
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: existing.map(({ credentialId, transports }) => ({
          id: credentialId,
          transports,
        })),
        supportedAlgorithmIDs: ALGORITHMS,
      });
    },

    async signInOptions() {
      const { generateAuthenticationOptions } = await library();
      return generateAuthenticationOptions({
        rpID: rpIdOrNone(),
        challenge: new Uint8Array(challenges.issue(SIGN_IN)),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      });
    },

    /** Verifies a new credential and spends its challenge. */
    async register(userId: string, response: RegistrationResponseJSON): Promise<Registered | undefined> {
      const client = ownClientData(response.response.clientDataJSON);
      if (!client) return undefined;
      const { challenge: expectedChallenge, origin: expectedOrigin } = client;
      const expected = { expectedChallenge, expectedOrigin, expectedRPID: rpIdOrNone() };
      const loaded = await library();
      const [wasUnused, result] = await Promise.all([
        challenges.spend(expectedChallenge, `register ${userId}`),
        ifAccepted(async () => registered(response, expected, loaded)),
      ]);
      return wasUnused ? result : undefined;
    },

    /**
     * Returns the signed client data and its challenge, which the caller must spend before verifying the signature;
     * undefined unless the challenge is authentic and not expired, and the response comes from one of our pages.
     */
    answered(
      response: AuthenticationResponseJSON,
    ): { client: ClientData; challenge: SpendableToken } | undefined {
      const client = ownClientData(response.response.clientDataJSON);
      const challenge = client && challenges.read(client.challenge, SIGN_IN);
      return challenge && { client, challenge };
    },

    /** Verifies a signature over this client data, whose challenge the caller has spent. */
    async verify(
      { user, passkey }: Signer,
      response: AuthenticationResponseJSON,
      client: ClientData,
    ): Promise<Use | undefined> {
      const loaded = await library();
      return ifAccepted(async () => check({ passkey, response, client, userId: user.id }, loaded));
    },
  };
}

export type WebAuthn = ReturnType<typeof webAuthn>;

/** The library throws for malformed and for wrong responses alike. */
const ifAccepted = <T>(judge: () => Promise<T | undefined>): Promise<T | undefined> =>
  judge().catch(() => undefined);

interface Expected {
  expectedChallenge: string;
  expectedOrigin: string;
  expectedRPID: string;
}

async function registered(
  response: RegistrationResponseJSON,
  expected: Expected,
  library: WebAuthnLibrary,
): Promise<Registered | undefined> {
  const { attestationObject, transports = [] } = response.response;
  if (!isWithoutCertificate(attestationObject, library)) return undefined;
  const { verified, registrationInfo } = await library.verifyRegistrationResponse({
    response,
    ...expected,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  // A key that cannot verify signatures would otherwise be noticed only at the first sign-in.
  if (!verified || !credentialKeyOf(registrationInfo.credential.publicKey, library)) return undefined;
  const { credential, credentialBackedUp: backedUp } = registrationInfo;
  const { id: credentialId, counter } = credential;
  return { credentialId, publicKey: Buffer.from(credential.publicKey), counter, transports, backedUp };
}

const isLocal = (origin: string): boolean => URL.canParse(origin) && new URL(origin).hostname === 'localhost';

/**
 * We request no certificates of authenticators; verifying one could make the server fetch addresses that the
 * certificate names.
 */
function isWithoutCertificate(
  attestationObject: string,
  { decodeAttestationObject, isoBase64URL }: WebAuthnLibrary,
): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
