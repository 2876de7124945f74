import { createPlatform, type Platform } from '../../app/platform.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, manualClock } from '../../kernel/time/time.ts';
import type { Seed } from '../../modules/seed.ts';
import { loadSandbox } from '../load-sandbox.ts';
import { newLog } from '../log.ts';
import type { completeConfig } from '../with-platform.ts';
import { apiClient } from './api-client.ts';
import { SEED_PASSWORD } from './password.ts';
import type { PlannedMember } from './plan.store.ts';

type Config = ReturnType<typeof completeConfig>;

/** Returns a generator of numbers between 0 and 1, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const historiesOf = (seeds: Seed[]) =>
  seeds.map(({ history }) => history).filter((history) => history !== undefined);

/**
 * Runs the daily histories of the modules, on a platform whose clock is set to each day. Records in order of time must
 * not precede existing ones, so the days begin after the newest of those.
 * @param seeds of the platform that runs at the present time
 */
export async function seedHistory(
  config: Config,
  { seeds, people, days }: { seeds: Seed[]; people: PlannedMember[]; days: number },
  report: (what: string) => void,
): Promise<void> {
  const newest = await Promise.all(historiesOf(seeds).map((history) => history.newest()));
  const startMs = Math.max(
    Date.now() - days * DAY_MS,
    ...newest.map((at) => (at?.getTime() ?? 0) + MINUTE_MS),
  );
  const clock = manualClock(startMs);
  const { sandbox, settings } = await paymentsOf(config);
  const platform = await createPlatform({ config: { ...config, ...settings }, log: newLog(config), clock });
  try {
    const histories = historiesOf(await loadSeeds(platform));
    const { call, signIn } = apiClient(await platform.listen(), config.credentials?.adminApiKey as string);
    const random = numbers(42);
    for (let dayMs = startMs; dayMs < Date.now() - 2 * HOUR_MS; dayMs += DAY_MS) {
      clock.set(dayMs);
      const present = people.filter(({ at }) => at.getTime() < dayMs);
      const members = present.filter(({ teaches }) => !teaches);
      const educators = present.filter(({ teaches }) => teaches);
      if (members.length === 0 || educators.length === 0) continue;
      const admin = await signIn(config.adminEmail as string, config.adminPassword as string);
      const day = {
        call,
        admin: admin.accessToken,
        educators,
        members,
        signIn: async ({ email }: { email: string }) => (await signIn(email, SEED_PASSWORD)).accessToken,
        pay,
        // Webhooks of the provider carry the real time rather than that of the platform's clock, so the provider is
        // polled.
        settlePayments: async () => {
          clock.advance(HOUR_MS);
          await platform.runJob('merchant.reconcile');
        },
        advanceClock: clock.advance,
        random,
        any: <T>(some: readonly T[]): T => some[Math.floor(random() * some.length)] as T,
      };
      for (const history of histories) await history.live(day);
    }
    for (const history of histories) report(history.summary());
  } finally {
    await platform.close();
    await sandbox.close();
  }
}

/** Loads the seeds of the modules, in the order of the modules. */
export const loadSeeds = (platform: Pick<Platform, 'seeds'>): Promise<Seed[]> =>
  Promise.all(platform.seeds.map((load) => load()));

async function pay(paymentLink: string): Promise<void> {
  const body = new URLSearchParams({ outcome: 'pay' });
  await fetch(paymentLink, { method: 'POST', body, redirect: 'manual' });
}

/** Starts a sandbox, so that no real provider is called for payments that nobody makes. */
async function paymentsOf(config: Config) {
  const { startSandbox, sandboxSettings } = await loadSandbox();
  const paymentWebhookSecret = config.credentials?.paymentWebhookSecret as string;
  const sandbox = await startSandbox({ port: 0, paymentWebhookSecret, payoutDelay: 0 });
  const withSandbox = { ...config, payment: { ...config.payment, provider: 'sandbox' as const } };
  return { sandbox, settings: sandboxSettings(sandbox, withSandbox, { paymentWebhookSecret }) };
}
