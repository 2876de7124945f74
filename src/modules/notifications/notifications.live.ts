import { Type } from 'typebox';
import { liveMessage } from '../../kernel/live/live.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { NotificationShapes } from './notifications.schemas.ts';

/** The complete notification, so that clients need not fetch it; see docs/decisions/realtime.md. */
export const newNotificationOf = ({ NotificationShape }: NotificationShapes) =>
  liveMessage('notification:new', NotificationShape, {
    summary: 'The member has a new notification.',
    audience: 'user',
  });

export const notificationsRead = liveMessage(
  'notification:read',
  Type.Object({
    ids: Type.Array(ObjectIdShape, { description: 'Those that have been read; empty with `all`' }),
    all: Type.Boolean({ description: 'Whether all that there were have been read', examples: [false] }),
    unreadCount: Type.Integer({ description: 'How many are left', examples: [2] }),
  }),
  {
    summary: 'The member has read notifications, on this device or another one.',
    audience: 'user',
  },
);

export const notificationsDeleted = liveMessage(
  'notification:deleted',
  Type.Object({
    ids: Type.Array(ObjectIdShape, { description: 'Those that no longer exist' }),
    unreadCount: Type.Integer({ description: 'How many unread ones are left', examples: [2] }),
  }),
  {
    summary:
      'The member has deleted a notification, on this device or another one, or what it was about no longer exists.',
    audience: 'user',
  },
);
