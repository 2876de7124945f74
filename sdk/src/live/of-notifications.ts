import type { LiveMessages } from '../generated/live.ts';

/** The messages for which the client must subscribe to notifications. */
export const OF_NOTIFICATIONS: (keyof LiveMessages)[] = [
  'notification:new',
  'notification:read',
  'notification:deleted',
  'member:muted',
  'chat:muted',
  'chat:added',
  'chat:removed',
  'chat:room-updated',
  'chat:read',
];
