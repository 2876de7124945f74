import type { PlatformError } from './errors.ts';
import { host, tell } from './host.ts';
import type { Keeper, SignedIn, Tokens } from './kept.ts';
import type { Storage } from './storage.ts';

/** Why a member is no longer signed in; `replaced`: another tab has signed in anew. */
export type SignedOutReason = 'signed-out' | 'session-ended' | 'replaced';

/** The tokens of a member: kept in the storage, so that all tabs have the same, and refreshed by one of them at a time. */
export interface Session extends Keeper {
  /** What is kept; undefined unless somebody is signed in. */
  read(): Promise<SignedIn | undefined>;
  /** The access token as it is, also when it has expired. */
  token(): Promise<string | undefined>;
  /** Another access token than this one, which was refused; undefined when the member has to sign in again. */
  renew(refused: string): Promise<string | undefined>;
  /** Forgets the tokens: all, or, unless they have been replaced meanwhile, those with this access token. */
  end(reason: SignedOutReason, refused?: string): Promise<void>;
  /** Called whenever a sign-in ends, or is followed by another; returns how to stop that. */
  onEnd(listener: (reason: SignedOutReason) => void): () => void;
  /** Calls those listeners. */
  announce(reason: SignedOutReason): void;
}

interface Parts {
  storage: Storage;
  /** Names the lock that the tabs of a browser share. */
  lockName: string;
  /** Exchanges a refresh token for new tokens. */
  exchange(refreshToken: string): Promise<Tokens>;
  onSignedOut(reason: SignedOutReason): void;
}

/** What all clients of a storage have in common. */
interface Shared {
  /** A refresh token can be used once, so they exchange it together. */
  renewal?: Promise<string | undefined> | undefined;
  /** New tokens that the storage could not keep: the platform does not take the ones that they replace any more. */
  unsaved?: { replaces: string; kept: SignedIn };
}

const sharedBy = new WeakMap<Storage, Shared>();

export function sessionOf({ storage, lockName, exchange, onSignedOut }: Parts): Session {
  const shared: Shared = sharedBy.get(storage) ?? {};
  sharedBy.set(storage, shared);
  const listeners = new Set<(reason: SignedOutReason) => void>();
  /** The sign-in that has ended, even if the storage could not forget it. */
  let endedId = '';
  async function read(): Promise<SignedIn | undefined> {
    const text = await storage.get('tokens');
    try {
      const kept = JSON.parse(text as string) as SignedIn;
      if (kept.id === endedId) return undefined;
      return kept.accessToken === shared.unsaved?.replaces ? shared.unsaved.kept : kept;
    } catch {
      // Nothing, or nothing of ours: as if nobody were signed in.
      return undefined;
    }
  }
  const token = async () => (await read())?.accessToken;

  const write = async (kept: SignedIn | undefined) => storage.set('tokens', kept && JSON.stringify(kept));

  function announce(reason: SignedOutReason): void {
    for (const listener of [...listeners]) tell(listener, reason);
  }

  async function end(reason: SignedOutReason, refused?: string): Promise<void> {
    const kept = await read();
    // Who has signed in, or renewed the tokens, meanwhile keeps that.
    if (!kept || (refused ?? kept.accessToken) !== kept.accessToken) return;
    endedId = kept.id;
    try {
      await write(undefined);
    } finally {
      announce(reason);
      tell(onSignedOut, reason);
    }
  }

  async function exchangeTokens(refused: string): Promise<string | undefined> {
    const kept = await read();
    // Another call, or another tab, was faster.
    if (kept?.accessToken !== refused) return kept?.accessToken;
    try {
      const { accessToken, refreshToken } = await exchange(kept.refreshToken);
      // Who has signed in or out meanwhile keeps that.
      if ((await token()) === refused) {
        const renewed = { ...kept, accessToken, refreshToken, receivedAt: Date.now() };
        shared.unsaved = { replaces: refused, kept: renewed };
        await write(renewed);
      }
    } catch (error) {
      // Another 401 says that the API key is wrong, which the member cannot help.
      if ((error as PlatformError).code !== 'INVALID_REFRESH_TOKEN') throw error;
      await end('session-ended', refused);
    }
    return token();
  }

  function renew(refused: string): Promise<string | undefined> {
    const { locks } = host.navigator ?? {};
    const work = () => exchangeTokens(refused);
    shared.renewal ??= (locks ? locks.request(lockName, work) : work()).finally(() => {
      shared.renewal = undefined;
    });
    return shared.renewal;
  }

  return {
    storage,
    read,
    token,
    renew,
    end,
    write,
    announce,
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
