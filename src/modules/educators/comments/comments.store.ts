import type { Database } from '../../../kernel/database/database.ts';
import { readNeighbours } from '../../../kernel/database/neighbours.ts';
import { BEYOND_IDS, offsetOf, type Page, type PageRequest } from '../../../kernel/database/pagination.ts';
import { type Queries, statement, type Transaction } from '../../../kernel/database/queries.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import type { Surrounding } from '../../moderation/contract.ts';
import type { Comment, DeletedComment } from './comments.model.ts';

const COLUMNS = `id, announcement_id as "announcementId", user_id as "userId", content, created_at as "createdAt",
  edited_at as "editedAt"`;

const AROUND = 'id, user_id, content as text, created_at, edited_at, null::timestamptz as deleted_at';

/** Updates the announcement's count first, so that it waits for a concurrent deletion. */
const insert = statement<{ id: ObjectId }>(
  'educators.insert-comment',
  `with counted as (
     update educators.announcement set comments = comments + 1 where id = $2 returning id)
   insert into educators.comment (id, announcement_id, user_id, content, created_at)
   select $1, counted.id, $3, $4, $5 from counted returning id`,
);
const remove = statement<DeletedComment>(
  'educators.delete-comment',
  `with gone as (delete from educators.comment where id = $1 returning announcement_id, created_at)
   update educators.announcement a set comments = comments - 1 from gone where a.id = gone.announcement_id
   returning gone.created_at, a.educator_id`,
);
const listing = statement<Comment>(
  'educators.comments-of',
  `select ${COLUMNS} from educators.comment where announcement_id = $1 and id < $2
   order by id desc limit $3 offset $4`,
);

const findAll = statement<Comment>(
  'educators.find-comments',
  `select ${COLUMNS} from educators.comment c where id = any($1)
     and exists (select from educators.announcement a where a.id = c.announcement_id)`,
);

/** SQL of comments on announcements. */
export function commentStore(database: Database) {
  return {
    find: (id: ObjectId): Promise<Comment | undefined> =>
      database.first<Comment>(`select ${COLUMNS} from educators.comment where id = $1`, [id]),
    /** Returns those of the comments that still exist. */
    findAll: (ids: ObjectId[], queries: Queries): Promise<Comment[]> => queries.all(findAll, [ids]),
    /** Inserts a comment; returns whether the announcement exists. */
    insert: async (tx: Transaction, one: Comment): Promise<boolean> =>
      (await tx.first(insert, [one.id, one.announcementId, one.userId, one.content, one.createdAt])) !==
      undefined,
    /** Deletes a comment; returns undefined if it, or its announcement, did not exist. */
    delete: (tx: Transaction, id: ObjectId): Promise<DeletedComment | undefined> => tx.first(remove, [id]),
    lock: (tx: Transaction, id: ObjectId): Promise<Comment | undefined> =>
      tx.first<Comment>(`select ${COLUMNS} from educators.comment where id = $1 for no key update`, [id]),
    async edit(tx: Transaction, one: Pick<Comment, 'id' | 'content' | 'editedAt'>): Promise<void> {
      await tx.update('educators.comment', one, ['content', 'editedAt']);
    },
    /** Returns a comment, if it still exists, and those next to it; served by comment_listing. */
    around: (id: ObjectId, announcementId: ObjectId, sides: number): Promise<Surrounding[]> =>
      readNeighbours(
        database,
        { columns: AROUND, table: 'educators.comment', container: 'announcement_id' },
        { id, containerId: announcementId },
        sides,
      ),
    /** Returns comments, newest first; `total` is a stored count. Served by comment_listing. */
    async pageOf(announcementId: ObjectId, request: PageRequest): Promise<Page<Comment>> {
      const { before = BEYOND_IDS, limit } = request;
      const [total, items] = await Promise.all([
        database.count('select comments from educators.announcement where id = $1', [announcementId]),
        database.all(listing, [announcementId, before, limit, offsetOf(request)]),
      ]);
      return { ...request, items, total };
    },
  };
}

export type CommentStore = ReturnType<typeof commentStore>;
