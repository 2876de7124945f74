import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Livestream, Status } from './livestreams.model.ts';

const LIVESTREAM = `id, title, description, host_id as "hostId", host_teaches as "hostTeaches", status, scheduled_start as "scheduledStart",
  scheduled_end as "scheduledEnd", started_at as "startedAt", ended_at as "endedAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

/** The properties that an update writes. */
const CONTENT = [
  'title',
  'description',
  'hostId',
  'hostTeaches',
  'status',
  'scheduledStart',
  'scheduledEnd',
  'startedAt',
  'endedAt',
  'updatedAt',
] as const;

const byId = statement<Livestream>(
  'livestreams.livestream',
  `select ${LIVESTREAM} from livestreams.livestream where id = $1`,
);
const byIds = statement<Livestream>(
  'livestreams.livestreams',
  `select ${LIVESTREAM} from livestreams.livestream where id = any($1)`,
);
const lockById = statement<Livestream>(
  'livestreams.lock-livestream',
  `select ${LIVESTREAM} from livestreams.livestream where id = $1 for no key update`,
);

type Order = Pick<Parameters<typeof readPage>[1], 'orderBy' | 'moment' | 'isAscending'>;

const NEWEST: Order = { orderBy: 'id desc' };
const SOONEST: Order = { orderBy: 'scheduled_start, id', moment: 'scheduled_start, id', isAscending: true };

export interface LivestreamFilter {
  status?: Status | undefined;
  hostId?: ObjectId | undefined;
  /** The first and the last `scheduledStart`. */
  from?: Date | undefined;
  to?: Date | undefined;
}

interface ShownFilter extends LivestreamFilter {
  /** Whether only livestreams are returned whose hosts may hold them. */
  isShown: boolean;
}

/** A livestream that was closed; one that had not begun has no end. */
export type Closed = Pick<Livestream, 'id' | 'hostId' | 'endedAt'>;

interface Forgotten {
  at: Date;
  liveBefore: Date;
  plannedBefore: Date;
  limit: number;
}

export function livestreamStore(database: Database) {
  const page = (where: string, values: unknown[], order: Order, request: PageRequest) =>
    readPage<Livestream>(
      database,
      { columns: LIVESTREAM, from: `livestreams.livestream where ${where}`, isGrowing: true, ...order },
      values,
      request,
    );

  const filtered = (filter: ShownFilter, order: Order, request: PageRequest): Promise<Page<Livestream>> => {
    const { status = null, hostId = null, from = null, to = null, isShown } = filter;
    const where = `($1::text is null or status = $1) and ($2::text is null or host_id = $2)
      and ($3::timestamptz is null or scheduled_start >= $3) and ($4::timestamptz is null or scheduled_start <= $4)
      ${isShown ? 'and host_teaches' : ''}`;
    return page(where, [status, hostId, from, to], order, request);
  };

  return {
    find: (id: ObjectId): Promise<Livestream | undefined> => database.first(byId, [id]),

    findAll: (ids: ObjectId[], queries: Queries): Promise<Livestream[]> => queries.all(byIds, [ids]),

    /** Returns the livestream, locked against other changes until the transaction ends. */
    lock: (tx: Transaction, id: ObjectId): Promise<Livestream | undefined> => tx.first(lockById, [id]),

    /** Returns how many livestreams of a host are to come or live; served by livestream_to_come. */
    countToCome: (tx: Transaction, hostId: ObjectId): Promise<number> =>
      tx.count(
        "select count(*) from livestreams.livestream where host_id = $1 and status in ('scheduled', 'live')",
        [hostId],
      ),

    async insert(queries: Queries, stream: Livestream): Promise<void> {
      await queries.insert('livestreams.livestream', stream, ['id', 'createdAt', ...CONTENT]);
    },

    /** Writes all fields of a livestream. */
    async update(tx: Transaction, stream: Livestream): Promise<void> {
      await tx.update('livestreams.livestream', stream, CONTENT);
    },

    /**
     * Ends the live ones that began and should have ended before `liveBefore`, and cancels those that were not started and
     * should have ended before `plannedBefore`, which is earlier; returns both, the latter without `endedAt`. Served by
     * livestream_window.
     */
    closeForgotten: (
      tx: Transaction,
      { at, liveBefore, plannedBefore, limit }: Forgotten,
    ): Promise<Closed[]> =>
      tx.all(
        `update livestreams.livestream set updated_at = $1,
           ended_at = case status when 'live' then $1 else ended_at end,
           status = case status when 'live' then 'ended' else 'cancelled' end
         where id in (select id from livestreams.livestream
           where status in ('scheduled', 'live') and scheduled_end <= $2
             and case status when 'live' then started_at <= $2 else scheduled_end <= $3 end
           order by scheduled_end limit $4 for no key update skip locked)
         returning id, host_id as "hostId", ended_at as "endedAt"`,
        [at, liveBefore, plannedBefore, limit],
      ),

    /** Returns livestreams, newest first. */
    pageOf: (filter: ShownFilter, request: PageRequest): Promise<Page<Livestream>> =>
      filtered(filter, NEWEST, request),

    /** Returns livestreams, earliest planned start first; served by livestream_by_start and livestream_by_status_start. */
    soonestOf: (filter: ShownFilter, request: PageRequest): Promise<Page<Livestream>> =>
      filtered(filter, SOONEST, request),

    /**
     * Returns the shown livestreams within their scheduled time that are neither ended nor cancelled, earliest start
     * first.
     */
    inWindow: (at: Date, request: PageRequest): Promise<Page<Livestream>> =>
      page(
        "status in ('scheduled', 'live') and scheduled_start <= $1 and scheduled_end > $1 and host_teaches",
        [at],
        SOONEST,
        request,
      ),
  };
}

export type LivestreamStore = ReturnType<typeof livestreamStore>;
