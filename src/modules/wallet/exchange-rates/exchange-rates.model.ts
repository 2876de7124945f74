import type { ObjectId } from '../../../kernel/ids.ts';

export const RATE_BOUNDS = { least: 1e-10, most: 1e9 };
export const MAX_RATE_DECIMALS = 10;
/** The rounding of the value of Keys, which the database does (`round` of `numeric`). */
export const ROUNDING = 'rounded half-up to the cent';

export interface ExchangeRate {
  id: ObjectId;
  currency: string;
  /** The value of one Key. */
  rate: number;
  notes: string;
  effectiveFrom: Date;
  effectiveTo: Date | null;
  /** Null for the initial rate of the platform. */
  updatedByEmail: string | null;
}

export interface NewExchangeRate {
  id: ObjectId;
  currency: string;
  /** A decimal number as text, which PostgreSQL reads exactly. */
  rate: string;
  notes: string;
  updatedByEmail: string;
  at: Date;
}
