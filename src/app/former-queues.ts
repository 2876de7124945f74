import type { FormerQueue } from '../kernel/messaging/former-queues.ts';

/**
 * Queues on which former releases worked, and this one does not: of subscribers and jobs that were removed or renamed. What
 * waits in them nobody would take. A test finds a queue that is neither here nor in use.
 */
export const FORMER_QUEUES: readonly FormerQueue[] = [
  { name: 'education.tell-changed', renamedTo: 'education.publish-course-changes' },
  { name: 'indicators.forget-webhooks' },
  // A block now sends members away in its own transaction.
  { name: 'on.moderation.member-blocked.chat-connections' },
];
