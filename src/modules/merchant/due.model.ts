import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** An item that is checked periodically until it ends. */
export interface Due {
  id: ObjectId;
  /** Number of consecutive failed checks. */
  attempts: number;
}

/** An item that has not ended, after a failed check. */
export interface Failing {
  userId: ObjectId;
  attempts: number;
  lastError: string;
}

export interface DueStore<Row extends Due> {
  /**
   * Takes at most `limit` due items. Each becomes due again after a quarter of its age, between a minute and an hour,
   * unless it ends before.
   */
  take(limit: number, at: Date): Promise<Row[]>;
  /**
   * Postpones an item whose check failed: by a minute, doubling with each failure up to 15 minutes. Returns undefined for one
   * that has ended.
   */
  postpone(tx: Transaction, id: ObjectId, at: Date, error: Error): Promise<Failing | undefined>;
  /** Counts a failure without postponing the next check. Returns undefined for an item that has ended. */
  note(tx: Transaction, id: ObjectId, error: Error): Promise<Failing | undefined>;
  /** Resets the failures of an item whose check succeeded; returns how many there were. */
  clear(tx: Transaction, id: ObjectId): Promise<number>;
}
