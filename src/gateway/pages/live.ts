import { failure } from '../../kernel/failures.ts';
import type { Page } from '../http/pages.ts';

export const upgradeRequired = failure(
  426,
  'UPGRADE_REQUIRED',
  'This is a WebSocket: connect to it with ws or wss',
);

/** Returns the page that responds to plain HTTP requests at the live channel's path. */
export const livePage = (): Page => ({
  path: '/v1/live',
  answer: async (_request, reply) => {
    reply.headers({ connection: 'upgrade', upgrade: 'websocket' });
    throw upgradeRequired();
  },
});
