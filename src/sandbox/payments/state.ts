import { existsSync, readFileSync } from 'node:fs';
import { replaceFile } from '../../kernel/replace-file.ts';
import { keep } from '../keeping.ts';

export interface Session {
  id: string;
  url: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: string | null;
  amount_total: number;
  currency: string;
  description: string;
  success_url: string;
  cancel_url: string;
  client_reference_id: string | null;
  amount_refunded: number;
  created: number;
  expires_at: number;
}

export interface Payout {
  id: string;
  /** `in_transit` can no longer be cancelled. */
  status: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  amount: number;
  currency: string;
  failure_message: string | null;
  metadata: Record<string, string>;
  created: number;
}

/** A dispute as of its last event. */
interface Dispute {
  id: string;
  payment_intent: string | null;
  amount: number;
  status: string;
}

/** An event that may not have been delivered yet. */
export interface Delivery {
  id: string;
  type: string;
  object: object;
  created: number;
}

export interface PaymentState {
  sessions: Record<string, Session>;
  payouts: Record<string, Payout>;
  disputes: Record<string, Dispute>;
  /** The request and the resulting object of each Idempotency-Key. */
  answers: Record<string, { asked: string; id: string }>;
  deliveries: Record<string, Delivery>;
  /** The events of the last 30 days, delivered or not. */
  events: Delivery[];
}

/** Returns the state of the payment provider, stored in a file, if one is named, so that it survives restarts. */
export function paymentState(file: string | undefined): { state: PaymentState; save: () => void } {
  const empty: PaymentState = {
    sessions: {},
    payouts: {},
    disputes: {},
    answers: {},
    deliveries: {},
    events: [],
  };
  const state =
    file && existsSync(file)
      ? { ...empty, ...(JSON.parse(readFileSync(file, 'utf8')) as PaymentState) }
      : empty;
  return {
    state,
    save: () => {
      if (file) keep(file, () => replaceFile(file, JSON.stringify(state), { mode: 0o600 }));
    },
  };
}
