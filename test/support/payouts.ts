// The rules of payouts on a real database, around a provider that answers as a test wants it.
import assert from 'node:assert/strict';
import { beforeEach } from 'node:test';
import type { PaymentProvider, PayoutState } from '../../src/external/payment/port.ts';
import type { Failure } from '../../src/kernel/failures.ts';
import { idMaker } from '../../src/kernel/ids.ts';
import { systemClock } from '../../src/kernel/time/time.ts';
import type { PayoutDecision } from '../../src/modules/merchant/contract.ts';
import type { Payout } from '../../src/modules/merchant/payouts.model.ts';
import { payoutStore } from '../../src/modules/merchant/payouts.store.ts';
import { payoutRules } from '../../src/modules/merchant/payouts.ts';
import { ownDatabase } from './own-database.ts';

const CLOCK = systemClock;
const newId = idMaker(CLOCK);

type Provider = Pick<PaymentProvider, 'createPayout' | 'payout' | 'payoutOf' | 'cancelPayout'>;

export const outcomeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (result) => result,
    ({ code, message }: Failure) => code ?? message,
  );

export const decision = (id: string, outcome: PayoutDecision['outcome'] = 'paid'): PayoutDecision => ({
  id,
  outcome,
  reason: 'by hand',
  isOperators: false,
  details: { by: 'ada' },
});

export const state = (
  status: PayoutState['status'],
  payoutId = 'po_1',
  reason: string | null = null,
): PayoutState => ({
  payoutId,
  reference: '',
  cents: 900,
  currency: 'usd',
  status,
  reason,
});

/** Opens a database for the payouts of this test file; each test begins without any. */
export async function payoutScene() {
  const { database } = await ownDatabase();
  // The provider's names of payouts are unique.
  beforeEach(() => database.execute('delete from merchant.payout'));
  const store = payoutStore(database);

  /** Makes the rules around a provider; keeps what is enqueued, published and alerted. */
  function payingBy(provider: Partial<Provider> | undefined) {
    const [jobs, events, alerts]: [object[], object[], string[]] = [[], [], []];
    const rules = payoutRules({
      provider: provider as PaymentProvider | undefined,
      store,
      database,
      events: { publish: async (_tx: unknown, _kind: unknown, data: object) => events.push(data) } as never,
      jobs: { enqueue: async (_tx: unknown, _kind: unknown, data: object[]) => jobs.push(...data) } as never,
      clock: CLOCK,
      newId,
      alertOperators: async (_tx, { action }) => alerts.push(action) > 0,
    });
    return { ...rules, jobs, events, alerts };
  }
  type Rules = ReturnType<typeof payingBy>;

  let requests = 0;
  /** Requests a payout and returns its reference; `given` sets its columns. */
  async function requested({ request }: Rules, given: Partial<Payout> = {}): Promise<string> {
    const reference = `reference ${++requests}`;
    await database.transaction((tx) => request(tx, { reference, userId: newId(), cents: 900 }));
    await database.execute(
      `update merchant.payout set status = $2, provider_id = $3, ending = $4, decision_id = $5, decision = $6,
         mispaid = $7
       where reference = $1`,
      [
        reference,
        given.status ?? 'queued',
        given.providerId ?? null,
        given.ending ?? null,
        given.decisionId ?? null,
        given.decisionId ? JSON.stringify({ by: 'ada' }) : null,
        given.mispaid ?? false,
      ],
    );
    return reference;
  }
  const find = async (reference: string): Promise<Payout> => (await store.find(reference)) ?? assert.fail();
  const brief = async (reference: string) => {
    const { status, providerId, reason, decisionId } = await find(reference);
    return [status, providerId, reason, decisionId];
  };

  /** Decides; returns the outcome, and how many times the rest of the decision was carried out. */
  async function decide({ decide }: Rules, reference: string, made: PayoutDecision) {
    let also = 0;
    const outcome = await outcomeOf(
      decide(reference, made, async () => {
        also++;
      }),
    );
    return [outcome, also];
  }

  return { database, store, newId, payingBy, requested, find, brief, decide };
}
