import { Type } from 'typebox';
import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { job, jobKind } from '../../kernel/messaging/jobs.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { ObjectIdShape } from '../../kernel/operations/shapes.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import type { BanStore } from './bans.store.ts';
import { communityRemoved } from './community.live.ts';
import type { Community } from './community.model.ts';
import type { CommunityStore } from './community.store.ts';
import { ofNewCommunity } from './community.ts';
import { postDeleted } from './contract.ts';
import type { PostStore } from './posts.store.ts';

const forgetCommunity = jobKind('community.forget-community', {
  version: 1,
  data: Type.Object({
    communityId: ObjectIdShape,
    /** The moderator who removed it; none if its creator did, who does not decide about reports. */
    moderatorId: Type.Optional(ObjectIdShape),
  }),
});

interface RemovalDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'live'> {
  store: CommunityStore;
  bans: Pick<BanStore, 'deleteSome'>;
  posts: Pick<PostStore, 'someOf' | 'deleteAll'>;
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'closeReports'>;
}

/** Deleting communities with what stands in them. */
export function communityRemoval(deps: RemovalDeps) {
  const { store, bans, posts, fanOut, notifications, moderation, database, events, jobs, live } = deps;

  /**
   * Deletes the posts, memberships and bans of a deleted community in portions, since there may be many, and closes the reports
   * of what a moderator has removed so.
   */
  const forget = job(forgetCommunity, {
    run: async ({ communityId, moderatorId: actor }) => {
      const deletePosts = async (tx: Transaction): Promise<number> => {
        const postIds = await posts.someOf(tx, communityId);
        if (actor !== undefined)
          await moderation.closeReports(
            tx,
            { kind: 'post', subjectIds: postIds, containerIds: postIds },
            { actor },
          );
        await posts.deleteAll(tx, postIds);
        await events.publish(tx, postDeleted, ...postIds.map((postId) => ({ postId })));
        return postIds.length;
      };
      while ((await database.transaction(deletePosts)) > 0);
      while ((await store.deleteSomeMembers(communityId)) > 0);
      while ((await bans.deleteSome(communityId)) > 0);
    },
  });

  return {
    jobs: [forget],
    /**
     * Deletes a community at once, and its posts in the background; idempotent. Everybody is told of it, and not of each post,
     * of which there may be thousands, unless the caller has exceeded the hourly limit.
     */
    async delete(
      { id, createdBy: authorId, name, createdAt }: Community,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<void> {
      const actor = actorOf(caller, facts);
      const isAdmitted = lazy(() => fanOut.admitsChange('community-deletions', caller, authorId));
      const moderatorId = actor.actor === authorId ? undefined : actor.actor;
      const blockers = await database.transaction(async (tx) => {
        if (moderatorId) await moderation.closeReports(tx, { kind: 'community', subjectIds: [id] }, actor);
        if (!(await store.lock(tx, id))) return undefined;
        await store.delete(tx, id);
        await notifications.withdrawIn(tx, [ofNewCommunity({ id, createdAt })]);
        await jobs.enqueue(tx, forgetCommunity, [{ communityId: id, ...(moderatorId && { moderatorId }) }]);
        const acted = { kind: 'community', subjectId: id, authorId, action: 'removed' } as const;
        await moderation.intervene(tx, actor, { ...acted, name });
        return (await isAdmitted()) ? moderation.blockersOf(authorId, tx) : undefined;
      });
      if (blockers) await live.send(liveChannel.all, [communityRemoved({ communityId: id })], blockers);
    },
  };
}

export type CommunityRemoval = ReturnType<typeof communityRemoval>;
