import { columnsOf } from '../../../kernel/database/chunks.ts';
import type { Database } from '../../../kernel/database/database.ts';
import { statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';

interface Right {
  ownerId: ObjectId;
  /** Whether the owner may teach. */
  teaches: boolean;
}

const setTeaching = statement<{ id: ObjectId; status: string }>(
  'education.set-teaching',
  `update education.course set owner_teaches = $2 where owner_id = $1 and owner_teaches <> $2 returning id, status`,
);

/** SQL of the owners of courses; served by course_by_owner. */
export function ownerStore(database: Database) {
  return {
    /** Records whether an owner may teach; returns the published courses that this changes. */
    setTeaching: async (tx: Transaction, ownerId: ObjectId, teaches: boolean): Promise<ObjectId[]> => {
      const changed = await tx.all(setTeaching, [ownerId, teaches]);
      return changed.filter(({ status }) => status === 'published').map(({ id }) => id);
    },
    countCourses: (tx: Transaction, ownerId: ObjectId): Promise<number> =>
      tx.count('select count(*) from education.course where owner_id = $1 and deleted_at is null', [ownerId]),
    /** Returns owners who have ever published a course, in id order. */
    ownersAfter: async (ownerId: ObjectId, limit: number): Promise<ObjectId[]> =>
      (
        await database.all<{ ownerId: ObjectId }>(
          'select owner_id from education.teaching where owner_id > $1 order by owner_id limit $2',
          [ownerId, limit],
        )
      ).map((row) => row.ownerId),
    /** Returns the owners with a course whose recorded right differs. */
    findDiffering: async (rights: Right[]): Promise<ObjectId[]> =>
      (
        await database.all<{ ownerId: ObjectId }>(
          `select owner_id from unnest($1::text[], $2::boolean[]) as known (owner_id, teaches)
           where exists (select from education.course c
             where c.owner_id = known.owner_id and c.owner_teaches <> known.teaches)`,
          columnsOf(rights, 'ownerId', 'teaches'),
        )
      ).map((row) => row.ownerId),
  };
}

export type OwnerStore = ReturnType<typeof ownerStore>;
