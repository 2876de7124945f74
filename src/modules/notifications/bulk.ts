import type { Database } from '../../kernel/database/database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { notFound } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import type { Job, Jobs } from '../../kernel/jobs.ts';
import type { Clock } from '../../kernel/time.ts';
import type { Contact } from '../identity/contract.ts';
import type { Message } from './contract.ts';
import type { Notify } from './sending.ts';

export const bulkNotFound = notFound('Bulk job');

const FAN_OUT = 'notifications.fan-out';
/** Members of one job: its transaction takes some tens of milliseconds. */
const CHUNK = 500;

/** How far a bulk has come. */
export interface Bulk {
  jobId: ObjectId;
  status: 'running' | 'finished';
  requested: number;
  done: number;
  /** Of those done, how many are nobody. */
  unknown: number;
  createdAt: Date;
  finishedAt: Date | null;
}

interface BulkDeps {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  notify: Notify;
  clock: Clock;
  newId: NewId;
}

interface Part {
  bulkId: ObjectId;
  userIds: ObjectId[];
  message: Message;
}

/** One message to thousands: answered at once, done in jobs of a few hundred. */
export function bulkRules({ database, jobs, contactsOf, notify, clock, newId }: BulkDeps) {
  async function find(jobId: ObjectId): Promise<Bulk> {
    const rows = await database.all(
      `select id as "jobId", case when finished_at is null then 'running' else 'finished' end as status, requested, done,
         unknown, created_at as "createdAt", finished_at as "finishedAt"
       from notifications.bulk where id = $1`,
      [jobId],
    );
    if (!rows[0]) throw bulkNotFound();
    return rows[0] as unknown as Bulk;
  }

  const fanOut: Job = {
    name: FAN_OUT,
    concurrency: 2,
    runIn: async (tx: Transaction, { bulkId, userIds, message }: Part) => {
      const known = (await contactsOf(userIds)).map(({ userId }) => userId);
      const subject = `bulk:${bulkId}`;
      await notify(
        tx,
        known.map((userId) => ({ ...message, userId, subject })),
      );
      await tx.execute(
        `update notifications.bulk set done = done + $2, unknown = unknown + $3,
           finished_at = case when done + $2 >= requested then $4::timestamptz end
         where id = $1`,
        [bulkId, userIds.length, userIds.length - known.length, new Date(clock.now())],
      );
    },
  };

  return {
    find,
    /** Takes it on; nobody is told twice, however often a member is named. */
    async start(userIds: ObjectId[], message: Message, createdBy: ObjectId): Promise<Bulk> {
      const different = [...new Set(userIds)];
      const bulkId = newId();
      await database.transaction(async (tx) => {
        await tx.execute(
          'insert into notifications.bulk (id, requested, created_by, created_at) values ($1, $2, $3, $4)',
          [bulkId, different.length, createdBy, new Date(clock.now())],
        );
        const parts: Part[] = [];
        for (let at = 0; at < different.length; at += CHUNK)
          parts.push({ bulkId, userIds: different.slice(at, at + CHUNK), message });
        await jobs.enqueue(tx, FAN_OUT, parts);
      });
      return find(bulkId);
    },
    jobs: [fanOut],
  };
}

export type BulkRules = ReturnType<typeof bulkRules>;
