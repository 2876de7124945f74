/**
 * Queues on which former releases worked, and this one does not: of subscribers and jobs that were removed or renamed. What
 * waits in them nobody would take, and so it is deleted. A test finds a queue that is neither here nor in use.
 */
export const FORMER_QUEUES: readonly string[] = [
  'education.tell-changed',
  'indicators.forget-webhooks',
  // A block now sends members away in its own transaction.
  'on.moderation.member-blocked.chat-connections',
];
