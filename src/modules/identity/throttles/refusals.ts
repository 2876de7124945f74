import type { Cache } from '../../../kernel/distributed/cache.ts';
import { type Clock, SECOND_MS } from '../../../kernel/time/time.ts';

/** Sign-ins of an account that are refused for a while, from one network. */
export interface ThrottledSignIn {
  /** The network from which they come, such as an address. */
  address: string;
  /** When the first was refused. */
  since: Date;
  /** When one is tried again. */
  until: Date;
}

/** Of an account that strangers attack from many networks, those that were refused last are kept. */
const MAX_NETWORKS = 5;

/** Remembers which sign-ins are refused at the moment, so that support need not guess. */
export function signInRefusals(cache: Cache, clock: Clock) {
  const keyOf = (email: string): string => `throttled:${email}`;

  async function of(email: string): Promise<ThrottledSignIn[]> {
    const stored = JSON.parse((await cache.get(keyOf(email))) ?? '[]') as Record<
      keyof ThrottledSignIn,
      string
    >[];
    return stored
      .map(({ address, since, until }) => ({ address, since: new Date(since), until: new Date(until) }))
      .filter(({ until }) => until.getTime() > clock.now());
  }

  return {
    /** Returns those of an account, the latest refusal first. */
    of,
    /** Of two at once one may be lost; the next one is noted again. */
    async note(email: string, address: string, retryAfterSeconds: number): Promise<void> {
      const others = await of(email);
      const before = others.find((one) => one.address === address);
      const until = new Date(clock.now() + retryAfterSeconds * SECOND_MS);
      const all = [
        { address, since: before?.since ?? clock.date(), until },
        ...others.filter((one) => one !== before),
      ].slice(0, MAX_NETWORKS);
      const last = Math.max(...all.map((one) => one.until.getTime()));
      await cache.set(keyOf(email), JSON.stringify(all), last - clock.now());
    },
  };
}
