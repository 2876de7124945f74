import type { PlatformError } from './errors.ts';
import { tell } from './host.ts';
import type { Answer } from './operation.ts';
import type { Keeper, SignedIn, SignedOutReason, Tokens } from './signed-in.ts';
import type { Storage } from './storage.ts';

/** The tokens of a member: kept in the storage, so that all tabs have the same, and refreshed by one of them at a time. */
export interface Session extends Keeper {
  /**
   * Brings other tokens in place of those with this access token, which was refused; forgets them where the member has to
   * sign in again.
   */
  renew(refused: string): Promise<unknown>;
}

/** The renewal of an access token: a refresh token can be used once, so all clients of a storage exchange it together. */
const renewals: Record<string, Promise<unknown>> = {};

/** The stored values of sign-ins, by id, that the storage has not replaced or removed yet. */
const instead = new Map<string | undefined, SignedIn | undefined>();

/** `exchange` gives new tokens for a refresh token. */
export function sessionOf(
  storage: Storage,
  exchange: (body: object) => Promise<Answer>,
  onSignedOut: (reason: SignedOutReason) => void,
): Session {
  const listeners = new Set<(reason: SignedOutReason) => void>();

  /** What was read last, which most calls find unchanged. */
  let text: unknown;
  let kept: SignedIn | undefined;

  async function read(): Promise<SignedIn | undefined> {
    const present = await storage.get('tokens');
    if (present !== text) {
      text = present;
      try {
        kept = JSON.parse(present || '');
      } catch {
        // A missing or foreign value means that nobody is signed in.
        kept = undefined;
      }
    }
    return kept && instead.has(kept.id) ? instead.get(kept.id) : kept;
  }

  /** Also where the storage fails: the platform does not take the former tokens any more. */
  async function write(kept?: SignedIn, id: string | undefined = kept?.id): Promise<void> {
    instead.set(id, kept);
    await storage.set('tokens', kept && JSON.stringify(kept));
    instead.delete(id);
  }

  async function end(refused?: string, reason: SignedOutReason = 'session-ended'): Promise<void> {
    const kept = await read();
    // A sign-in or a renewal of the tokens in the meantime is kept.
    if (kept && (refused ?? kept.accessToken) === kept.accessToken)
      try {
        await write(undefined, kept.id);
      } finally {
        tell([...listeners, onSignedOut], reason);
      }
  }

  function renew(refused: string): Promise<unknown> {
    const work = async (): Promise<void> => {
      const kept = await read();
      // Unless another call, or another tab, was faster.
      if (kept?.accessToken === refused)
        try {
          const { data } = await exchange({ refreshToken: kept.refreshToken });
          const { accessToken, refreshToken } = { ...(data as Tokens) };
          // A sign-in or sign-out in the meantime is kept.
          if (refreshToken && (await read())?.accessToken === refused)
            await write({ ...kept, accessToken, refreshToken, receivedAt: Date.now() });
        } catch (error) {
          // Another 401 says that the API key is wrong, which the member cannot help.
          if ((error as PlatformError).code !== 'INVALID_REFRESH_TOKEN') throw error;
          await end(refused);
        }
    };
    renewals[refused] ??= (storage.alone?.(work) ?? work()).finally(() => delete renewals[refused]);
    return renewals[refused];
  }

  return { storage, read, renew, end, write, listeners };
}
