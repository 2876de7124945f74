import type { ObjectId } from '../../kernel/ids.ts';
import type { Channel, NotificationType, Priority } from './contract.ts';

export interface NotificationFilter {
  type?: NotificationType;
  read?: boolean;
}

/** A notification to insert. */
export interface NewNotification extends Omit<Notification, 'read' | 'createdAt'> {
  subject: string | null;
}

/** The default priority and channels of each type. */
export const DEFAULTS: Record<NotificationType, { priority: Priority; channels: Channel[] }> = {
  welcome: { priority: 'medium', channels: ['email', 'push'] },
  trade_update: { priority: 'high', channels: ['push', 'email'] },
  achievement: { priority: 'low', channels: ['push'] },
  course_update: { priority: 'medium', channels: [] },
  comment_reply: { priority: 'medium', channels: ['push'] },
  announcement: { priority: 'high', channels: ['push', 'email'] },
  reminder: { priority: 'medium', channels: ['push'] },
  alert: { priority: 'critical', channels: ['push', 'email', 'sms'] },
};

/** A stored notification. */
export interface Notification {
  id: ObjectId;
  userId: ObjectId;
  type: NotificationType;
  title: string;
  message: string;
  priority: Priority;
  read: boolean;
  channels: Channel[];
  metadata: Record<string, unknown>;
  createdAt: Date;
}
