import type { Database } from '../database/database.ts';
import { statement, type Transaction } from '../database/queries.ts';
import type { ObjectId } from '../ids.ts';

/** A file that a client may upload for public access. */
interface PublicFile {
  key: string;
  ownerId: ObjectId;
  bytes: number;
  createdAt: Date;
  removableAt: Date;
}

/** The uploads that an owner was granted, in bytes as announced. */
interface Uploaded {
  /** Files that no record refers to, and when the oldest of them was announced. */
  unusedFiles: number;
  unusedBytes: number;
  oldestUnusedAt: Date | null;
  /** Files announced since an instant, and the first of them. */
  recentBytes: number;
  oldestRecentAt: Date | null;
}

const insert = statement<never>(
  'kernel.insert-public-file',
  `insert into kernel.public_file (key, owner_id, bytes, created_at, removable_at) values ($1, $2, $3, $4, $5)`,
);
const uploaded = statement<Uploaded>(
  'kernel.uploaded-public-files',
  `select * from
     (select count(*) as unused_files, coalesce(sum(bytes), 0)::bigint as unused_bytes,
        min(created_at) as oldest_unused_at
      from kernel.public_file where owner_id = $1 and not is_used) unused,
     (select coalesce(sum(bytes), 0)::bigint as recent_bytes, min(created_at) as oldest_recent_at
      from kernel.public_file where owner_id = $1 and created_at > $2) recent`,
);
const keepUntil = statement<{ key: string }>(
  'kernel.hold-public-files',
  `update kernel.public_file set removable_at = greatest(removable_at, $2) where key = any($1) returning key`,
);
/**
 * A recently announced file may be uploaded again by its link: it is removed now, and once more when the link has
 * expired.
 */
const takeRemovable = statement<{ key: string }>(
  'kernel.take-removable-public-files',
  `with due as (
     select key from kernel.public_file where not is_used and removable_at <= $1
     order by removable_at limit $3 for update skip locked
   ), old as (
     delete from kernel.public_file file using due where file.key = due.key and created_at <= $2
   ), young as (
     update kernel.public_file file set removable_at = $1 + (created_at - $2) from due
     where file.key = due.key and created_at > $2
   )
   select key from due`,
);

/**
 * Public files and whether records refer to them. A table that refers to files has the trigger
 * `kernel.track_public_files`, which maintains the references.
 */
export function publicFileRegistry(database: Database) {
  return {
    insert: (tx: Transaction, file: PublicFile): Promise<number> =>
      tx.execute(insert, [file.key, file.ownerId, file.bytes, file.createdAt, file.removableAt]),
    uploadedBy: async (tx: Transaction, ownerId: ObjectId, since: Date): Promise<Uploaded> =>
      (await tx.first(uploaded, [ownerId, since])) as Uploaded,
    /** Prevents the removal of the files until an instant; returns those that exist. */
    keepUntil: async (keys: string[], until: Date): Promise<Set<string>> =>
      new Set((await database.all(keepUntil, [keys, until])).map(({ key }) => key)),
    /**
     * Returns files that no record refers to and that are due for removal. Deletes the rows of those announced before
     * `forgottenBefore`; the others are returned again once they are that old.
     */
    takeRemovable: async (
      tx: Transaction,
      now: Date,
      { forgottenBefore, limit }: { forgottenBefore: Date; limit: number },
    ): Promise<string[]> =>
      (await tx.all(takeRemovable, [now, forgottenBefore, limit])).map(({ key }) => key),
  };
}

export type PublicFileRegistry = ReturnType<typeof publicFileRegistry>;
