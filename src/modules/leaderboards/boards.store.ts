import type { Database } from '../../kernel/database/database.ts';
import { type Queries, statement } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** State of a board: its payload while it is fresh, and whether the caller must build it. */
export interface BoardState {
  payload: object | null;
  isBuilder: boolean;
}

/** Returns the board while it is fresh; otherwise lets one caller at a time build it. */
const claim = statement<{ payload: object | null; isBuilder: boolean }>(
  'leaderboards.claim',
  `with claimed as (
     insert into leaderboards.board as known (key, building_until) values ($1, $3)
     on conflict (key) do update set building_until = excluded.building_until
       where (known.fresh_until is null or known.fresh_until <= $2)
         and (known.building_until is null or known.building_until <= $2)
     returning key)
   select (select payload from leaderboards.board where key = $1 and fresh_until > $2) as payload,
     exists (select from claimed) as "isBuilder"`,
);
const keep = statement<never>(
  'leaderboards.keep',
  `update leaderboards.board set payload = $2, fresh_until = $3, building_until = null where key = $1`,
);
const renew = statement<never>(
  'leaderboards.renew',
  'update leaderboards.board set building_until = $2 where key = $1 and building_until is not null',
);
const release = statement<never>(
  'leaderboards.release',
  'update leaderboards.board set building_until = null where key = $1',
);
const forget = statement<never>(
  'leaderboards.forget',
  `delete from leaderboards.board
   where coalesce(fresh_until, building_until) < $1 and coalesce(building_until, fresh_until) < $1`,
);
/** A board that is being built is also deleted, since its builder may have read the name already. */
const forgetMember = statement<never>(
  'leaderboards.forget-member',
  `delete from leaderboards.board where strpos(payload::text, $1) > 0 or building_until is not null`,
);

/** SQL of boards. */
export const boardStore = (database: Database) => ({
  claim: async (key: string, now: Date, until: Date): Promise<BoardState> =>
    (await database.first(claim, [key, now, until])) ?? { payload: null, isBuilder: false },
  keep: async (key: string, payload: object, freshUntil: Date): Promise<void> => {
    await database.execute(keep, [key, JSON.stringify(payload), freshUntil]);
  },
  /** Extends the lease of a build that has not ended. */
  renew: async (key: string, until: Date): Promise<void> => {
    await database.execute(renew, [key, until]);
  },
  release: async (key: string): Promise<void> => {
    await database.execute(release, [key]);
  },
  forget: async (before: Date): Promise<void> => {
    await database.execute(forget, [before]);
  },
  /** Deletes the boards that name a member, also those that are no longer fresh. */
  forgetMember: async (queries: Queries, userId: ObjectId): Promise<void> => {
    await queries.execute(forgetMember, [userId]);
  },
});

export type BoardStore = ReturnType<typeof boardStore>;
