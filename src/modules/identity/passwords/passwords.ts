import { hash, verify } from '@node-rs/argon2';
import { serviceUnavailable } from '../../../kernel/failures.ts';

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, one lane. About 10 ms of a core each. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Prefix of hashes with the current parameters. */
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Limits of concurrent and of waiting hashes: each takes memory and a core. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 200;

/** Hashes and verifies passwords off the main thread, with bounded concurrency. */
export function passwordHasher() {
  const limit = limiter(MAX_CONCURRENT, MAX_WAITING);
  // Verified for unknown e-mails, so that timing does not reveal them.
  const decoy = hash('a password that nobody has', PARAMETERS);
  return {
    hash: (password: string): Promise<string> => limit(() => hash(password, PARAMETERS)),
    /** Returns whether a hash was made with parameters other than the current ones. */
    isOutdated: (stored: string): boolean => !stored.startsWith(PREFIX),
    /** Returns whether the password matches; without a hash, returns false after the same time. */
    verify: (stored: string | undefined, password: string): Promise<boolean> =>
      limit(async () => (await verify(stored ?? (await decoy), password)) && stored !== undefined),
  };
}

export type PasswordHasher = ReturnType<typeof passwordHasher>;

function limiter(maxConcurrent: number, maxWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= maxWaiting) throw serviceUnavailable();
    if (running >= maxConcurrent) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      return await work();
    } finally {
      // Hands the slot directly to the next waiter.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
