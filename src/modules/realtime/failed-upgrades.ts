import { recentlyUsed } from '../../kernel/concurrency/recently-used.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';

/** Counts an unauthenticated attempt; returns the seconds to wait if the address's allowance is exhausted. */
export type CountAnonymous = (address: string) => Promise<number | undefined>;

interface FailedUpgradeDeps {
  count: CountAnonymous;
  elapsedMs: () => number;
  onError: (error: Error) => void;
}

const MAX_ADDRESSES = 10_000;

/**
 * Counts failed upgrades against the allowance of their address: refused ones, and connections that end without having
 * signed in. Members behind one address who sign in do not affect each other.
 */
export function failedUpgrades({ count, elapsedMs, onError }: FailedUpgradeDeps) {
  const waitsUntilMs = recentlyUsed<string, number>(MAX_ADDRESSES);

  return {
    /** Returns the seconds that an address has to wait before it may connect again. */
    waitSeconds: (address: string): number =>
      Math.max(0, Math.ceil(((waitsUntilMs.get(address) ?? elapsedMs()) - elapsedMs()) / SECOND_MS)),
    note(address: string): void {
      count(address)
        .then((seconds) => {
          if (seconds !== undefined) waitsUntilMs.set(address, elapsedMs() + seconds * SECOND_MS);
        })
        .catch(onError);
    },
  };
}

export type FailedUpgrades = ReturnType<typeof failedUpgrades>;
