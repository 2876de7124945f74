import { hash, verify } from '@node-rs/argon2';
import { serviceUnavailable } from '../../kernel/failures.ts';

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, one lane. About 10 ms of a core each. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** How today's hashes begin. */
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** So many at once, for each takes memory and a core; so many more may wait. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 200;

/** Hashes and verifies passwords, never more than a few at a time, off the main thread. */
export function passwordHasher() {
  const limit = limiter(MAX_CONCURRENT, MAX_WAITING);
  // Verified for e-mails nobody has, so that the time taken does not tell them apart.
  const decoy = hash('a password that nobody has', PARAMETERS);
  return {
    hash: (password: string): Promise<string> => limit(() => hash(password, PARAMETERS)),
    /** Whether a hash was made with other parameters than today's. */
    isOutdated: (stored: string): boolean => !stored.startsWith(PREFIX),
    /** Whether the password is the one; false, after as long a time, when there is no hash. */
    verify: (stored: string | undefined, password: string): Promise<boolean> =>
      limit(async () => (await verify(stored ?? (await decoy), password)) && stored !== undefined),
  };
}

export type PasswordHasher = ReturnType<typeof passwordHasher>;

function limiter(mostAtOnce: number, mostWaiting: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= mostWaiting) throw serviceUnavailable();
    if (running >= mostAtOnce) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
