import { administrator, member } from '../../kernel/operations/access.ts';
import { type Operation, ok, operation } from '../../kernel/operations/operation.ts';
import { SECOND_MS } from '../../kernel/time/time.ts';
import { FRESH_MS } from './boards.ts';
import { LeaderboardQuery, LeaderboardsShape } from './leaderboards.schemas.ts';
import { type LeaderboardRules, tooManyBoards } from './leaderboards.ts';

const tag = 'Leaderboards';
const description = `Ranks educators by peak concurrent watch sessions, viewers by time watched, and members by gifts given and received. Of a session that began before the period, only the part within the period counts. The boards are rebuilt at most every ${FRESH_MS / SECOND_MS} seconds; \`lastUpdated\` is the time of the last build. If the wallet is unavailable, the gift boards are empty and \`partial\` is true.`;

export const leaderboardOperations = (leaderboards: LeaderboardRules): Operation[] => [
  operation({
    method: 'GET',
    path: '/v1/analytics/leaderboards',
    id: 'getLeaderboards',
    tag,
    summary: 'Retrieve the leaderboards of a period',
    description,
    access: member,
    query: LeaderboardQuery,
    success: ok(LeaderboardsShape),
    failures: [() => tooManyBoards(30)],
    handle: ({ query, caller }) => leaderboards.of(query, caller),
  }),
  operation({
    method: 'GET',
    path: '/v1/admin/analytics/leaderboards',
    id: 'getLeaderboardsAsAdmin',
    tag,
    summary: 'Retrieve the leaderboards of a period, as an administrator',
    description,
    access: administrator,
    query: LeaderboardQuery,
    success: ok(LeaderboardsShape),
    failures: [() => tooManyBoards(30)],
    handle: ({ query, caller }) => leaderboards.of(query, caller),
  }),
];
