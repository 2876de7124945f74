import type { PlatformError } from './errors.ts';
import { tell } from './host.ts';
import type { Answer } from './operation.ts';
import type { Keeper, SignedIn, SignedOutReason, Tokens } from './signed-in.ts';
import type { Storage } from './storage.ts';

/** The tokens of a member. They are stored, so that all tabs share them, and refreshed by one tab at a time. */
export interface Session extends Keeper {
  /**
   * Replaces the tokens that contain this refused access token; deletes them if the member has to sign in again.
   */
  renew(refused: string): Promise<unknown>;
}

/** The renewal of an access token: a refresh token can be used once, so all clients of a storage exchange it together. */
const renewals: Record<string, Promise<unknown>> = {};

/** The stored values of sign-ins, by id, that the storage has not replaced or removed yet. */
const instead = new Map<string | undefined, SignedIn | undefined>();

/** `exchange` returns new tokens for a refresh token. */
export function sessionOf(
  storage: Storage,
  exchange: (body: object) => Promise<Answer>,
  onSignedOut: (reason: SignedOutReason) => void,
): Session {
  const listeners = new Set<(reason: SignedOutReason) => void>();

  /** The text read last and its parsed value, since most calls find it unchanged. */
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
    return instead.has(kept?.id) ? instead.get(kept?.id) : kept;
  }

  /** Runs also if the storage fails, because the platform no longer accepts the former tokens. */
  async function write(kept?: SignedIn, id: string | undefined = kept?.id): Promise<void> {
    instead.set(id, kept);
    await storage.set('tokens', kept && JSON.stringify(kept));
    instead.delete(id);
  }

  async function end(refused?: string, reason: SignedOutReason = 'session-ended'): Promise<void> {
    const kept = await read();
    // A sign-in or a refresh that happened meanwhile is kept.
    if (kept && (refused ?? kept.accessToken) === kept.accessToken)
      try {
        await write(undefined, kept.id);
      } finally {
        tell([...listeners, onSignedOut], reason);
      }
  }

  /** Ends a session that cannot be refreshed. @throws all but the refusal of its token */
  async function endAfter(error: PlatformError, refused: string): Promise<void> {
    const isRefused = error.code === 'INVALID_REFRESH_TOKEN';
    // Any other 401 means that the API key is wrong, so that signing in again would not help.
    if (isRefused || error.code === 'ACCOUNT_INACTIVE') await end(refused);
    if (!isRefused) throw error;
  }

  function renew(refused: string): Promise<unknown> {
    const work = async (): Promise<void> => {
      const kept = await read();
      // Another call, or another tab, may have refreshed the tokens already.
      if (kept?.accessToken === refused)
        try {
          const { data } = await exchange({ refreshToken: kept.refreshToken });
          const { accessToken, refreshToken } = { ...(data as Tokens) };
          // A sign-in or sign-out that happened meanwhile is kept.
          if (refreshToken && (await read())?.accessToken === refused)
            await write({ ...kept, accessToken, refreshToken, receivedAt: Date.now() });
        } catch (error) {
          await endAfter(error as PlatformError, refused);
        }
    };
    renewals[refused] ??= (storage.alone?.(work) ?? work()).finally(() => delete renewals[refused]);
    return renewals[refused] as Promise<unknown>;
  }

  return { storage, listeners, read, write, end, renew };
}
