import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { newId, secondsOf } from './requests.ts';
import type { Delivery, PaymentState } from './state.ts';

const ATTEMPTS = 15;
const LONGEST_PAUSE_MS = 5 * 60_000;
const TIMEOUT_MS = 10_000;
/** For how long events can be listed, as at the real provider. */
const KEPT_S = 30 * 24 * 3600;

interface WebhookDeps {
  state: PaymentState;
  save: () => void;
  secret: string;
  step: (step: string) => void;
  clock: Clock;
}

export const eventView = ({ id, type, object, created }: Delivery) => ({
  id,
  object: 'event',
  type,
  created,
  data: { object },
});

/**
 * Returns the delivery of events, which works like the real provider's: signed, and retried with growing pauses until
 * answered with a 2xx. Undelivered events survive restarts.
 */
export function webhookDelivery({ state, save, secret, step, clock }: WebhookDeps) {
  const library = lazy(async () => new (await import('stripe')).Stripe('sk_sandbox'));
  let url: string | undefined;
  let isOn = true;
  let firstPauseMs = 1000;
  const timers = new Set<NodeJS.Timeout>();

  async function post(delivery: Delivery): Promise<void> {
    if (!url || !isOn) throw new Error('no webhook address is configured');
    const { webhooks } = await library();
    const payload = JSON.stringify(eventView(delivery));
    const { type } = delivery;
    const answering = fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': webhooks.generateTestHeaderString({ payload, secret }),
      },
      body: payload,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    step(`webhook ${type} sent`);
    const { ok, status } = await answering;
    step(`webhook ${type} answered`);
    if (!ok) throw new Error(`answered ${status}`);
  }

  /** Resolves after the first attempt, whether or not it succeeded. */
  async function deliver(delivery: Delivery, attempt = 0): Promise<void> {
    try {
      await post(delivery);
      delete state.deliveries[delivery.id];
      save();
    } catch {
      if (attempt >= ATTEMPTS) return;
      const pauseMs = Math.min(LONGEST_PAUSE_MS, firstPauseMs * 2 ** attempt);
      const timer = setTimeout(() => {
        timers.delete(timer);
        void deliver(delivery, attempt + 1);
      }, pauseMs);
      timers.add(timer);
    }
  }

  return {
    /** Sets the URL for events and delivers pending ones. */
    to(target: string): void {
      url = target;
      for (const delivery of Object.values(state.deliveries)) void deliver(delivery);
    },
    async send(type: string, object: object): Promise<void> {
      const created = secondsOf(clock);
      const delivery = { id: newId('evt'), type, object: structuredClone(object), created };
      state.deliveries[delivery.id] = delivery;
      state.events = [...state.events.filter((event) => event.created > created - KEPT_S), delivery];
      save();
      await deliver(delivery);
    },
    /** Turns delivery on or off. */
    turn: (on: boolean): void => {
      isOn = on;
    },
    pause: (ms: number): void => {
      firstPauseMs = ms;
    },
    close: (): void => {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

export type WebhookDelivery = ReturnType<typeof webhookDelivery>;
