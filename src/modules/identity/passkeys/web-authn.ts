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

/** What a registered authenticator said of itself. */
export type Registered = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp'>;

interface WebAuthnDeps {
  challenges: PasskeyChallenges;
  /** The domain that passkeys are bound to; undefined if there are none. */
  rpId: string | undefined;
  /** The origins of the pages that may use them; undefined means all on localhost. */
  origins: string[] | undefined;
}

/**
 * The protocol of passkeys (WebAuthn level 2), by `@simplewebauthn/server` except for signatures ({@link assertions}). What it
 * refuses for whatever reason is `undefined`: an authenticator that is wrong is of no interest, only that it is.
 */
export function webAuthn({ challenges, rpId, origins }: WebAuthnDeps) {
  const rpIdOrNone = (): string => {
    if (rpId === undefined) throw serviceUnavailable('PASSKEY_RP_ID is not set');
    return rpId;
  };

  const library = lazy(loadWebAuthnLibrary);
  const { check } = assertions(rpIdOrNone);

  /** Returns the client data of an answer from one of our pages; undefined if it comes from elsewhere. */
  function ownClientData(clientDataJSON: string): ClientData | undefined {
    rpIdOrNone();
    const client = readClientData(clientDataJSON);
    const isOurs = client && (origins ? origins.includes(client.origin) : isLocal(client.origin));
    return isOurs ? client : undefined;
  }

  return {
    /** Loads the library ahead, so that no request waits for it. */
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

    /** Checks a new credential and uses its challenge up. */
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
     * Returns what the browser signed and the challenge that it answers, which the caller must spend before it verifies
     * the signature; undefined unless the challenge is one of ours, in time, and answered on one of our pages.
     */
    answered(
      response: AuthenticationResponseJSON,
    ): { client: ClientData; challenge: SpendableToken } | undefined {
      const client = ownClientData(response.response.clientDataJSON);
      const challenge = client && challenges.read(client.challenge, SIGN_IN);
      return challenge && { client, challenge };
    },

    /** Checks a signature over this client data, whose challenge the caller has spent. */
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

/** The library throws at whatever is malformed or wrong. */
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
  // A key that cannot verify would only be noticed at the first sign-in.
  if (!verified || !credentialKeyOf(registrationInfo.credential.publicKey, library)) return undefined;
  const { credential, credentialBackedUp: backedUp } = registrationInfo;
  const { id: credentialId, counter } = credential;
  return { credentialId, publicKey: Buffer.from(credential.publicKey), counter, transports, backedUp };
}

const isLocal = (origin: string): boolean => URL.canParse(origin) && new URL(origin).hostname === 'localhost';

/**
 * Certificates of authenticators were not asked for; judging one could have the server fetch addresses that it names.
 */
function isWithoutCertificate(
  attestationObject: string,
  { decodeAttestationObject, isoBase64URL }: WebAuthnLibrary,
): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}
