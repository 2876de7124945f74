import { afterEach, beforeEach } from 'node:test';

/** The default behaviour of the sandbox's stand-ins. */
const USUAL = {
  payments: {
    mode: 'ok',
    webhooks: true,
    webhookPause: 1000,
    payouts: 'paid',
    payoutDelay: 3600,
    failing: [] as string[],
    withoutReversals: false,
  },
  charting: { mode: 'ok', delay: 0 },
  backoffice: { mode: 'ok' },
  mail: { mode: 'ok' },
  prices: { mode: 'ok' },
  push: { mode: 'ok' },
  schedule: { mode: 'ok' },
  storage: { mode: 'ok' },
  wallet: { mode: 'ok' },
  webhooks: { mode: 'ok' },
};

export type StandIn = keyof typeof USUAL;

/**
 * Controls the stand-ins of a sandbox. Changes made within a test are reverted when it ends, even if it fails, so that
 * it does not make other tests fail. Changes made outside of tests hold for all tests of the file.
 */
export function standIns(sandboxUrl: string) {
  const usual: Record<StandIn, Record<string, unknown>> = structuredClone(USUAL);
  const changed = new Map<StandIn, Set<string>>();
  let isBeforeTests = true;

  async function tell(name: StandIn, control: object): Promise<void> {
    const body = JSON.stringify(control);
    const headers = { 'content-type': 'application/json' };
    const { status } = await fetch(`${sandboxUrl}/control/${name}`, { method: 'POST', headers, body });
    if (status >= 300) throw new Error(`${name} answered ${status} to ${body}`);
  }

  beforeEach(() => {
    isBeforeTests = false;
  });
  afterEach(async () => {
    const all = [...changed];
    changed.clear();
    for (const [name, keys] of all)
      await tell(name, Object.fromEntries([...keys].map((key) => [key, usual[name][key]])));
  });

  return async (name: StandIn, control: Record<string, unknown>): Promise<void> => {
    if (isBeforeTests) Object.assign(usual[name], control);
    else changed.set(name, new Set([...(changed.get(name) ?? []), ...Object.keys(control)]));
    await tell(name, control);
  };
}
