import { liveMessage } from '../../kernel/live/live.ts';
import type { NotificationShapes } from './notifications.schemas.ts';

/** The complete notification, so that clients need not fetch it; see docs/decisions/realtime.md. */
export const newNotificationOf = ({ NotificationShape }: NotificationShapes) =>
  liveMessage('notification:new', NotificationShape, {
    summary: 'The member has a new notification.',
    audience: 'user',
  });
