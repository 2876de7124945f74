import { type Clock, systemClock } from '../../kernel/time/time.ts';
import { payoutProvider } from './payouts.ts';
import { type Form, newId, oncePerKey, secondsOf } from './requests.ts';
import { paymentState, type Session } from './state.ts';
import { webhookDelivery } from './webhooks.ts';

export interface ProviderOptions {
  webhookSecret: string;
  /** Seconds after which a payout settles automatically. */
  payoutDelay: number;
  /** The file that stores its state; in memory when missing. */
  stateFile?: string;
  /** The clock by which sessions expire and payouts settle. */
  clock?: Clock;
  /** Called at each step of a payment, so that tests can interrupt it there. */
  onStep?: (step: string) => void;
  /** Returns its base URL, once it listens. */
  ownUrl: () => string;
}

const DAY_S = 24 * 3600;
const SWEEP_MS = 30_000;

export const sessionView = ({ description: _, amount_refunded: __, ...session }: Session) => ({
  ...session,
  object: 'checkout.session',
  mode: 'payment',
  livemode: false,
});

/** The charge of a paid session. */
export const chargeView = ({ id, payment_intent, amount_total: amount, amount_refunded }: Session) => ({
  id: `ch_of_${id}`,
  object: 'charge',
  payment_intent,
  amount,
  amount_refunded,
});

/**
 * Returns the logic of a payment provider: sessions that are paid or not, payouts that settle automatically, and events
 * about both.
 */
export function paymentProvider(options: ProviderOptions) {
  const { state, save } = paymentState(options.stateFile);
  const { clock = systemClock } = options;
  const step = options.onStep ?? (() => undefined);
  const once = oncePerKey(state, save);
  const webhooks = webhookDelivery({ state, save, secret: options.webhookSecret, step, clock });

  const payouts = payoutProvider({ state, save, once, webhooks, delay: options.payoutDelay, clock });

  async function expire(session: Session): Promise<void> {
    if (session.status !== 'open') return;
    session.status = 'expired';
    save();
    await webhooks.send('checkout.session.expired', sessionView(session));
  }
  const isOver = ({ expires_at: until }: Session): boolean => until <= secondsOf(clock);
  async function expireAll(): Promise<void> {
    for (const session of Object.values(state.sessions)) if (isOver(session)) await expire(session);
  }
  const sweeping = setInterval(() => void expireAll(), SWEEP_MS).unref();

  return {
    state,
    step,
    webhooks,
    expire,
    payouts,
    /** Whether a session can still be paid. */
    isOpen: (session: Session): boolean => session.status === 'open' && !isOver(session),
    /** Expires and settles what has become due because the clock was moved on. */
    async passTime(): Promise<void> {
      await expireAll();
      await payouts.passTime();
    },

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
          created: secondsOf(clock),
          expires_at: secondsOf(clock) + DAY_S,
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
      await webhooks.send('charge.refunded', chargeView(session));
    },

    /** Sends a `charge.dispute.*` event with a status, as when the payer's bank disputes the payment. */
    async dispute(session: Session, event: string, dispute: { id: string; status: string; amount?: number }) {
      const { amount_total: amount, currency, payment_intent } = session;
      const made = { object: 'dispute', amount, currency, ...dispute, payment_intent, reason: 'fraudulent' };
      state.disputes[dispute.id] = made;
      save();
      await webhooks.send(`charge.dispute.${event}`, made);
    },

    close(): void {
      clearInterval(sweeping);
      payouts.close();
      webhooks.close();
    },
  };
}

export type PaymentProvider = ReturnType<typeof paymentProvider>;
