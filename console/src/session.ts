import { getFactors, getPasskeySignInOptions, stepUp, type wire } from '@platform-api/sdk';
import { api, callConsole, sessionEndings } from './api.ts';
import { lastAction } from './last-action.ts';
import { store } from './store.ts';

/** The signed-in operator, as the server describes them. */
interface SessionDescription {
  user: { id: string; email: string; permissions: string[] };
  environment: string;
  /** Whether signing in with a passkey is possible. */
  offersPasskeys: boolean;
  version: string;
  idleSeconds: number;
  endsAt: string;
}

/** What the sign-in form needs to know about the platform. */
export type SignInOffer = Pick<SessionDescription, 'environment' | 'offersPasskeys'>;

const offerOf = ({ environment, offersPasskeys }: SignInOffer): SignInOffer => ({
  environment,
  offersPasskeys,
});

export type Session =
  | { state: 'unknown' }
  | { state: 'unreachable' }
  | ({ state: 'signed-out' } & SignInOffer)
  | SignedIn;

export type SignedIn = { state: 'signed-in' } & SessionDescription;

export const session = store<Session>({ state: 'unknown' });

/** Tells the browser's other tabs, which share the cookie, that somebody has signed in or out. */
const tabs = new BroadcastChannel('console-session');

type Answer = SessionDescription | ({ user: null } & SignInOffer);

let shownTo: string | undefined;

/** Shows the console to the operator. The result of another operator's last action is removed: it may hold a secret. */
function showTo(described: SessionDescription): void {
  if (shownTo !== described.user.id) lastAction.set(undefined);
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
  showTo(await callConsole<SessionDescription>('POST', '', proof));
  tabs.postMessage('in');
}

/**
 * Signs in with a passkey, for which the browser prompts.
 * @throws PlatformError when it is refused, DOMException when the prompt was cancelled or no passkey exists
 */
export const signInByPasskey = async (): Promise<void> => signIn({ passkey: await usedPasskey() });

/** Confirms the password again, for actions that move money or rights. @throws PlatformError when it is wrong */
export async function provePassword(password: string): Promise<void> {
  await callConsole('POST', '/proof', { password });
}

/** Confirms by a code of the authenticator app or a recovery code, likewise. @throws PlatformError when it is wrong */
export async function proveByCode(mfaCode: string): Promise<void> {
  await api.call(stepUp, { body: { mfaCode } });
}

/** The second factors that the operator has. */
export interface OwnFactors {
  totp: boolean;
  passkeys: number;
}

export const ownFactors = (): Promise<OwnFactors> => api.call(getFactors, {});

/**
 * Confirms by a passkey, for which the browser prompts.
 * @throws PlatformError when it is refused, DOMException when the prompt was cancelled or no passkey exists
 */
export async function proveByPasskey(): Promise<void> {
  await api.call(stepUp, { body: { passkey: await usedPasskey() } });
}

async function usedPasskey(): Promise<wire.PasskeyResponse> {
  const options = await api.call(getPasskeySignInOptions, {});
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as unknown as PublicKeyCredentialRequestOptionsJSON,
  );
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
  return credential.toJSON() as wire.PasskeyResponse;
}

/** Signs out in all tabs, and reloads the page to drop its data. */
export async function signOut(): Promise<string> {
  await callConsole('DELETE', '');
  tabs.postMessage('out');
  location.reload();
  return 'You are signed out.';
}

/**
 * Whether the operator has one of these permissions, or no permission is needed. This only hides entries: the server
 * decides what is allowed.
 */
export const mayDo = (current: Session, ...permissions: string[]): boolean =>
  current.state === 'signed-in' &&
  (permissions.length === 0 ||
    [...permissions, 'admin'].some((one) => current.user.permissions.includes(one)));

/**
 * Reads the session again when a response says that the sign-in has ended, and when somebody signs in or out in another
 * tab: the tabs share a cookie, so this tab's requests then count as theirs.
 */
export function watchSession(): void {
  sessionEndings.subscribe(() => void readSession());
  tabs.onmessage = () => void readSession();
}
