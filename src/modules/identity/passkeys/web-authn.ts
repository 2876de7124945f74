import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import {
  cose,
  decodeAttestationObject,
  decodeClientDataJSON,
  decodeCredentialPublicKey,
  isoBase64URL,
} from '@simplewebauthn/server/helpers';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import type { SpendableToken } from '../keys/spent-tokens.model.ts';
import { CHALLENGE_MS, type PasskeyChallenges } from './challenges.ts';
import type { Passkey, SigningPasskey, Use } from './passkeys.model.ts';

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
 * The protocol of passkeys (WebAuthn level 2), by `@simplewebauthn/server`. What it refuses for whatever reason is
 * `undefined`: an authenticator that is wrong is of no interest, only that it is.
 */
export function webAuthn({ challenges, rpId, origins }: WebAuthnDeps) {
  const rpIdOrNone = (): string => {
    if (rpId === undefined) throw serviceUnavailable('PASSKEY_RP_ID is not set');
    return rpId;
  };

  /** Returns what an answer from one of our pages must match; undefined if it comes from elsewhere. */
  function expectedOf(clientDataJSON: string): Expected | undefined {
    const expectedRPID = rpIdOrNone();
    const client = readClient(clientDataJSON);
    const isOurs = client && (origins ? origins.includes(client.origin) : isLocal(client.origin));
    return isOurs
      ? { expectedChallenge: client.challenge, expectedOrigin: client.origin, expectedRPID }
      : undefined;
  }

  return {
    registrationOptions: (
      { id, email, firstName, lastName }: { id: string; email: string; firstName: string; lastName: string },
      existing: Passkey[],
    ) =>
      generateRegistrationOptions({
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
      }),

    signInOptions: () =>
      generateAuthenticationOptions({
        rpID: rpIdOrNone(),
        challenge: new Uint8Array(challenges.issue(SIGN_IN)),
        timeout: CHALLENGE_MS,
        userVerification: 'required',
      }),

    /** Checks a new credential and uses its challenge up. */
    async register(userId: string, response: RegistrationResponseJSON): Promise<Registered | undefined> {
      const expected = expectedOf(response.response.clientDataJSON);
      if (!expected) return undefined;
      const [wasUnused, result] = await Promise.all([
        challenges.spend(expected.expectedChallenge, `register ${userId}`),
        ifAccepted(registered(response, expected)),
      ]);
      return wasUnused ? result : undefined;
    },

    /**
     * Returns the challenge that a signature answers, which the caller must spend; undefined unless it is one of ours, in
     * time, and answered on one of our pages.
     */
    challengeOf(response: AuthenticationResponseJSON): SpendableToken | undefined {
      const expected = expectedOf(response.response.clientDataJSON);
      return expected && challenges.read(expected.expectedChallenge, SIGN_IN);
    },

    /** Checks a signature of this passkey, whose challenge the caller has spent. */
    async verify(passkey: SigningPasskey, response: AuthenticationResponseJSON): Promise<Use | undefined> {
      const expected = expectedOf(response.response.clientDataJSON);
      return expected && ifAccepted(used(passkey, response, expected));
    },
  };
}

export type WebAuthn = ReturnType<typeof webAuthn>;

const { COSEALG, COSEKEYS } = cose;
/** What every authenticator supports: ES256, EdDSA and RS256. */
const ALGORITHMS = [COSEALG.ES256, COSEALG.EdDSA, COSEALG.RS256];

/** The library throws at whatever is malformed or wrong. */
const ifAccepted = <T>(judged: Promise<T | undefined>): Promise<T | undefined> =>
  judged.catch(() => undefined);

interface Expected {
  expectedChallenge: string;
  expectedOrigin: string;
  expectedRPID: string;
}

async function registered(
  response: RegistrationResponseJSON,
  expected: Expected,
): Promise<Registered | undefined> {
  const { attestationObject, transports = [] } = response.response;
  if (!isWithoutCertificate(attestationObject)) return undefined;
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    ...expected,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  });
  if (!verified || !isComplete(registrationInfo.credential.publicKey)) return undefined;
  const { credential, credentialBackedUp: backedUp } = registrationInfo;
  const { id: credentialId, counter } = credential;
  return { credentialId, publicKey: Buffer.from(credential.publicKey), counter, transports, backedUp };
}

async function used(
  { id, credentialId, publicKey, counter }: SigningPasskey,
  response: AuthenticationResponseJSON,
  expected: Expected,
): Promise<Use | undefined> {
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    ...expected,
    requireUserVerification: true,
    credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter },
  });
  const { newCounter, credentialBackedUp: backedUp } = authenticationInfo;
  return verified ? { id, counter: newCounter, backedUp } : undefined;
}

/** Returns what the browser has signed; undefined if it is malformed. */
function readClient(clientDataJSON: string): { challenge: string; origin: string } | undefined {
  try {
    const { challenge, origin } = decodeClientDataJSON(clientDataJSON);
    return typeof challenge === 'string' && typeof origin === 'string' ? { challenge, origin } : undefined;
  } catch {
    return undefined;
  }
}

const isLocal = (origin: string): boolean => URL.canParse(origin) && new URL(origin).hostname === 'localhost';

/**
 * Certificates of authenticators were not asked for; judging one could have the server fetch addresses that it names.
 */
function isWithoutCertificate(attestationObject: string): boolean {
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** A key without coordinates would only be noticed at the first sign-in. */
function isComplete(publicKey: Uint8Array<ArrayBuffer>): boolean {
  const key = decodeCredentialPublicKey(publicKey);
  if (cose.isCOSEPublicKeyEC2(key)) return isLong(key.get(COSEKEYS.x), 32) && isLong(key.get(COSEKEYS.y), 32);
  if (cose.isCOSEPublicKeyOKP(key)) return isLong(key.get(COSEKEYS.x), 32);
  return cose.isCOSEPublicKeyRSA(key) && isLong(key.get(COSEKEYS.n), 256) && isLong(key.get(COSEKEYS.e), 1);
}

const isLong = (bytes: unknown, least: number): boolean =>
  bytes instanceof Uint8Array && bytes.length >= least;
