import { PlatformError } from './errors.ts';
import { host, randomId } from './host.ts';
import type { Storage } from './storage.ts';

/** Why a member is no longer signed in. */
export type SignedOutReason = 'signed-out' | 'session-ended';

interface Kept {
  accessToken: string;
  refreshToken: string;
  /** When they came, by our own clock. */
  receivedAt: number;
  platform?: string | undefined;
  device?: string | undefined;
}

interface SessionParts {
  storage: Storage;
  /** Names the lock that the tabs of a browser share. */
  lockName: string;
  /** Exchanges a refresh token for new tokens. */
  exchange(refreshToken: string): Promise<{ accessToken: string; refreshToken: string }>;
  onSignedOut(reason: SignedOutReason): void;
}

const MIN_LIFE_MS = 60_000;

/** The tokens of a member: kept in the storage, so that all tabs have the same, and refreshed by one of them at a time. */
export interface Session {
  /** The access token as it is, also when it has expired. */
  token(): Promise<string | undefined>;
  /** An access token that does not expire within a minute. */
  freshToken(): Promise<string | undefined>;
  /** Another access token than this one, which was refused; undefined when the member has to sign in again. */
  renew(refused: string): Promise<string | undefined>;
  /** Keeps what a sign-in has answered; `asked` is what it was asked with. */
  keep(tokens: { accessToken: string; refreshToken: string }, asked?: object): Promise<void>;
  /** Forgets the tokens. */
  end(reason: SignedOutReason): Promise<void>;
  /** What this session was signed in with. */
  place(): Promise<{ platform?: string | undefined; device?: string | undefined }>;
  /** The id of this device: made once, and kept. */
  deviceId(): Promise<string>;
  /** Called whenever the session ends; returns how to stop that. */
  onEnd(listener: () => void): () => void;
}

export function sessionOf({ storage, lockName, exchange, onSignedOut }: SessionParts): Session {
  const listeners = new Set<() => void>();
  let renewing: Promise<string | undefined> | undefined;

  async function read(): Promise<Kept | undefined> {
    const text = await storage.get('tokens');
    return text ? (JSON.parse(text) as Kept) : undefined;
  }
  const write = async (kept: Kept | undefined) => storage.set('tokens', kept && JSON.stringify(kept));

  async function end(reason: SignedOutReason): Promise<void> {
    if (!(await read())) return;
    await write(undefined);
    for (const listener of [...listeners]) listener();
    onSignedOut(reason);
  }

  async function exchangeTokens(refused: string): Promise<string | undefined> {
    const kept = await read();
    // Another call, or another tab, was faster.
    if (!kept || kept.accessToken !== refused) return kept?.accessToken;
    try {
      const tokens = await exchange(kept.refreshToken);
      // Who has signed in or out meanwhile keeps that.
      if ((await read())?.accessToken !== refused) return (await read())?.accessToken;
      await write({ ...kept, ...tokens, receivedAt: Date.now() });
      return tokens.accessToken;
    } catch (error) {
      if (!(error instanceof PlatformError) || error.status !== 401) throw error;
      await end('session-ended');
      return undefined;
    }
  }

  /** A refresh token can be used once: two at a time would end the session. */
  function renew(refused: string): Promise<string | undefined> {
    const locks = host.navigator?.locks;
    renewing ??= (
      locks ? locks.request(lockName, () => exchangeTokens(refused)) : exchangeTokens(refused)
    ).finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  return {
    renew,
    end,
    token: async () => (await read())?.accessToken,
    async freshToken() {
      const kept = await read();
      if (!kept) return undefined;
      const isOld = Date.now() > kept.receivedAt + lifeMsOf(kept.accessToken) - MIN_LIFE_MS;
      return isOld ? renew(kept.accessToken) : kept.accessToken;
    },
    async keep({ accessToken, refreshToken }, asked) {
      const { platform, device } = (asked ?? {}) as Kept;
      await write({ accessToken, refreshToken, receivedAt: Date.now(), platform, device });
    },
    async place() {
      const { platform, device } = (await read()) ?? {};
      return { platform, device };
    },
    async deviceId() {
      const known = await storage.get('device');
      const id = known ?? randomId();
      if (!known) await storage.set('device', id);
      return id;
    },
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** How long a token is valid, by its own times, so that a wrong clock of the device does not matter. */
function lifeMsOf(token: string): number {
  try {
    const part = (token.split('.')[1] as string).replace(/-/g, '+').replace(/_/g, '/');
    const { exp, iat } = JSON.parse(host.atob?.(part) as string) as { exp: number; iat: number };
    return (exp - iat) * 1_000;
  } catch {
    return 15 * 60_000;
  }
}
