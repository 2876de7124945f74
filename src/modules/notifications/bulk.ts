import { chunks } from '../../kernel/database/chunks.ts';
import type { Database } from '../../kernel/database/database.ts';
import { notFound } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { type Jobs, job } from '../../kernel/messaging/jobs.ts';
import type { Actor, Audit } from '../../kernel/records/audit.ts';
import { answered, notIdempotent } from '../../kernel/records/idempotency.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Contact } from '../identity/contract.ts';
import type { Bulk } from './bulk.model.ts';
import type { BulkStore } from './bulk.store.ts';
import type { Message } from './contract.ts';
import { notifyMembers } from './notifications.jobs.ts';
import type { Notify } from './sending.ts';

export const bulkNotFound = notFound('Bulk job');

/** Members per job; keeps its transaction to some tens of milliseconds. */
const CHUNK = 500;

interface BulkDeps {
  database: Database;
  store: BulkStore;
  jobs: Pick<Jobs, 'enqueue'>;
  audit: Pick<Audit, 'record'>;
  contactsOf: (userIds: ObjectId[]) => Promise<Contact[]>;
  notify: Notify;
  clock: Clock;
  newId: NewId;
}

/** Bulk notifications: accepted immediately, processed in jobs of a few hundred members. */
export function bulkRules({ database, store, jobs, audit, contactsOf, notify, clock, newId }: BulkDeps) {
  async function find(jobId: ObjectId): Promise<Bulk> {
    const bulk = await store.find(jobId);
    if (!bulk) throw bulkNotFound();
    return bulk;
  }

  const fanOut = job(notifyMembers, {
    concurrency: 2,
    runIn: async (tx, { bulkId, userIds, message }) => {
      const known = (await contactsOf(userIds)).map(({ userId }) => userId);
      const subject = `bulk:${bulkId}`;
      await notify(
        tx,
        known.map((userId) => ({ ...message, userId, subject })),
      );
      const unknown = userIds.length - known.length;
      await store.advance(tx, bulkId, { done: userIds.length, unknown, at: clock.date() });
    },
  });

  return {
    find,
    /** Starts a bulk; duplicate ids are notified once. */
    start(userIds: ObjectId[], message: Message, actor: Actor, idempotency = notIdempotent): Promise<Bulk> {
      const different = [...new Set(userIds)];
      const bulkId = newId();
      const counted = { requested: different.length, createdAt: clock.date() };
      return database.transaction(async (tx) => {
        await store.insert(tx, { id: bulkId, createdBy: actor.actor, ...counted });
        const parts = [...chunks(different, CHUNK)].map((some) => ({
          bulkId,
          userIds: some,
          message,
        }));
        await jobs.enqueue(tx, notifyMembers, parts);
        const details = { type: message.type, requested: different.length };
        await audit.record(tx, { ...actor, action: 'notification.bulk-sent', target: bulkId, details });
        const begun = { jobId: bulkId, status: 'running' as const, done: 0, unknown: 0, finishedAt: null };
        return answered(tx, { idempotency }, { ...begun, ...counted });
      });
    },
    jobs: [fanOut],
  };
}

export type BulkRules = ReturnType<typeof bulkRules>;
