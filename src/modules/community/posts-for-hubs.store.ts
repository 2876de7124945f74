import type { Database } from '../../kernel/database/database.ts';
import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Comment, Post } from './posts.model.ts';

interface Figures {
  posts: number;
  comments: number;
  reactions: number;
}

/** SQL on posts for search and analytics. */
export const postsForHubs = (database: Database) => ({
  findPosts: (ids: ObjectId[], queries: Queries): Promise<Post[]> =>
    queries.all(
      `select id, community_id, user_id, content, comment_count, reaction_count, created_at, edited_at
       from community.post where id = any($1)`,
      [ids],
    ),
  /** Returns those of the comments that still exist. */
  findComments: (ids: ObjectId[], queries: Queries): Promise<Pick<Comment, 'id' | 'content'>[]> =>
    queries.all(
      `select c.id, c.content from community.comment c join community.post p on p.id = c.post_id
       where c.id = any($1)`,
      [ids],
    ),
  async postIdsAfter(id: ObjectId, limit: number): Promise<ObjectId[]> {
    const rows = await database.all<{ id: ObjectId }>(
      'select id from community.post where id > $1 order by id limit $2',
      [id, limit],
    );
    return rows.map((row) => row.id);
  },
  /**
   * Returns the numbers of a member's posts, comments and reactions; served by post_by_user, comment_by_user and
   * reaction_of_user.
   */
  figuresOf: async (userId: ObjectId): Promise<Figures> =>
    (await database.first<Figures>(
      `select (select count(*) from community.post where user_id = $1) as posts,
         (select count(*) from community.comment where user_id = $1) as comments,
         (select count(*) from community.reaction where user_id = $1) as reactions`,
      [userId],
    )) ?? { posts: 0, comments: 0, reactions: 0 },
});

export type PostsForHubs = ReturnType<typeof postsForHubs>;
