// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Operation } from '../../operation.ts';
import type { AnyCode, TokenCode } from '../codes.ts';
import type * as wire from '../wire.ts';

/** Retrieve the leaderboards of a period. `GET /v1/analytics/leaderboards` For member. */
export const getLeaderboards: Operation<{
  query: {
    period?: '24h' | '7d' | '30d' | '90d';
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
    /** All platforms if left out */
    platform?: 'ios' | 'android' | 'web';
    /** Counts only watch sessions of this type of content */
    contentType?: 'livestream' | 'meeting' | 'lesson' | 'video' | 'story';
    /** Rows of each board; values above 50 are lowered to 50 */
    limit?: number;
  };
  data: wire.Leaderboards;
  code: AnyCode | TokenCode | 'LEADERBOARD_LIMIT_EXCEEDED';
}> = {
  id: 'getLeaderboards',
  method: 'GET',
  path: '/v1/analytics/leaderboards',
};

/** Retrieve the leaderboards of a period, as an administrator. `GET /v1/admin/analytics/leaderboards` For administrator. */
export const getLeaderboardsAsAdmin: Operation<{
  query: {
    period?: '24h' | '7d' | '30d' | '90d';
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    startDate?: wire.InstantText;
    /** An ISO 8601 date or datetime; UTC if it has no zone */
    endDate?: wire.InstantText;
    /** All platforms if left out */
    platform?: 'ios' | 'android' | 'web';
    /** Counts only watch sessions of this type of content */
    contentType?: 'livestream' | 'meeting' | 'lesson' | 'video' | 'story';
    /** Rows of each board; values above 50 are lowered to 50 */
    limit?: number;
  };
  data: wire.Leaderboards;
  code: AnyCode | TokenCode | 'FORBIDDEN' | 'LEADERBOARD_LIMIT_EXCEEDED';
}> = {
  id: 'getLeaderboardsAsAdmin',
  method: 'GET',
  path: '/v1/admin/analytics/leaderboards',
};
