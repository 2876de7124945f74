import { lazy } from '../../../kernel/concurrency/lazy.ts';
import type { Core } from '../../../kernel/core.ts';
import type { Page, PageRequest } from '../../../kernel/database/pagination.ts';
import type { Transaction } from '../../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { only } from '../../../kernel/only.ts';
import { holds } from '../../../kernel/operations/access.ts';
import { actorOf, type RequestFacts, type UserCaller } from '../../../kernel/operations/callers.ts';
import { changesOf } from '../../../kernel/records/audit.ts';
import { edited } from '../../../kernel/records/edited.ts';
import { answered, type RecordedAnswer } from '../../../kernel/records/idempotency.ts';
import { type Identity, type Member, withMembers } from '../../identity/contract.ts';
import type { Moderation } from '../../moderation/contract.ts';
import type { FanOut, Notifications } from '../../notifications/contract.ts';
import type { Announcement } from '../announcements/announcements.model.ts';
import type { AnnouncementStore } from '../announcements/announcements.store.ts';
import { announcementCommented } from '../contract.ts';
import { announcementNotFound, commentNotFound } from '../failures.ts';
import type { Comment } from './comments.model.ts';
import type { CommentStore } from './comments.store.ts';

/** The name of the kind of content in moderation. */
const KIND = 'announcement-comment';

export type CommentView = Comment & { user: Member };

/** A new comment, and whether the educator is not notified of it, since its author has exceeded the hourly limit. */
export interface CreatedComment {
  comment: CommentView;
  isQuiet: boolean;
}

interface Found {
  comment: Comment;
  announcement: Announcement;
}

interface CommentDeps extends Pick<Core, 'database' | 'events' | 'clock' | 'newId'> {
  store: CommentStore;
  announcements: AnnouncementStore;
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'mayApproachIn' | 'maySpeak' | 'intervene' | 'closeReports'>;
  fanOut: FanOut;
  notifications: Pick<Notifications, 'withdrawIn'>;
}

/** Members' comments on announcements. */
export function commentRules(deps: CommentDeps) {
  const { store, announcements, identity, moderation, notifications, fanOut } = deps;
  const { database, events, clock, newId } = deps;

  /** Returns a comment on an announcement that members may see. @throws commentNotFound */
  async function find(id: ObjectId): Promise<Found> {
    const comment = await store.find(id);
    const announcement = comment && (await announcements.find(comment.announcementId));
    if (!announcement) throw commentNotFound();
    return { comment, announcement };
  }

  /** Checks that a member may address the educator, as a comment does. @throws muted, blocked */
  async function mayComment(
    tx: Transaction,
    { educatorId }: Announcement,
    author: UserCaller,
  ): Promise<void> {
    await moderation.maySpeak(author, tx);
    await moderation.mayApproachIn(tx, [educatorId], author.userId);
  }

  /** Deletes a comment, if it still exists, and the notification that quotes it. */
  async function deleteIn(tx: Transaction, id: ObjectId): Promise<void> {
    const deleted = await store.delete(tx, id);
    if (!deleted) return;
    const { createdAt: since, educatorId: to } = deleted;
    await notifications.withdrawIn(tx, [{ of: announcementCommented, about: { commentId: id }, since, to }]);
  }

  return {
    find,
    async pageOf(announcementId: ObjectId, request: PageRequest): Promise<Page<CommentView>> {
      const page = await store.pageOf(announcementId, request);
      return { ...page, items: await withMembers(identity, page.items) };
    },
    /**
     * Creates a comment and notifies the educator, unless its author has exceeded the hourly limit.
     * @throws muted, blocked, announcementNotFound when it was deleted concurrently
     */
    async create(
      announcement: Announcement,
      content: string,
      author: UserCaller,
      answering: RecordedAnswer<CreatedComment>,
    ): Promise<CreatedComment> {
      const { id, educatorId } = announcement;
      const { userId } = author;
      const at = clock.date();
      const draft = { id: newId(), announcementId: id, userId, content, createdAt: at, editedAt: null };
      const comment = only(await withMembers(identity, [draft]));
      const isAdmitted = lazy(() => fanOut.admits('announcement-comments', author));
      return database.transaction(async (tx) => {
        await mayComment(tx, announcement, author);
        const isQuiet = userId !== educatorId && !(await isAdmitted());
        if (!(await store.insert(tx, comment))) throw announcementNotFound();
        await events.publish(tx, announcementCommented, {
          announcementId: id,
          educatorId,
          userId,
          commentId: comment.id,
          isQuiet,
        });
        return answered(tx, answering, { comment, isQuiet });
      });
    },
    /** Returns a comment if the caller may delete it: its author, the educator, or a moderator. */
    async deletable(id: ObjectId, caller: UserCaller): Promise<Comment> {
      const { comment, announcement } = await find(id);
      const mayDelete = [comment.userId, announcement.educatorId].includes(caller.userId);
      if (!mayDelete && !holds(caller, 'moderator')) throw insufficientPermissions();
      return comment;
    },
    /** Deletes a comment; if a moderator deletes it, its author is notified with the reason. */
    delete: ({ id, userId }: Pick<Comment, 'id' | 'userId'>, caller: UserCaller, facts: RequestFacts) =>
      database.transaction(async (tx) => {
        const actor = actorOf(caller, facts);
        const moderates = holds(caller, 'moderator');
        if (moderates) await moderation.closeReports(tx, { kind: 'comment', subjectIds: [id] }, actor);
        await deleteIn(tx, id);
        const removed = { kind: KIND, subjectId: id, authorId: userId, action: 'removed' } as const;
        if (moderates) await moderation.intervene(tx, actor, removed);
      }),
    /** Deletes a comment in a transaction, if it still exists, and notifies nobody. */
    async removeIn(tx: Transaction, id: ObjectId): Promise<undefined> {
      await deleteIn(tx, id);
    },
    /**
     * Changes the text of a comment, as its author, who must still be admitted to comment, or as a moderator.
     * @throws commentNotFound, muted, blocked
     */
    async change(
      { comment: { id, userId }, announcement }: Found,
      content: string,
      caller: UserCaller,
      facts: RequestFacts,
    ): Promise<CommentView> {
      const changed = await database.transaction(async (tx) => {
        if (userId === caller.userId) await mayComment(tx, announcement, caller);
        const before = await store.lock(tx, id);
        if (!before) throw commentNotFound();
        const after = edited(before, content, clock.date());
        await store.edit(tx, after);
        const acted = { kind: KIND, subjectId: id, authorId: before.userId, action: 'changed' } as const;
        const changes = changesOf(before, { content });
        await moderation.intervene(tx, actorOf(caller, facts), { ...acted, changes });
        return after;
      });
      return only(await withMembers(identity, [changed]));
    },
    /** Returns a comment if the caller may change it: its author, or a moderator. */
    async changeable(id: ObjectId, caller: UserCaller): Promise<Found> {
      const found = await find(id);
      if (found.comment.userId !== caller.userId && !holds(caller, 'moderator'))
        throw insufficientPermissions();
      return found;
    },
  };
}

export type CommentRules = ReturnType<typeof commentRules>;
