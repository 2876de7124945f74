import { hash, verify } from '@node-rs/argon2';
import { serviceUnavailable } from '../../../kernel/failures.ts';
import { type AnyMetric, histogram, SECONDS } from '../../../kernel/metric.ts';

/** OWASP Password Storage Cheat Sheet: argon2id, 19 MiB, two passes, one lane. About 10 ms of a core each. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Prefix of hashes with the current parameters. */
const PREFIX = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Limits of concurrent and of waiting hashes: each takes memory and a core. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 200;

/** Hashes and verifies passwords off the main thread, with bounded concurrency. */
export function passwordHasher() {
  const waits = waitingTimes();
  const limit = limiter(MAX_CONCURRENT, MAX_WAITING, waits.observe);
  // Verified for unknown e-mails, so that timing does not reveal them.
  const decoy = hash('a password that nobody has', PARAMETERS);
  return {
    hash: (password: string): Promise<string> => limit(() => hash(password, PARAMETERS)),
    /** Returns whether a hash was made with parameters other than the current ones. */
    isOutdated: (stored: string): boolean => !stored.startsWith(PREFIX),
    /** Returns whether the password matches; without a hash, returns false after the same time. */
    verify: (stored: string | undefined, password: string): Promise<boolean> =>
      limit(async () => (await verify(stored ?? (await decoy), password)) && stored !== undefined),
    metrics: [waits] satisfies AnyMetric[],
  };
}

export type PasswordHasher = ReturnType<typeof passwordHasher>;

const waitingTimes = () =>
  histogram({
    name: 'password_hash_wait_seconds',
    help: 'How long passwords waited in this process for their turn to be hashed or verified',
    group: 'Requests',
    buckets: SECONDS,
    alerts: [
      {
        name: 'SignInsWait',
        query: 'histogram_quantile(0.95, sum by (le) (rate(password_hash_wait_seconds_bucket[5m])))',
        condition: '> 1',
        minutes: 5,
        severity: 'ticket',
        means:
          'Signing in takes seconds: more passwords are tried than the processors can verify. Some sign-ins are refused with 503.',
        steps: [
          'After an outage it passes by itself. Otherwise look at who signs in (`operation` `login` in the access log): many addresses that fail are an attack, which the balancer can refuse.',
          'More processes or cores verify more passwords: two at a time in each process, about 10 ms of a core each.',
        ],
      },
    ],
  });

/** @param onWaited called with the seconds that work waited for its turn */
function limiter(maxConcurrent: number, maxWaiting: number, onWaited: (seconds: number) => void) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (waiting.length >= maxWaiting) throw serviceUnavailable();
    const sinceMs = performance.now();
    if (running >= maxConcurrent) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    onWaited((performance.now() - sinceMs) / 1000);
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
