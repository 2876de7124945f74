import { administratorOrAdminKey } from '../../../kernel/operations/access.ts';
import { feedOf, type Operation, operation } from '../../../kernel/operations/operation.ts';
import { anyEvent, feedQuery } from './events.schemas.ts';
import { cursorExpired, type FeedRules } from './feed.ts';

const MAX_EVENTS = 500;

export const feedOperations = (feed: FeedRules, types: string[]): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/events',
    id: 'listEvents',
    tag: 'Events',
    summary: 'Read the events of the last 30 days, oldest first',
    description:
      'Store `pagination.nextCursor` and pass it as `after` to continue; it is `null` only on an empty page, after which the former cursor stays valid. An API key of the Admin tier suffices, without a bearer token.',
    access: administratorOrAdminKey,
    query: feedQuery(MAX_EVENTS),
    success: feedOf(anyEvent(types), MAX_EVENTS),
    failures: [cursorExpired],
    handle: ({ query }) => feed.read(query),
  }),
];
