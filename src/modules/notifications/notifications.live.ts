import { liveMessage } from '../../kernel/live/live.ts';
import type { NotificationShapes } from './notifications.schemas.ts';

/** The whole notification, so that clients need not ask for it; see docs/decisions/realtime.md. */
export const newNotificationOf = ({ NotificationShape }: NotificationShapes) =>
  liveMessage('notification:new', NotificationShape, {
    summary: 'The member has a new notification.',
    audience: 'user',
  });
