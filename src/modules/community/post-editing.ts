import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { only } from '../../kernel/only.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { changesOf } from '../../kernel/records/audit.ts';
import { edited } from '../../kernel/records/edited.ts';
import { type Identity, withMembers } from '../identity/contract.ts';
import type { AfterCommit, Moderation } from '../moderation/contract.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import { postRemoved, postUpdated } from './community.live.ts';
import { postChanged, postCommented, postDeleted } from './contract.ts';
import type { PostRights } from './post-rights.ts';
import type { Post } from './posts.model.ts';
import type { PostStore } from './posts.store.ts';
import { postNotFound } from './posts.ts';

/** A changed post. Connected members are told unless the caller has exceeded the hourly limit. */
interface ChangedPost {
  post: Post;
  isAnnounced: boolean;
}

interface EditingDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock'> {
  store: PostStore;
  rights: PostRights;
  fanOut: FanOut;
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'blockersOf' | 'intervene' | 'closeReports'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Changing and deleting posts, by their authors and by moderators. */
export function postEditing(deps: EditingDeps) {
  const { store, rights, fanOut, identity, moderation, notifications, database, events, live, clock } = deps;
  const { mustBeOf, mayRewrite, mayDelete } = rights;

  /** Deletes a post, if it still exists, and its author's notifications of the comments; returns it. */
  async function deleteIn(tx: Transaction, id: ObjectId): Promise<Post | undefined> {
    const post = await store.lock(tx, id);
    if (!post) return undefined;
    await store.delete(tx, id);
    await events.publish(tx, postDeleted, { postId: id });
    const { createdAt: since, userId: to } = post;
    await notifications.withdrawIn(tx, [{ of: postCommented, about: { postId: id }, since, to }]);
    return post;
  }

  /** Makes what tells everybody that a post was deleted, once that is committed. */
  async function tellingRemoval(
    tx: Transaction,
    { id: postId, userId, communityId }: Post,
  ): Promise<AfterCommit> {
    const blockers = await moderation.blockersOf(userId, tx);
    return () => live.send(liveChannel.all, [postRemoved({ postId, communityId })], blockers);
  }

  /** Tells everybody of the new text of a post. */
  async function tellChange(post: Post, editedAt: Date, blockers: ObjectId[]): Promise<void> {
    const { id: postId, userId, user, communityId, content } = only(await withMembers(identity, [post]));
    const data = { postId, userId, user, communityId, content, editedAt };
    await live.send(liveChannel.all, [postUpdated(data)], blockers);
  }

  return {
    /**
     * Changes the text of a post, and tells everybody unless the caller has exceeded the hourly limit.
     * @throws postNotFound, insufficientPermissions, muted, notInCommunity, bannedFromCommunity, blocked
     */
    async changePost(
      post: Post,
      content: string,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<ChangedPost> {
      mustBeOf(post, caller);
      const { id, userId: authorId } = post;
      const isAdmitted = lazy(() => fanOut.admitsChange('post-changes', caller, authorId));
      const { changed, blockers, ...answer } = await database.transaction(async (tx) => {
        await mayRewrite(tx, post, authorId, caller);
        const before = await store.lock(tx, id);
        if (!before) throw postNotFound();
        const changes = changesOf(before, { content });
        const after = edited(before, content, clock.date());
        await store.editPost(tx, after);
        await events.publish(tx, postChanged, { postId: id });
        const intervention = { kind: 'post', subjectId: id, authorId, action: 'changed', changes } as const;
        await moderation.intervene(tx, actorOf(caller, facts), intervention);
        // Nobody is told of the same text again, which does not count.
        const changed = content !== before.content;
        const isAnnounced = !changed || (await isAdmitted());
        return { post: after, changed, isAnnounced, blockers: await moderation.blockersOf(authorId, tx) };
      });
      const { post: after, isAnnounced } = answer;
      if (changed && isAnnounced && after.editedAt) await tellChange(after, after.editedAt, blockers);
      return answer;
    },
    /**
     * Deletes a post, and tells everybody unless the caller has exceeded the hourly limit; if somebody else requests it, the
     * author is notified with the reason.
     * @throws insufficientPermissions
     */
    async deletePost(post: Post, caller: UserCaller, facts: RequestFacts): Promise<void> {
      const { id, userId: authorId } = post;
      await mayDelete({ userId: authorId, postId: id }, caller);
      const actor = actorOf(caller, facts);
      const isAdmitted = lazy(() => fanOut.admitsChange('post-deletions', caller, authorId));
      const tell = await database.transaction(async (tx) => {
        // Neither authors nor creators of communities decide about reports.
        if (authorId !== caller.userId && holds(caller, 'moderator'))
          await moderation.closeReports(tx, { kind: 'post', subjectIds: [id], containerIds: [id] }, actor);
        const deleted = await deleteIn(tx, id);
        if (!deleted) return undefined;
        const intervention = { kind: 'post', subjectId: id, authorId, action: 'removed' } as const;
        await moderation.intervene(tx, actor, intervention);
        return (await isAdmitted()) ? tellingRemoval(tx, deleted) : undefined;
      });
      await tell?.();
    },
    /** Deletes a post because of a report, if it still exists; its author is not notified. */
    async removePostIn(tx: Transaction, id: ObjectId): Promise<AfterCommit | undefined> {
      const deleted = await deleteIn(tx, id);
      return deleted && tellingRemoval(tx, deleted);
    },
  };
}

export type PostEditing = ReturnType<typeof postEditing>;
