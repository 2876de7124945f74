import type { ObjectId } from '../../../kernel/ids.ts';

/** The type of the event that an administrator sends to test an endpoint; it is not in the feed. */
export const TEST_TYPE = 'webhook.test';

/** Number of days for which events and deliveries are stored. */
export const KEPT_DAYS = 30;

/** An event as other systems see it. */
export interface PublicRecord {
  /** `evt_` and 24 hexadecimal characters. */
  id: string;
  type: string;
  timestamp: Date;
  data: Record<string, unknown>;
}

/** An event about to be logged; `unread` instead of `type` and `data` if this program cannot read it. */
export interface Logged {
  id: ObjectId;
  type: string | null;
  happenedAt: Date;
  /** JSON text, as `unread` is. */
  data: string | null;
  unread: string | null;
}

export const publicId = (id: ObjectId): string => `evt_${id}`;
