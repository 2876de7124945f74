import type { Database } from '../../kernel/database/database.ts';
import { type PageRequest, readPage } from '../../kernel/database/pagination.ts';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Comment, DeletedComment, Post, PostAnywhere } from './posts.model.ts';

const POST = 'id, community_id, user_id, content, comment_count, reaction_count, created_at, edited_at';
const COMMENT = 'id, post_id, user_id, content, created_at, edited_at';

/** What an edit of a post or a comment writes. */
const TEXT = ['content', 'editedAt'] as const;
type Edited = Pick<Post, 'id' | 'content' | 'editedAt'>;

/** Posts of a deleted community deleted per transaction. */
const ROWS_AT_ONCE = 200;

/** SQL of posts and comments; communities and posts store their counts. */
export function postStore(database: Database) {
  /** Returns a page, newest first. */
  const page = <Row extends object>(
    paged: { columns: string; from: string; count?: string },
    values: unknown[],
    request: PageRequest,
  ) => readPage<Row>(database, { ...paged, orderBy: 'id desc' }, values, request);

  return {
    find: (id: ObjectId, queries: Queries = database) =>
      queries.first<Post>(`select ${POST} from community.post where id = $1`, [id]),
    findComment: (id: ObjectId) =>
      database.first<Comment>(`select ${COMMENT} from community.comment where id = $1`, [id]),
    pageOf: (communityId: ObjectId, request: PageRequest) =>
      page<Post>(
        {
          columns: POST,
          from: 'community.post where community_id = $1',
          count: 'select post_count from community.community where id = $1',
        },
        [communityId],
        request,
      ),
    /** Returns posts of all communities, or those of a member in them; served by the primary key and post_of_user. */
    pageOfAll: (userId: ObjectId | undefined, request: PageRequest) =>
      readPage<PostAnywhere>(
        database,
        {
          columns: `${POST}, (select name from community.community c where c.id = community_id) as community_name`,
          from: 'community.post where ($1::text is null or user_id = $1)',
          orderBy: 'id desc',
          isGrowing: true,
        },
        [userId ?? null],
        request,
      ),
    commentsOf: (postId: ObjectId, request: PageRequest) =>
      page<Comment>(
        {
          columns: COMMENT,
          from: 'community.comment where post_id = $1',
          count: 'select comment_count from community.post where id = $1',
        },
        [postId],
        request,
      ),

    /** Inserts a post; returns false if its community no longer exists. */
    insert: async (
      tx: Transaction,
      { id, communityId, userId, content, createdAt }: Post,
    ): Promise<boolean> =>
      (await tx.execute(
        `with counted as (update community.community set post_count = post_count + 1 where id = $2 returning id)
         insert into community.post (id, community_id, user_id, content, created_at)
         select $1, counted.id, $3, $4, $5 from counted`,
        [id, communityId, userId, content, createdAt],
      )) > 0,
    /** Locks a post and returns it; undefined if it no longer exists. */
    lock: (tx: Transaction, id: ObjectId): Promise<Post | undefined> =>
      tx.first(`select ${POST} from community.post where id = $1 for no key update`, [id]),
    lockComment: (tx: Transaction, id: ObjectId): Promise<Comment | undefined> =>
      tx.first(`select ${COMMENT} from community.comment where id = $1 for no key update`, [id]),
    /** Returns whether a post stands in a community that this member created. */
    isWithCreator: async (id: ObjectId, userId: ObjectId): Promise<boolean> =>
      (await database.first(
        `select 1 as found from community.post p join community.community c on c.id = p.community_id
         where p.id = $1 and c.created_by = $2`,
        [id, userId],
      )) !== undefined,
    async editPost(tx: Transaction, one: Edited): Promise<void> {
      await tx.update('community.post', one, TEXT);
    },
    async editComment(tx: Transaction, one: Edited): Promise<void> {
      await tx.update('community.comment', one, TEXT);
    },
    /** Returns the ids of some posts of a community. */
    someOf: async (tx: Transaction, communityId: ObjectId): Promise<ObjectId[]> => {
      const some = await tx.all<{ id: ObjectId }>(
        `select id from community.post where community_id = $1 order by id limit ${ROWS_AT_ONCE}`,
        [communityId],
      );
      return some.map(({ id }) => id);
    },
    /** Deletes posts of a deleted community, which counts them no longer. */
    deleteAll: async (tx: Transaction, ids: ObjectId[]): Promise<void> => {
      await tx.execute('delete from community.post where id = any($1)', [ids]);
    },
    async delete(tx: Transaction, id: ObjectId): Promise<void> {
      await tx.execute(
        `with gone as (delete from community.post where id = $1 returning community_id)
         update community.community set post_count = post_count - 1 where id in (select community_id from gone)`,
        [id],
      );
    },
    /** Inserts a comment; returns false if its post no longer exists. */
    async insertComment(
      tx: Transaction,
      { id, postId, userId, content, createdAt }: Comment,
    ): Promise<boolean> {
      const counted = await tx.execute(
        'update community.post set comment_count = comment_count + 1 where id = $1 returning 1',
        [postId],
      );
      if (counted === 0) return false;
      await tx.insert('community.comment', { id, postId, userId, content, createdAt });
      return true;
    },
    /** Deletes a comment; returns when it was written and the author of its post, or undefined if it did not exist. */
    deleteComment: (tx: Transaction, id: ObjectId): Promise<DeletedComment | undefined> =>
      tx.first(
        `with gone as (delete from community.comment where id = $1 returning post_id, created_at)
         update community.post p set comment_count = comment_count - 1 from gone where p.id = gone.post_id
         returning gone.created_at, p.user_id as post_user_id`,
        [id],
      ),
  };
}

export type PostStore = ReturnType<typeof postStore>;
