import type { Database } from '../../kernel/database/database.ts';
import { type Page, type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

export const STATUSES = ['scheduled', 'live', 'ended', 'cancelled'] as const;
type Status = (typeof STATUSES)[number];

export interface Livestream {
  id: ObjectId;
  title: string;
  description: string;
  hostId: ObjectId;
  status: Status;
  scheduledStart: Date;
  scheduledEnd: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const LIVESTREAM = `id, title, description, host_id as "hostId", status, scheduled_start as "scheduledStart",
  scheduled_end as "scheduledEnd", started_at as "startedAt", ended_at as "endedAt", created_at as "createdAt",
  updated_at as "updatedAt"`;

const byId = statement<Livestream>(
  'livestreams.livestream',
  `select ${LIVESTREAM} from livestreams.livestream where id = $1`,
);
const lockById = statement<Livestream>(
  'livestreams.lock-livestream',
  `select ${LIVESTREAM} from livestreams.livestream where id = $1 for no key update`,
);

interface Filter {
  status?: Status;
  hostId?: ObjectId;
}

export function livestreamStore(database: Database) {
  const page = (where: string, values: unknown[], orderBy: string, request: PageRequest) =>
    readPage<Livestream>(
      database,
      { columns: LIVESTREAM, from: `livestreams.livestream where ${where}`, orderBy },
      values,
      request,
    );

  return {
    find: (id: ObjectId): Promise<Livestream | undefined> => database.first(byId, [id]),

    /** Returns the livestream, locked against other changes until the transaction ends. */
    lock: (tx: Transaction, id: ObjectId): Promise<Livestream | undefined> => tx.first(lockById, [id]),

    async insert(queries: Queries, stream: Livestream): Promise<void> {
      await queries.execute(
        `insert into livestreams.livestream
           (id, title, description, host_id, status, scheduled_start, scheduled_end, created_at, updated_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
        [
          stream.id,
          stream.title,
          stream.description,
          stream.hostId,
          stream.status,
          stream.scheduledStart,
          stream.scheduledEnd,
          stream.createdAt,
        ],
      );
    },

    /** Writes all fields of a livestream. */
    async update(tx: Transaction, stream: Livestream): Promise<void> {
      await tx.execute(
        `update livestreams.livestream set title = $2, description = $3, host_id = $4, status = $5,
           scheduled_start = $6, scheduled_end = $7, started_at = $8, ended_at = $9, updated_at = $10
         where id = $1`,
        [
          stream.id,
          stream.title,
          stream.description,
          stream.hostId,
          stream.status,
          stream.scheduledStart,
          stream.scheduledEnd,
          stream.startedAt,
          stream.endedAt,
          stream.updatedAt,
        ],
      );
    },

    /** Ends the host's live streams and cancels the scheduled ones. */
    async closeOf(tx: Transaction, hostId: ObjectId, at: Date): Promise<void> {
      await tx.execute(
        `update livestreams.livestream set updated_at = $2,
           ended_at = case status when 'live' then $2 else ended_at end,
           status = case status when 'live' then 'ended' else 'cancelled' end
         where host_id = $1 and status in ('live', 'scheduled')`,
        [hostId, at],
      );
    },

    /** Returns livestreams, newest first. */
    pageOf: ({ status, hostId }: Filter, request: PageRequest): Promise<Page<Livestream>> =>
      page(
        '($1::text is null or status = $1) and ($2::text is null or host_id = $2)',
        [status ?? null, hostId ?? null],
        'id desc',
        request,
      ),

    /**
     * Returns the livestreams within their scheduled time that are neither over nor cancelled, earliest start first.
     */
    inWindow: (at: Date, request: PageRequest): Promise<Page<Livestream>> =>
      page(
        "status in ('scheduled', 'live') and scheduled_start <= $1 and scheduled_end > $1",
        [at],
        'scheduled_start, id',
        request,
      ),
  };
}

export type LivestreamStore = ReturnType<typeof livestreamStore>;
