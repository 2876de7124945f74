import type { Database } from '../../kernel/database/database.ts';
import type { PageRequest } from '../../kernel/database/pagination.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { failure, insufficientPermissions, notFound } from '../../kernel/failures.ts';
import type { NewId, ObjectId } from '../../kernel/ids.ts';
import { type Live, liveChannel } from '../../kernel/live/live.ts';
import type { Events } from '../../kernel/messaging/events.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { FanOut } from '../notifications/contract.ts';
import { postAnnounced } from './community.live.ts';
import type { Comment, Community, CommunityStore, Post, ReactionType } from './community.store.ts';
import { commentCreated, postCommented, postCreated, postDeleted, reactionGiven } from './contract.ts';

export const communityNotFound = notFound('Community');
export const postNotFound = notFound('Post');
export const commentNotFound = notFound('Comment');
export const notInCommunity = failure(403, 'NOT_A_MEMBER', 'You are not a member of this community');

interface CommunityDeps {
  store: CommunityStore;
  database: Database;
  events: Events;
  live: Live;
  fanOut: FanOut;
  clock: Clock;
  newId: NewId;
  moderation: Pick<Moderation, 'mayApproachIn' | 'blockersOf'>;
}

/** Communities: readable by everyone, writable by their members. */
export function communityRules({
  store,
  database,
  events,
  live,
  fanOut,
  clock,
  newId,
  moderation,
}: CommunityDeps) {
  const now = () => new Date(clock.now());

  /** Returns the result of a lookup. @throws the given failure if it is undefined */
  async function found<T>(asked: Promise<T | undefined>, missing: () => Error): Promise<T> {
    const one = await asked;
    if (one === undefined) throw missing();
    return one;
  }
  const find = (id: ObjectId): Promise<Community> => found(store.find(id), communityNotFound);
  const findPost = (id: ObjectId): Promise<Post> => found(store.findPost(id), postNotFound);

  /** Returns the creator of a community that a member is in, and stays in until the end. @throws notInCommunity */
  async function creatorFor(tx: Transaction, communityId: ObjectId, userId: ObjectId): Promise<ObjectId> {
    const createdBy = await store.creatorFor(tx, communityId, userId);
    if (createdBy === undefined) throw notInCommunity();
    return createdBy;
  }

  /** Checks that the caller is the author or a moderator. @throws insufficientPermissions */
  function mustBeOf({ userId }: { userId: ObjectId }, caller: UserCaller): void {
    if (userId !== caller.userId && !holds(caller, 'moderator')) throw insufficientPermissions();
  }

  return {
    find,
    findPost,
    findComment: (id: ObjectId): Promise<Comment> => found(store.findComment(id), commentNotFound),
    pageOf: (request: PageRequest) => store.pageOf(request),
    postsOf: (id: ObjectId, request: PageRequest) => store.postsOf(id, request),
    commentsOf: (id: ObjectId, request: PageRequest) => store.commentsOf(id, request),
    /** Creates a community; its creator is the first member. */
    async create(draft: Pick<Community, 'name' | 'description'>, createdBy: ObjectId): Promise<Community> {
      const one = { ...draft, id: newId(), createdBy, memberCount: 0, postCount: 0, createdAt: now() };
      await database.transaction(async (tx) => {
        await store.insert(tx, one);
        await store.join(tx, one.id, createdBy, one.createdAt);
      });
      return find(one.id);
    },
    /** @throws blocked by its creator */
    async join({ id, createdBy }: Community, userId: ObjectId): Promise<Community> {
      await database.transaction(async (tx) => {
        await moderation.mayApproachIn(tx, [createdBy], userId);
        await store.join(tx, id, userId, now());
      });
      return find(id);
    },
    async leave({ id }: Community, userId: ObjectId): Promise<Community> {
      await store.leave(id, userId);
      return find(id);
    },
    /**
     * Removes a deleted person from every community and deletes their reactions; their posts and comments remain,
     * without a name.
     */
    async erase(userId: ObjectId): Promise<void> {
      while ((await database.transaction((tx) => store.leaveSome(tx, userId))) > 0);
      while ((await database.transaction((tx) => store.takeBackSome(tx, userId))) > 0);
    },
    /**
     * Creates a post. Announces it to all members, unless the author has exceeded the hourly limit.
     * @throws notInCommunity, blocked by the creator of the community
     */
    async post(
      communityId: ObjectId,
      content: string,
      author: UserCaller,
    ): Promise<{ post: Post; isAnnounced: boolean }> {
      const { userId } = author;
      const post = {
        id: newId(),
        communityId,
        userId,
        content,
        commentCount: 0,
        reactionCount: 0,
        createdAt: now(),
      };
      await database.transaction(async (tx) => {
        await moderation.mayApproachIn(tx, [await creatorFor(tx, communityId, userId)], userId);
        await store.insertPost(tx, post);
        await events.publish(tx, postCreated, { postId: post.id, userId, communityId });
      });
      const data = { postId: post.id, userId, communityId, content };
      const isAnnounced = await fanOut.admits('posts', author);
      if (isAnnounced)
        await live.tell(liveChannel.all, [postAnnounced(data)], await moderation.blockersOf(userId));
      return { post, isAnnounced };
    },
    /** @throws insufficientPermissions */
    async deletePost(post: Post, caller: UserCaller): Promise<void> {
      mustBeOf(post, caller);
      await database.transaction(async (tx) => {
        await store.deletePost(tx, post.id);
        await events.publish(tx, postDeleted, { postId: post.id });
      });
    },
    /**
     * Creates a comment and notifies the author of the post, unless the author of the comment has exceeded the hourly
     * limit.
     * @throws postNotFound, notInCommunity, blocked by the author of the post or the creator of the community
     */
    async comment(
      post: Post,
      content: string,
      author: UserCaller,
    ): Promise<{ comment: Comment; isQuiet: boolean }> {
      const { id: postId } = post;
      const { userId } = author;
      const isQuiet = post.userId !== userId && !(await fanOut.admits('post-comments', author));
      const comment = { id: newId(), postId, userId, content, createdAt: now() };
      await database.transaction(async (tx) => {
        const createdBy = await creatorFor(tx, post.communityId, userId);
        await moderation.mayApproachIn(tx, [createdBy, post.userId], userId);
        if (!(await store.insertComment(tx, comment))) throw postNotFound();
        const { id: commentId } = comment;
        const data = { postId, postUserId: post.userId, commentId, userId, content, isQuiet };
        await events.publish(tx, commentCreated, { postId, userId, commentId });
        if (post.userId !== userId) await events.publish(tx, postCommented, data);
      });
      return { comment, isQuiet };
    },
    /** @throws insufficientPermissions */
    async deleteComment(comment: Comment, caller: UserCaller): Promise<void> {
      mustBeOf(comment, caller);
      await store.deleteComment(comment.id);
    },
    /**
     * Sets a member's reaction; undefined removes it.
     * @throws postNotFound, notInCommunity, blocked by the creator of the community unless it is removed
     */
    async react({ id, communityId }: Post, type: ReactionType | undefined, userId: ObjectId): Promise<Post> {
      await database.transaction(async (tx) => {
        const createdBy = await creatorFor(tx, communityId, userId);
        if (type) await moderation.mayApproachIn(tx, [createdBy], userId);
        const reacted = await store.react(tx, id, userId, type, now());
        if (!reacted) throw postNotFound();
        if (type && !reacted.hadReacted)
          await events.publish(tx, reactionGiven, { postId: id, userId, type });
      });
      return findPost(id);
    },
  };
}

export type CommunityRules = ReturnType<typeof communityRules>;
