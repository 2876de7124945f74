import { type Clock, SECOND_MS } from '../../kernel/time/time.ts';
import { type Form, newId, type Once, secondsOf } from './requests.ts';
import type { PaymentState, Payout } from './state.ts';
import type { WebhookDelivery } from './webhooks.ts';

/** How payouts end: `hold` keeps them pending, `in_transit` makes them uncancellable. */
export const PAYOUT_ENDINGS = ['paid', 'failed', 'hold', 'in_transit'] as const;
type PayoutEnding = (typeof PAYOUT_ENDINGS)[number];
export const payoutView = (payout: Payout) => ({ ...payout, object: 'payout', livemode: false });

const isUnsettled = ({ status }: Payout): boolean => status === 'pending' || status === 'in_transit';

interface PayoutDeps {
  state: PaymentState;
  save: () => void;
  once: Once;
  webhooks: Pick<WebhookDelivery, 'send'>;
  /** Seconds after which a payout settles automatically. */
  delay: number;
  clock: Clock;
}

/** The payouts of the provider: they settle automatically, and each settlement is an event. */
export function payoutProvider({ state, save, once, webhooks, delay: firstDelay, clock }: PayoutDeps) {
  const timers = new Set<NodeJS.Timeout>();
  const settling: { ending: PayoutEnding; delay: number } = { ending: 'paid', delay: firstDelay };

  async function end(payout: Payout): Promise<void> {
    if (!isUnsettled(payout) || settling.ending === 'hold') return;
    await settle(payout, settling.ending, settling.ending === 'failed' ? 'The bank refused it' : null);
  }

  async function settle(payout: Payout, status: Payout['status'], message: string | null): Promise<void> {
    payout.status = status;
    payout.failure_message = message;
    save();
    if (status !== 'in_transit') await webhooks.send(`payout.${status}`, payoutView(payout));
  }

  const dueInMs = ({ created }: Payout): number => (created + settling.delay) * SECOND_MS - clock.now();

  function schedule(payout: Payout): void {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        void end(payout);
      },
      Math.max(0, dueInMs(payout)),
    );
    timers.add(timer);
  }

  function scheduleAll(): void {
    for (const payout of Object.values(state.payouts)) if (isUnsettled(payout)) schedule(payout);
  }
  scheduleAll();

  return {
    /** Sets the final status of a payout regardless of its state, as when a bank returns the money; on request also what was paid. */
    endSo(payout: Payout, status: Payout['status'], amount = payout.amount): Promise<void> {
      payout.amount = amount;
      return settle(payout, status, status === 'failed' ? 'The account is closed' : null);
    },

    create(key: string | undefined, form: Form): Payout | undefined {
      return once<Payout>(key, form, state.payouts, () => {
        const payout: Payout = {
          id: newId('po'),
          status: 'pending',
          amount: Number(form.amount),
          currency: form.currency as string,
          failure_message: null,
          metadata: { reference: form['metadata[reference]'] ?? '' },
          created: secondsOf(clock),
        };
        schedule(payout);
        return payout;
      });
    },

    /** Returns whether cancelling was still possible. */
    cancel(payout: Payout): boolean {
      if (payout.status !== 'pending') return false;
      payout.status = 'canceled';
      save();
      void webhooks.send('payout.canceled', payoutView(payout));
      return true;
    },

    /** Sets how payouts end from now on, and settles held ones. */
    set({ ending, delay }: { ending?: PayoutEnding; delay?: number }): void {
      settling.ending = ending ?? settling.ending;
      settling.delay = delay ?? settling.delay;
      if (ending) scheduleAll();
    },

    /** Ends the payouts that have become due because the clock was moved on. */
    async passTime(): Promise<void> {
      for (const payout of Object.values(state.payouts)) if (dueInMs(payout) <= 0) await end(payout);
    },

    close(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
