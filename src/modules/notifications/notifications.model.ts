import type { NotificationType } from './contract.ts';
import type { Notification } from './types.ts';

export interface NotificationFilter {
  type?: NotificationType;
  read?: boolean;
}

/** A notification to insert. */
export interface NewNotification extends Omit<Notification, 'read' | 'createdAt'> {
  subject: string | null;
}
