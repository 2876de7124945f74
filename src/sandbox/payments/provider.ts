import { randomBytes } from 'node:crypto';
import { type Payout, paymentState, type Session } from './state.ts';
import { webhookDelivery } from './webhooks.ts';

export interface ProviderOptions {
  webhookSecret: string;
  /** Seconds after which a payout settles automatically. */
  payoutDelay: number;
  /** The file that stores its state; in memory when missing. */
  stateFile?: string;
  /** Called at each step, for tests that interrupt between two. */
  onStep?: (step: string) => void;
  /** Returns its base URL, once it listens. */
  ownUrl: () => string;
}

/** How payouts end: `hold` keeps them pending, `in_transit` makes them uncancellable. */
export type PayoutEnding = 'paid' | 'failed' | 'hold' | 'in_transit';
/** The fields of a form, as received. */
export type Form = Record<string, string>;

const DAY_S = 24 * 3600;
const SWEEP_MS = 30_000;

const newId = (prefix: string): string => `${prefix}_sandbox_${randomBytes(12).toString('hex')}`;
const now = (): number => Math.floor(Date.now() / 1000);

export const sessionView = ({ description: _, amount_refunded: __, ...session }: Session) => ({
  ...session,
  object: 'checkout.session',
  mode: 'payment',
  livemode: false,
});
export const payoutView = (payout: Payout) => ({ ...payout, object: 'payout', livemode: false });

const isUnsettled = ({ status }: Payout): boolean => status === 'pending' || status === 'in_transit';

export const isOpen = ({ status, expires_at: until }: Session): boolean => status === 'open' && until > now();

/**
 * Returns the logic of a payment provider: sessions that are paid or not, payouts that settle automatically, and events
 * about both.
 */
