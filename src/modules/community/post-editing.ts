import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { changesOf } from '../../kernel/records/audit.ts';
import { edited } from '../../kernel/records/edited.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Notifications } from '../notifications/contract.ts';
import { postChanged, postCommented, postDeleted } from './contract.ts';
import type { Comment, Post } from './posts.model.ts';
import type { PostStore } from './posts.store.ts';
import { commentNotFound, postNotFound } from './posts.ts';

interface EditingDeps extends Pick<Core, 'database' | 'events' | 'clock'> {
  store: PostStore;
  moderation: Pick<Moderation, 'mayApproachIn' | 'maySpeak' | 'intervene' | 'closeReports'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Changing and deleting posts and comments, by their authors and by moderators. */
export function postEditing(deps: EditingDeps) {
  const { store, moderation, notifications, database, events, clock } = deps;

  /** Checks that the caller is the author or a moderator. @throws insufficientPermissions */
  function mustBeOf({ userId }: { userId: ObjectId }, caller: UserCaller): void {
    if (userId !== caller.userId && !holds(caller, 'moderator')) throw insufficientPermissions();
  }

  /**
   * Checks that an author may still address those to whom a post or a comment on it speaks, as when it was written: a new
   * text reaches them like a new post. Moderators change texts of others as such. @throws muted, blocked
   */
  async function mayRewrite(tx: Transaction, postId: ObjectId, authorId: ObjectId, caller: UserCaller) {
    await moderation.maySpeak(caller, tx);
    if (authorId !== caller.userId) return;
    await moderation.mayApproachIn(tx, await store.addressedBy(tx, postId), authorId);
  }

  /** Deletes a post, if it still exists, and its author's notifications of the comments; returns whether it did. */
  async function deleteIn(tx: Transaction, id: ObjectId): Promise<boolean> {
    const post = await store.lock(tx, id);
    if (!post) return false;
    await store.delete(tx, id);
    await events.publish(tx, postDeleted, { postId: id });
    const { createdAt: since, userId: to } = post;
    await notifications.withdrawIn(tx, [{ of: postCommented, about: { postId: id }, since, to }]);
    return true;
  }

  /** Deletes a comment, if it still exists, and the notification that quotes it. */
  async function deleteCommentIn(tx: Transaction, id: ObjectId): Promise<void> {
    const deleted = await store.deleteComment(tx, id);
    if (!deleted) return;
    const { createdAt: since, postUserId: to } = deleted;
    await notifications.withdrawIn(tx, [{ of: postCommented, about: { commentId: id }, since, to }]);
  }

  return {
    /** Changes the text of a post. @throws postNotFound, insufficientPermissions, muted, blocked */
    async changePost(post: Post, content: string, caller: UserCaller, facts: RequestFacts): Promise<Post> {
      mustBeOf(post, caller);
      const { id, userId: authorId } = post;
      return database.transaction(async (tx) => {
        await mayRewrite(tx, id, authorId, caller);
        const before = await store.lock(tx, id);
        if (!before) throw postNotFound();
        const changes = changesOf(before, { content });
        const after = edited(before, content, clock.date());
        await store.editPost(tx, after);
        await events.publish(tx, postChanged, { postId: id });
        const intervention = { kind: 'post', subjectId: id, authorId, action: 'changed', changes } as const;
        await moderation.intervene(tx, actorOf(caller, facts), intervention);
        return after;
      });
    },
    /**
     * Deletes a post; if somebody else requests it, the author is notified with the reason. @throws
     * insufficientPermissions
     */
    async deletePost(post: Post, caller: UserCaller, facts: RequestFacts): Promise<void> {
      mustBeOf(post, caller);
      const { id, userId: authorId } = post;
      const actor = actorOf(caller, facts);
      await database.transaction(async (tx) => {
        // Authors do not decide about reports of what others have commented.
        const containerIds = authorId === caller.userId ? [] : [id];
        await moderation.closeReports(tx, { kind: 'post', subjectIds: [id], containerIds }, actor);
        if (!(await deleteIn(tx, id))) return;
        const intervention = { kind: 'post', subjectId: id, authorId, action: 'removed' } as const;
        await moderation.intervene(tx, actor, intervention);
      });
    },
    /** Changes the text of a comment. @throws commentNotFound, insufficientPermissions, muted, blocked */
    async changeComment(
      { id, postId, userId: authorId }: Comment,
      content: string,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<Comment> {
      mustBeOf({ userId: authorId }, caller);
      return database.transaction(async (tx) => {
        await mayRewrite(tx, postId, authorId, caller);
        const before = await store.lockComment(tx, id);
        if (!before) throw commentNotFound();
        const changes = changesOf(before, { content });
        const after = edited(before, content, clock.date());
        await store.editComment(tx, after);
        const intervention = {
          kind: 'comment',
          subjectId: id,
          authorId,
          action: 'changed',
          changes,
        } as const;
        await moderation.intervene(tx, actorOf(caller, facts), intervention);
        return after;
      });
    },
    /**
     * Deletes a comment; if somebody else requests it, the author is notified with the reason. @throws
     * insufficientPermissions
     */
    async deleteComment(comment: Comment, caller: UserCaller, facts: RequestFacts): Promise<void> {
      mustBeOf(comment, caller);
      const { id, userId: authorId } = comment;
      const actor = actorOf(caller, facts);
      await database.transaction(async (tx) => {
        await moderation.closeReports(tx, { kind: 'post_comment', subjectIds: [id] }, actor);
        await deleteCommentIn(tx, id);
        const intervention = { kind: 'comment', subjectId: id, authorId, action: 'removed' } as const;
        await moderation.intervene(tx, actor, intervention);
      });
    },
    /** Deletes a post in a transaction, if it still exists, and notifies nobody. */
    async removePostIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      await deleteIn(tx, id);
    },
    /** The same for a comment. */
    async removeCommentIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      await deleteCommentIn(tx, id);
    },
  };
}

export type PostEditing = ReturnType<typeof postEditing>;
