import type { Database } from '../../kernel/database/database.ts';
import { statement, type Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Upload } from './uploads.model.ts';

const UPLOAD = 'id, subject_id, owner_id, key, file_name, content_type, bytes, state, expires_at, created_at';

const insert = statement<never>(
  'media.insert-upload',
  `insert into media.upload (${UPLOAD}) values ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9)`,
);
const byKey = statement<Upload>(
  'media.upload-by-key',
  `select ${UPLOAD} from media.upload where key = $1 and subject_id = $2`,
);
const consume = statement<never>(
  'media.consume-upload',
  `update media.upload set state = 'consumed' where id = $1 and state = 'open'`,
);
/** Uploads that are older than a video of the subject were abandoned for the one that became it. */
const isExpected = statement<{ id: ObjectId }>(
  'media.is-upload-expected',
  `select id from media.upload where subject_id = $1 and state = 'open' and expires_at > $2
     and created_at > all (select created_at from media.video where subject_id = $1)
   limit 1`,
);
/** The video of a later upload that has not failed. */
const isOvertaken = statement<{ id: ObjectId }>(
  'media.is-upload-overtaken',
  `select u.id from media.upload u join media.video v on v.subject_id = u.subject_id and v.source_key = u.key
   where u.subject_id = $1 and u.created_at > $2 and v.status <> 'failed' limit 1`,
);
/** The announced uploads of an owner that are not completed. */
interface OpenUploads {
  count: number;
  bytes: number;
  oldestAt: Date | null;
}

const open = statement<OpenUploads>(
  'media.open-uploads',
  `select count(*) as count, coalesce(sum(bytes), 0)::bigint as bytes, min(created_at) as oldest_at
   from media.upload where owner_id = $1 and state = 'open'`,
);
const expire = statement<{ key: string }>(
  'media.expire-uploads',
  `update media.upload set state = 'expired' where state = 'open' and expires_at < $1 returning key`,
);
const forget = statement<never>(
  'media.forget-uploads',
  `delete from media.upload where state <> 'open' and expires_at < $1`,
);
const erase = statement<{ key: string }>(
  'media.erase-uploads',
  'delete from media.upload where subject_id = any($1) returning key',
);
const eraseConsumed = statement<never>(
  'media.erase-consumed-uploads',
  `delete from media.upload where subject_id = $1 and state = 'consumed'`,
);
const schedule = statement<never>(
  'media.schedule-cleanup',
  `insert into media.cleanup (prefix, due_at) select unnest($1::text[]), $2
   on conflict (prefix) do update set due_at = least(cleanup.due_at, excluded.due_at)`,
);
const due = statement<{ prefix: string }>(
  'media.due-cleanups',
  'select prefix from media.cleanup where due_at <= $1 and prefix <> all($3::text[]) order by due_at limit $2',
);
const cleaned = statement<never>(
  'media.cleaned',
  'delete from media.cleanup where prefix = $1 and due_at <= $2',
);
const withdraw = statement<never>(
  'media.withdraw-cleanup',
  'delete from media.cleanup where prefix = $1 and due_at > $2',
);
const scheduled = statement<{ prefix: string }>(
  'media.scheduled-cleanups',
  'select prefix from media.cleanup where prefix = any($1)',
);
const knownKeys = statement<{ key: string }>(
  'media.known-upload-keys',
  `select key from media.upload where key = any($1) and state <> 'expired'`,
);

export function uploadStore(database: Database) {
  return {
    insert: (tx: Transaction, upload: Omit<Upload, 'state'>) =>
      tx.execute(insert, [
        ...[upload.id, upload.subjectId, upload.ownerId, upload.key, upload.fileName, upload.contentType],
        ...[upload.bytes, upload.expiresAt, upload.createdAt],
      ]),
    openOf: async (tx: Transaction, ownerId: ObjectId): Promise<OpenUploads> =>
      (await tx.first(open, [ownerId])) as OpenUploads,
    find: (key: string, subjectId: ObjectId) => database.first(byKey, [key, subjectId]),
    /** Marks an upload as consumed; returns whether it was open. */
    consume: async (tx: Transaction, id: ObjectId) => (await tx.execute(consume, [id])) > 0,
    /** Whether the subject has a video of an upload that was announced later than this one. */
    isOvertaken: async (tx: Transaction, { subjectId, createdAt }: Upload): Promise<boolean> =>
      (await tx.first(isOvertaken, [subjectId, createdAt])) !== undefined,
    /** Whether a file may still arrive that was announced after the subject's newest video. */
    isExpected: async (subjectId: ObjectId, now: Date) =>
      (await database.first(isExpected, [subjectId, now])) !== undefined,
    expire: (before: Date) => database.all(expire, [before]),
    forget: (before: Date) => database.execute(forget, [before]),
    erase: (tx: Transaction, subjectIds: ObjectId[]) => tx.all(erase, [subjectIds]),
    /** Deletes those uploads of a subject that have become videos. */
    eraseConsumed: (tx: Transaction, subjectId: ObjectId) => tx.execute(eraseConsumed, [subjectId]),
    knownKeys: async (keys: string[]) =>
      new Set((await database.all(knownKeys, [keys])).map(({ key }) => key)),
  };
}

export type UploadStore = ReturnType<typeof uploadStore>;

/** Objects scheduled for removal. */
export function cleanupStore(database: Database) {
  return {
    schedule: async (tx: Pick<Transaction, 'execute'>, prefixes: string[], at: Date): Promise<void> => {
      if (prefixes.length > 0) await tx.execute(schedule, [[...new Set(prefixes)], at]);
    },
    /** Keeps objects that would have been removed later than an instant; returns false if there are none. */
    withdraw: async (tx: Transaction, prefix: string, after: Date): Promise<boolean> =>
      (await tx.execute(withdraw, [prefix, after])) > 0,
    /** @param apart those that are left out */
    due: async (now: Date, limit: number, apart: string[]) =>
      (await database.all(due, [now, limit, apart])).map(({ prefix }) => prefix),
    /** Returns those of the prefixes whose objects have not been removed yet. */
    scheduled: async (prefixes: string[]): Promise<Set<string>> =>
      new Set((await database.all(scheduled, [prefixes])).map(({ prefix }) => prefix)),
    done: (prefix: string, now: Date) => database.execute(cleaned, [prefix, now]),
  };
}

export type CleanupStore = ReturnType<typeof cleanupStore>;
