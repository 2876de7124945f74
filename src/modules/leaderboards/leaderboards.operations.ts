import { administrator, member } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { LeaderboardQuery, LeaderboardsShape } from './leaderboards.schemas.ts';
import type { LeaderboardRules } from './leaderboards.ts';

const tag = 'Leaderboards';
const description =
  'Educators by the most watch sessions at one moment, viewers by what they watched, members by what they gave and were given. A session that began before the period counts with what lies within it. Built at most every 120 seconds; `lastUpdated` says when. Without the wallet the gifting boards are empty, and `partial` says so.';

export const leaderboardOperations = (leaderboards: LeaderboardRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/analytics/leaderboards',
    id: 'getLeaderboards',
    tag,
    summary: 'The boards of a period',
    description,
    access: member,
    query: LeaderboardQuery,
    success: ok(LeaderboardsShape),
    handle: ({ query, caller }) => leaderboards.of(query, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/analytics/leaderboards',
    id: 'getLeaderboardsAsAdmin',
    tag,
    summary: 'The same, for administrators',
    description,
    access: administrator,
    query: LeaderboardQuery,
    success: ok(LeaderboardsShape),
    handle: ({ query, caller }) => leaderboards.of(query, caller),
  }),
];
