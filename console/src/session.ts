import { getFactors, getPasskeySignInOptions, stepUp, type wire } from '@platform-api/sdk';
import { api, callConsole, endings } from './api.ts';
import { done } from './done.ts';
import { store } from './store.ts';

/** Who is signed in to the console, as the server says. */
interface Described {
  user: { id: string; email: string; permissions: string[] };
  environment: string;
  /** Whether one can sign in by a passkey. */
  offersPasskeys: boolean;
  version: string;
  idleSeconds: number;
  endsAt: string;
}

/** What the sign-in needs to know of the platform. */
export type SignInOffer = Pick<Described, 'environment' | 'offersPasskeys'>;

const offerOf = ({ environment, offersPasskeys }: SignInOffer): SignInOffer => ({
  environment,
  offersPasskeys,
});

export type Session =
  | { state: 'unknown' }
  | { state: 'unreachable' }
  | ({ state: 'signed-out' } & SignInOffer)
  | SignedIn;

export type SignedIn = { state: 'signed-in' } & Described;

export const session = store<Session>({ state: 'unknown' });

/** Tells the other tabs of this browser, which have the same cookie, that somebody has signed in or out. */
const tabs = new BroadcastChannel('console-session');

type Answer = Described | ({ user: null } & SignInOffer);

let shownTo: string | undefined;

/** Shows the console to whoever is signed in; what was last done by another is not for them, such as a secret shown once. */
function showTo(described: Described): void {
  if (shownTo !== described.user.id) done.set(undefined);
  shownTo = described.user.id;
  session.set({ state: 'signed-in', ...described });
}

/** Asks the server who is signed in; the browser cannot read its cookie. */
export async function readSession(): Promise<void> {
  try {
    const described = await callConsole<Answer>('GET', '');
    if (described.user) showTo(described);
    else session.set({ state: 'signed-out', ...offerOf(described) });
  } catch {
    if (session.get().state === 'unknown') session.set({ state: 'unreachable' });
  }
}

/** @throws PlatformError when the sign-in is refused */
export async function signIn(
  proof: { email: string; password: string; mfaCode?: string } | { passkey: wire.PasskeyResponse },
): Promise<void> {
  showTo(await callConsole<Described>('POST', '', proof));
  tabs.postMessage('in');
}

/**
 * Signs in by a passkey, which the browser asks for.
 * @throws PlatformError when it is refused, DOMException when the browser was given none
 */
export const signInByPasskey = async (): Promise<void> => signIn({ passkey: await usedPasskey() });

/** Enters the password again, for acts that move money or rights. @throws PlatformError when it is wrong */
export async function provePassword(password: string): Promise<void> {
  await callConsole('POST', '/proof', { password });
}

/** Enters a code of the authenticator app, or a recovery code, for the same acts. @throws PlatformError when it is wrong */
export async function proveByCode(mfaCode: string): Promise<void> {
  await api.call(stepUp, { body: { mfaCode } });
}

/** What the operator can confirm with, of several. */
export interface OwnFactors {
  totp: boolean;
  passkeys: number;
}

export const ownFactors = (): Promise<OwnFactors> => api.call(getFactors, {});

/**
 * Confirms by a passkey, which the browser asks for.
 * @throws PlatformError when it is refused, DOMException when the browser was given none
 */
export async function proveByPasskey(): Promise<void> {
  await api.call(stepUp, { body: { passkey: await usedPasskey() } });
}

async function usedPasskey(): Promise<wire.PasskeyResponse> {
  const options = await api.call(getPasskeySignInOptions, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const given = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  return given.toJSON() as wire.PasskeyResponse;
}

/** Signs out here, and forgets what was shown. */
export async function signOut(): Promise<string> {
  await callConsole('DELETE', '');
  tabs.postMessage('out');
  location.reload();
  return 'You are signed out.';
}

/**
 * Whether the member may do what asks for one of these permissions, or for none; the server decides, this only hides
 * entries.
 */
export const mayDo = (current: Session, ...permissions: string[]): boolean =>
  current.state === 'signed-in' &&
  (permissions.length === 0 ||
    [...permissions, 'admin'].some((one) => current.user.permissions.includes(one)));

/**
 * Looks again whenever an answer says that the sign-in has ended, and when somebody has signed in or out in another tab:
 * from then on what this tab sends counts as theirs.
 */
export function watchSession(): void {
  endings.subscribe(() => void readSession());
  tabs.onmessage = () => void readSession();
}
