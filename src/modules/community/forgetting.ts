import { Type } from 'typebox';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { type Job, job, jobKind } from '../../kernel/messaging/jobs.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { CommunityStore } from './community.store.ts';
import { postDeleted } from './contract.ts';
import type { PostStore } from './posts.store.ts';

export const forgetCommunity = jobKind('community.forget-community', {
  version: 1,
  data: Type.Object({
    communityId: ObjectIdShape,
    /** The moderator who removed it; none if its creator did, who does not decide about reports. */
    moderatorId: Type.Optional(ObjectIdShape),
  }),
});

interface ForgettingDeps extends Pick<Core, 'database' | 'events'> {
  store: Pick<CommunityStore, 'deleteSomeMembers'>;
  posts: Pick<PostStore, 'someOf' | 'deleteAll'>;
  moderation: Pick<Moderation, 'closeReports'>;
}

/**
 * Deletes the posts and memberships of a deleted community in portions, since there may be many, and closes the reports
 * of what a moderator has removed so.
 */
export function communityForgetting({ store, posts, moderation, database, events }: ForgettingDeps): Job {
  async function deletePosts(tx: Transaction, communityId: string, actor?: string): Promise<number> {
    const postIds = await posts.someOf(tx, communityId);
    const removed = { kind: 'post', subjectIds: postIds, containerIds: postIds };
    if (actor !== undefined) await moderation.closeReports(tx, removed, { actor });
    await posts.deleteAll(tx, postIds);
    await events.publish(tx, postDeleted, ...postIds.map((postId) => ({ postId })));
    return postIds.length;
  }

  return job(forgetCommunity, {
    run: async ({ communityId, moderatorId }) => {
      while ((await database.transaction((tx) => deletePosts(tx, communityId, moderatorId))) > 0);
      while ((await store.deleteSomeMembers(communityId)) > 0);
    },
  });
}
