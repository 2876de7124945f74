import type { ObjectId } from '../../kernel/ids.ts';
import type { Channel, Priority } from './contract.ts';

export interface NotificationFilter {
  type?: string;
  read?: boolean;
}

/** A notification to insert. */
export interface NewNotification extends Omit<Notification, 'read' | 'createdAt'> {
  subject: string | null;
}

/** A stored notification. */
export interface Notification {
  id: ObjectId;
  userId: ObjectId;
  type: string;
  title: string;
  message: string;
  priority: Priority;
  read: boolean;
  channels: Channel[];
  metadata: Record<string, unknown>;
  createdAt: Date;
}
