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
  'suppressed',
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
  /** Whether the member has read it in the app. */
  isRead: boolean;
  /** The member's current preferences; null if they have set none. */
  preferences: Preferences | null;
}

export const DELIVERY_KINDS = ['notification', 'transactional'] as const;
type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** The response of the channel's server. */
export interface Receipt {
  /** The address, masked. */
  recipient?: string | undefined;
  messageId?: string | undefined;
  response?: string | undefined;
}

/** The result of an attempt. */
export interface Settlement extends Receipt {
  status: DeliveryStatus;
  error: string | null;
}

/** An attempt to send an e-mail that is no notification. */
export interface TransactionalMail extends Receipt {
  id: ObjectId;
  userId: ObjectId;
  type: string;
  title: string;
  status: DeliveryStatus;
  error: string | null;
}

/** A delivery in the form that operators see. */
export interface DeliveryView extends NewDelivery {
  kind: DeliveryKind;
  /** Null if the notification was deleted. */
  type: string | null;
  title: string | null;
  to: string | null;
  messageId: string | null;
  lastResponse: string | null;
  suppressed: boolean;
  attempts: number;
  lastError: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

/** Which deliveries to list. */
export interface DeliveryFilter {
  status?: DeliveryStatus | undefined;
  userId?: ObjectId | undefined;
  channel?: Channel | undefined;
  kind?: DeliveryKind | undefined;
  notificationId?: ObjectId | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** A message to a member: a notification, or an e-mail that is not a notification. */
export interface SentMessage {
  id: ObjectId;
  kind: DeliveryKind;
  type: string;
  title: string;
  /** Null of an e-mail that is no notification. */
  message: string | null;
  read: boolean | null;
  createdAt: Date;
}
