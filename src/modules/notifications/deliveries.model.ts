import type { ObjectId } from '../../kernel/ids.ts';
import type { Channel, Priority } from './contract.ts';
import type { Preferences } from './preferences.model.ts';

export const DELIVERY_STATUSES = [
  'pending',
  'batched',
  'sent',
  'failed',
  'muted',
  'unavailable',
  'read',
] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export interface NewDelivery {
  notificationId: ObjectId;
  channel: Channel;
  userId: ObjectId;
  status: DeliveryStatus;
}

/** A delivery with its notification. */
export interface Delivery extends NewDelivery {
  attempts: number;
  type: string;
  title: string;
  message: string;
  priority: Priority;
  metadata: Record<string, unknown>;
  /** The member's current preferences; null if they have set none. */
  preferences: Preferences | null;
}

/** A delivery in the form that operators see. */
export interface DeliveryView extends NewDelivery {
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  settledAt: Date | null;
}
