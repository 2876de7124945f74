import type { Core } from '../../kernel/core.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../kernel/operations/callers.ts';
import { changesOf } from '../../kernel/records/audit.ts';
import { edited } from '../../kernel/records/edited.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { Notifications } from '../notifications/contract.ts';
import { postCommented } from './contract.ts';
import type { PostRights } from './post-rights.ts';
import type { Comment } from './posts.model.ts';
import type { PostStore } from './posts.store.ts';
import { commentNotFound } from './posts.ts';

interface EditingDeps extends Pick<Core, 'database' | 'clock'> {
  store: PostStore;
  rights: PostRights;
  moderation: Pick<Moderation, 'intervene' | 'closeReports'>;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Changing and deleting comments, by their authors and by moderators. */
export function commentEditing({ store, rights, moderation, notifications, database, clock }: EditingDeps) {
  const { mustBeOf, mayRewrite, mayDelete } = rights;

  /** Deletes a comment, if it still exists, and the notification that quotes it. */
  async function deleteCommentIn(tx: Transaction, id: ObjectId): Promise<void> {
    const deleted = await store.deleteComment(tx, id);
    if (!deleted) return;
    const { createdAt: since, postUserId: to } = deleted;
    await notifications.withdrawIn(tx, [{ of: postCommented, about: { commentId: id }, since, to }]);
  }

  return {
    /**
     * Changes the text of a comment.
     * @throws commentNotFound, insufficientPermissions, muted, notInCommunity, bannedFromCommunity, blocked
     */
    async changeComment(
      { id, postId, userId: authorId }: Comment,
      content: string,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<Comment> {
      mustBeOf({ userId: authorId }, caller);
      return database.transaction(async (tx) => {
        const post = await store.find(postId, tx);
        if (!post) throw commentNotFound();
        await mayRewrite(tx, post, authorId, caller);
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
      await mayDelete(comment, caller);
      const { id, userId: authorId } = comment;
      const actor = actorOf(caller, facts);
      await database.transaction(async (tx) => {
        if (authorId !== caller.userId && holds(caller, 'moderator'))
          await moderation.closeReports(tx, { kind: 'post_comment', subjectIds: [id] }, actor);
        await deleteCommentIn(tx, id);
        const intervention = { kind: 'comment', subjectId: id, authorId, action: 'removed' } as const;
        await moderation.intervene(tx, actor, intervention);
      });
    },
    /** Deletes a comment because of a report, if it still exists; its author is not notified. */
    async removeCommentIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      await deleteCommentIn(tx, id);
    },
  };
}

export type CommentEditing = ReturnType<typeof commentEditing>;
