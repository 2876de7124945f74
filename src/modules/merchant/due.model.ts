import type { ObjectId } from '../../kernel/ids.ts';

/** An item that is checked periodically until it ends. */
export interface Due {
  id: ObjectId;
  /** Number of consecutive failed checks. */
  attempts: number;
}

export interface DueStore<Row extends Due> {
  /**
   * Takes at most `limit` due items. Each becomes due again after a quarter of its age, between a minute and an hour,
   * unless it ends before.
   */
  take(limit: number, at: Date): Promise<Row[]>;
  /** Postpones an item whose check failed: by a minute, doubling with each failure up to 15 minutes. */
  postpone(id: ObjectId, at: Date, error: Error): Promise<void>;
  /** Counts a failure without postponing the next check. */
  note(id: ObjectId, error: Error): Promise<void>;
  /** Resets the failures of an item whose check succeeded. */
  clear(id: ObjectId): Promise<void>;
}
