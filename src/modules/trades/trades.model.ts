import type { ObjectId } from '../../kernel/ids.ts';

export const DIRECTIONS = ['long', 'short'] as const;

export const TRADE_STATUSES = ['open', 'won', 'lost', 'even'] as const;

export interface Trade {
  id: ObjectId;
  userId: ObjectId;
  symbol: string;
  direction: (typeof DIRECTIONS)[number];
  entryPrice: number;
  stopLoss: number | null;
  takeProfit: number | null;
  note: string;
  status: (typeof TRADE_STATUSES)[number];
  exitPrice: number | null;
  createdAt: Date;
  /** When it was last changed or closed. */
  updatedAt: Date;
  closedAt: Date | null;
}

export interface TradeFilter {
  symbol?: string;
  status?: Trade['status'];
  userId?: ObjectId;
}
