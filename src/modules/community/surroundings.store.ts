import type { Database } from '../../kernel/database/database.ts';
import { readNeighbours } from '../../kernel/database/neighbours.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Surrounding } from '../moderation/contract.ts';

const columns = 'id, user_id, content as text, created_at, edited_at, null::timestamptz as deleted_at';

/** SQL of what stands around posts and comments; served by post_listing and comment_listing. */
export const surroundingsStore = (database: Database) => ({
  ofPost: (id: ObjectId, communityId: ObjectId, sides: number): Promise<Surrounding[]> =>
    readNeighbours(
      database,
      { columns, table: 'community.post', container: 'community_id' },
      { id, containerId: communityId },
      sides,
    ),
  ofComment: (id: ObjectId, postId: ObjectId, sides: number): Promise<Surrounding[]> =>
    readNeighbours(
      database,
      { columns, table: 'community.comment', container: 'post_id' },
      { id, containerId: postId },
      sides,
    ),
});

export type SurroundingsStore = ReturnType<typeof surroundingsStore>;