export function paymentProvider(options: ProviderOptions) {
  const { state, save } = paymentState(options.stateFile);
  const step = options.onStep ?? (() => undefined);
  const webhooks = webhookDelivery({ state, save, secret: options.webhookSecret, newId, step });
  const timers = new Set<NodeJS.Timeout>();
  const payouts: { ending: PayoutEnding; delay: number } = { ending: 'paid', delay: options.payoutDelay };

  async function endPayout(payout: Payout): Promise<void> {
    if (!isUnsettled(payout) || payouts.ending === 'hold') return;
    await setPayout(payout, payouts.ending, payouts.ending === 'failed' ? 'The bank refused it' : null);
  }

  async function setPayout(payout: Payout, status: Payout['status'], message: string | null): Promise<void> {
    payout.status = status;
    payout.failure_message = message;
    save();
    if (status !== 'in_transit') await webhooks.send(`payout.${status}`, payoutView(payout));
  }

  function schedule(payout: Payout): void {
    const inMs = Math.max(0, payout.created + payouts.delay - Date.now() / 1000) * 1000;
    const timer = setTimeout(() => {
      timers.delete(timer);
      void endPayout(payout);
    }, inMs);
    timers.add(timer);
  }

  function scheduleAll(): void {
    for (const payout of Object.values(state.payouts)) if (isUnsettled(payout)) schedule(payout);
  }
  scheduleAll();

  async function expire(session: Session): Promise<void> {
    if (session.status !== 'open') return;
    session.status = 'expired';
    save();
    await webhooks.send('checkout.session.expired', sessionView(session));
  }
  const sweeping = setInterval(() => {
    for (const session of Object.values(state.sessions))
      if (session.expires_at <= now()) void expire(session);
  }, SWEEP_MS).unref();

  /**
   * Creates an object once per key. Returns the existing one for the same request, undefined for a different request.
   */
  function once<T extends { id: string }>(
    key: string | undefined,
    form: Form,
    known: Record<string, T>,
    make: () => T,
  ): T | undefined {
    const asked = JSON.stringify(form);
    const before = key === undefined ? undefined : state.answers[key];
    if (before) return before.asked === asked ? known[before.id] : undefined;
    const made = make();
    known[made.id] = made;
    if (key !== undefined) state.answers[key] = { asked, id: made.id };
    save();
    return made;
  }

  return {
    state,
    step,
    webhooks,
    expire,

    openSession(key: string | undefined, form: Form): Session | undefined {
      return once<Session>(key, form, state.sessions, () => {
        const id = newId('cs');
        const price = 'line_items[0][price_data]';
        return {
          id,
          url: `${options.ownUrl()}/pay/${id}`,
          status: 'open',
          payment_status: 'unpaid',
          payment_intent: null,
          amount_total: Number(form['line_items[0][quantity]']) * Number(form[`${price}[unit_amount]`]),
          currency: form[`${price}[currency]`] as string,
          description: form[`${price}[product_data][name]`] as string,
          success_url: form.success_url as string,
          cancel_url: form.cancel_url as string,
          client_reference_id: form.client_reference_id ?? null,
          amount_refunded: 0,
          created: now(),
          expires_at: now() + DAY_S,
        };
      });
    },

    /** Completes a session with the payer's choice; resolves once the platform was notified or found unreachable. */
    async act(session: Session, outcome: 'pay' | 'decline'): Promise<void> {
      const isPaid = outcome === 'pay';
      const payment_status = isPaid ? ('paid' as const) : ('unpaid' as const);
      Object.assign(session, { status: 'complete', payment_status, payment_intent: newId('pi') });
      save();
      const event = isPaid ? 'completed' : 'async_payment_failed';
      await webhooks.send(`checkout.session.${event}`, sessionView(session));
    },

    /** Refunds further cents, as an operator does in the provider's dashboard. */
    async refund(session: Session, cents: number): Promise<void> {
      session.amount_refunded += cents;
      save();
      await webhooks.send('charge.refunded', {
        id: newId('ch'),
        object: 'charge',
        payment_intent: session.payment_intent,
        amount: session.amount_total,
        amount_refunded: session.amount_refunded,
      });
    },

    /** Sends a `charge.dispute.*` event with a status, as when the payer's bank disputes the payment. */
    async dispute(session: Session, event: string, dispute: { id: string; status: string; amount?: number }) {
      await webhooks.send(`charge.dispute.${event}`, {
        object: 'dispute',
        amount: session.amount_total,
        currency: session.currency,
        ...dispute,
        payment_intent: session.payment_intent,
        reason: 'fraudulent',
      });
    },

    /** Ends a payout regardless of its state, as when a bank returns the money. */
    endPayoutSo: (payout: Payout, status: Payout['status']) =>
      setPayout(payout, status, status === 'failed' ? 'The account is closed' : null),

    createPayout(key: string | undefined, form: Form): Payout | undefined {
      return once<Payout>(key, form, state.payouts, () => {
        const made: Payout = {
          id: newId('po'),
          status: 'pending',
          amount: Number(form.amount),
          currency: form.currency as string,
          failure_message: null,
          metadata: { reference: form['metadata[reference]'] ?? '' },
          created: now(),
        };
        schedule(made);
        return made;
      });
    },

    /** Returns whether cancelling was still possible. */
    cancelPayout(payout: Payout): boolean {
      if (payout.status !== 'pending') return false;
      payout.status = 'canceled';
      save();
      void webhooks.send('payout.canceled', payoutView(payout));
      return true;
    },

    /** Sets how payouts end from now on, and settles held ones. */
    setPayouts({ ending, delay }: { ending?: PayoutEnding; delay?: number }): void {
      payouts.ending = ending ?? payouts.ending;
      payouts.delay = delay ?? payouts.delay;
      if (ending) scheduleAll();
    },

    close(): void {
      clearInterval(sweeping);
      for (const timer of timers) clearTimeout(timer);
      webhooks.close();
    },
  };
}

export type PaymentProvider = ReturnType<typeof paymentProvider>;
