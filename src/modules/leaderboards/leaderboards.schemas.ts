import { type Static, Type } from 'typebox';
import { DateTime, nullable, ObjectIdShape, oneOf, periodQuery } from '../../kernel/operations/shapes.ts';
import { MemberShape } from '../identity/contract.ts';
import { CONTENT_TYPES, WATCH_PLATFORMS } from '../watching/contract.ts';
import { MAX_ROWS, PERIOD_DAYS } from './leaderboards.model.ts';

export const LeaderboardQuery = Type.Object({
  period: oneOf(Object.keys(PERIOD_DAYS) as (keyof typeof PERIOD_DAYS)[], { default: '7d' }),
  ...periodQuery,
  platform: Type.Optional(oneOf(WATCH_PLATFORMS, { description: 'All platforms if left out' })),
  contentType: Type.Optional(
    oneOf(CONTENT_TYPES, { description: 'Counts only watch sessions of this type of content' }),
  ),
  limit: Type.Integer({
    minimum: 1,
    default: 10,
    clampTo: MAX_ROWS,
    description: `Rows of each board; values above ${MAX_ROWS} are lowered to ${MAX_ROWS}`,
  }),
});
export type LeaderboardQuery = Static<typeof LeaderboardQuery>;

const count = Type.Integer({ minimum: 0 });
const rank = Type.Integer({ minimum: 1, examples: [1] });
/** The flat fields are the specification's, the same as those of `user`. */
const person = {
  user: MemberShape,
  name: Type.String({ description: 'Empty if the member was deleted', examples: ['Ada Lovelace'] }),
  username: Type.String({ examples: ['ada'] }),
  slug: nullable(Type.String({ examples: ['ada'] })),
  avatar: nullable(Type.String()),
};
const seconds = { ...count, description: 'Seconds of each session within the period' };

const EducatorRow = Type.Object({
  rank,
  educatorId: ObjectIdShape,
  peakConcurrent: { ...count, description: 'The highest number of watch sessions open at the same time' },
  peakAt: nullable(DateTime),
  watchSecs: seconds,
  sessions: count,
  uniqueViewers: count,
  ...person,
});
const GiftRow = Type.Object(
  {
    rank,
    userId: ObjectIdShape,
    keys: count,
    gifts: count,
    counterparties: { ...count, description: 'Number of distinct members on the other side' },
    lastGiftAt: DateTime,
    ...person,
  },
  { $id: 'GiftRank' },
);
const ViewerRow = Type.Object({
  rank,
  userId: ObjectIdShape,
  watchSecs: {
    ...count,
    description: 'Seconds within the period in which at least one session of the member was open',
  },
  sessions: count,
  contentCount: count,
  contentTypes: Type.Array(Type.String()),
  lastWatchedAt: DateTime,
  ...person,
});

export const LeaderboardsShape = Type.Object(
  {
    period: Type.Object({
      key: oneOf([...Object.keys(PERIOD_DAYS), 'custom']),
      startDate: DateTime,
      endDate: DateTime,
    }),
    filters: Type.Object({
      platform: nullable(Type.String()),
      contentType: nullable(Type.String()),
      limit: Type.Integer(),
    }),
    partial: Type.Boolean({ description: 'Whether a part could not be read; see `unavailable`' }),
    unavailable: Type.Array(Type.String({ examples: ['gifting'] })),
    totals: Type.Object({
      platformPeakConcurrent: count,
      platformPeakAt: nullable(DateTime),
      giftedKeys: count,
      gifts: count,
      gifters: count,
      giftRecipients: count,
    }),
    topConcurrentEducators: Type.Array(EducatorRow),
    topGifters: Type.Array(GiftRow),
    topGifted: Type.Array(GiftRow),
    topViewers: Type.Array(ViewerRow),
    lastUpdated: { ...DateTime, description: 'When the boards were built' },
  },
  { $id: 'Leaderboards' },
);
export type Leaderboards = Static<typeof LeaderboardsShape>;
