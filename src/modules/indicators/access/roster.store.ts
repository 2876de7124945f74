import { readBacklog } from '../../../kernel/database/backlog.ts';
import type { Database } from '../../../kernel/database/database.ts';
import {
  BEYOND_IDS,
  offsetOf,
  type Page,
  type PageRequest,
  readPage,
} from '../../../kernel/database/pagination.ts';
import { type Queries, statement } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import type { Status } from './access.model.ts';
import type { GrantFilter, Move, RosterRow } from './roster.model.ts';

const COLUMNS = `a.id, a.indicator_id as "indicatorId", i.name as "indicatorName", a.user_id as "userId", a.handle, a.status, a.source, a.last_error as "lastError", a.attempts,
  a.grace_ends_at as "graceEndsAt", a.request_id as "requestId", a.failed_action as "failedAction",
  a.error_kind as "errorKind",
  (select case e.origin when 'by_hand' then 'by-hand' else e.origin end from indicators.entry e
    where e.access_id = a.id and e.is_confirmed and e.origin in ('made', 'found', 'by_hand')
    order by e.handle_key <> lower(a.handle) limit 1) as entry, a.created_at as "createdAt", a.updated_at as "updatedAt"`;
const FROM = 'indicators.access a join indicators.indicator i on i.id = a.indicator_id';

const roster = statement<RosterRow>(
  'indicators.roster',
  `select ${COLUMNS} from ${FROM} where a.indicator_id = $1 and a.id < $4
   order by a.id desc limit $2 offset $3`,
);
const rosterByStatus = statement<RosterRow>(
  'indicators.roster-by-status',
  `select ${COLUMNS} from ${FROM} where a.indicator_id = $1 and a.id < $4 and a.status = $5
   order by a.id desc limit $2 offset $3`,
);
const worklist = statement<RosterRow>(
  'indicators.worklist',
  `select ${COLUMNS} from ${FROM} where a.status = 'failed' and a.id < $3
   order by a.id desc limit $1 offset $2`,
);
const ofMember = statement<RosterRow>(
  'indicators.access-of-member',
  `select ${COLUMNS} from ${FROM} where a.user_id = $1 order by i.sort_order, i.id`,
);
const one = statement<RosterRow>('indicators.access-row', `select ${COLUMNS} from ${FROM} where a.id = $1`);
/** Reads counts maintained on write, by indicator or for all, by status or for all. */
const tally = statement<{ total: number }>(
  'indicators.tally',
  `select coalesce(sum(count), 0) as total from indicators.tally
   where ($1::text is null or indicator_id = $1) and ($2::text is null or status = $2)`,
);

/** SQL of lists of grants. */
export function rosterStore(database: Database) {
  const totalOf = (indicatorId: ObjectId | null, status: Status | null): Promise<number> =>
    database.count(tally, [indicatorId, status]);
  return {
    /** Returns the grants of an indicator, newest first; served by access_roster and access_roster_by_status. */
    async pageOf(
      indicatorId: ObjectId,
      status: Status | undefined,
      page: PageRequest,
    ): Promise<Page<RosterRow>> {
      const values = [indicatorId, page.limit, offsetOf(page), page.before ?? BEYOND_IDS];
      const [total, items] = await Promise.all([
        totalOf(indicatorId, status ?? null),
        status === undefined
          ? database.all(roster, values)
          : database.all(rosterByStatus, [...values, status]),
      ]);
      return { ...page, items, total, totalIsExact: true };
    },
    /**
     * Returns the grants of all indicators, newest first; served by access_of_status, access_of_source and
     * access_member_key.
     */
    pageOfAll(
      { userId, status, source, olderThan }: GrantFilter,
      page: PageRequest,
    ): Promise<Page<RosterRow>> {
      const from = `(select ${COLUMNS} from ${FROM}) grants
        where ($1::text is null or "userId" = $1) and ($2::text is null or status = $2)
          and ($3::text is null or source = $3) and ($4::timestamptz is null or "updatedAt" < $4)`;
      const values = [userId ?? null, status ?? null, source ?? null, olderThan ?? null];
      return readPage(database, { columns: '*', from, orderBy: 'id desc', isGrowing: true }, values, page);
    },
    /** Returns failed grants of all indicators, newest first; served by access_worklist. */
    async failures(page: PageRequest): Promise<Page<RosterRow>> {
      const [total, items] = await Promise.all([
        totalOf(null, 'failed'),
        database.all(worklist, [page.limit, offsetOf(page), page.before ?? BEYOND_IDS]),
      ]);
      return { ...page, items, total, totalIsExact: true };
    },
    /** Returns the numbers of pending and failed grants. */
    async totals(): Promise<{ underWay: number; failed: number }> {
      const counted = await database.all<{ underWay: number; failed: number }>(
        `select (select count(*) from indicators.access where due_at is not null and grace_ends_at is null) as under_way,
           (select coalesce(sum(count), 0) from indicators.tally where status = 'failed') as failed`,
      );
      return only(counted);
    },
    ofMember: (userId: ObjectId): Promise<RosterRow[]> => database.all(ofMember, [userId]),
    find: (id: ObjectId, queries: Queries = database): Promise<RosterRow | undefined> =>
      queries.first(one, [id]),
    /** Returns how many grants failed; served by access_worklist. */
    failedBacklog: () =>
      readBacklog(
        database,
        `select updated_at as at from indicators.access where status = 'failed' order by id`,
      ),
    /** Returns how many grants and revocations have been under way since before an instant; served by access_due. */
    stuckBacklog: (before: Date) =>
      readBacklog(
        database,
        `select updated_at as at from indicators.access
         where due_at is not null and grace_ends_at is null and status in ('pending_grant', 'pending_revoke')
           and updated_at < $1`,
        [before],
      ),
    /** Returns the grant with this id, and those whose handle matches the pattern; served by access_by_handle_beginning. */
    findNamed: (
      id: ObjectId | undefined,
      pattern: string,
      limit: number,
    ): Promise<Pick<RosterRow, 'id' | 'userId' | 'handle' | 'status' | 'indicatorName'>[]> =>
      database.all(
        `select a.id, a.user_id, a.handle, a.status, i.name as indicator_name from ${FROM}
         where a.id in (
           (select id from indicators.access where id = $1) union
           (select id from indicators.access where lower(handle) like $2 order by lower(handle) using ~<~ limit $3))
         order by lower(a.handle) using ~<~, a.id limit $3`,
        [id ?? null, pattern, limit],
      ),
    /** Returns the newest transitions of a grant. */
    historyOf: (accessId: ObjectId, limit: number): Promise<Move[]> =>
      database.all(
        `select from_status, to_status, version, moved_by, why, created_at from indicators.move
         where access_id = $1 order by id desc limit $2`,
        [accessId, limit],
      ),
  };
}

export type RosterStore = ReturnType<typeof rosterStore>;
