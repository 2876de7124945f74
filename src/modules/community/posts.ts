import { lazy } from '../../kernel/concurrency/lazy.ts';
import type { Core } from '../../kernel/core.ts';
import type { Page, PageRequest } from '../../kernel/database/pagination.ts';
import { notFound } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { liveChannel } from '../../kernel/live/live.ts';
import { only } from '../../kernel/only.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { answered, type RecordedAnswer } from '../../kernel/records/idempotency.ts';
import { type Identity, type Member, withMembers } from '../identity/contract.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { FanOut } from '../notifications/contract.ts';
import { postAnnounced } from './community.live.ts';
import type { CommunityRules } from './community.ts';
import { commentCreated, postCommented, postCreated, reactionGiven } from './contract.ts';
import { notInCommunity } from './failures.ts';
import {
  type Comment,
  NO_REACTIONS,
  type Post,
  type PostAnywhere,
  type ReactionType,
  type SeenPost,
} from './posts.model.ts';
import type { PostStore } from './posts.store.ts';
import type { ReactionStore } from './reactions.store.ts';

export const postNotFound = notFound('Post');
export const commentNotFound = notFound('Comment');

interface PostDeps extends Pick<Core, 'database' | 'events' | 'live' | 'clock' | 'newId'> {
  communities: Pick<CommunityRules, 'creatorFor'>;
  store: PostStore;
  reactions: ReactionStore;
  fanOut: FanOut;
  identity: Pick<Identity, 'profilesOf'>;
  moderation: Pick<Moderation, 'mayApproachIn' | 'blockersOf' | 'maySpeak'>;
}

type PostView = SeenPost & { user: Member };

/** A new post. It is announced to all members unless its author has exceeded the hourly limit. */
export interface CreatedPost {
  post: PostView;
  isAnnounced: boolean;
}

/** A new comment. It is quiet, so that the author of the post is not notified, beyond the hourly limit. */
export interface CreatedComment {
  comment: Comment & { user: Member };
  isQuiet: boolean;
}

/** Posts in communities, with comments and reactions. */
export function postRules(deps: PostDeps) {
  const {
    communities,
    store,
    reactions,
    database,
    events,
    live,
    fanOut,
    clock,
    newId,
    identity,
    moderation,
  } = deps;

  /** @throws postNotFound */
  async function find(id: ObjectId): Promise<Post> {
    const post = await store.find(id);
    if (!post) throw postNotFound();
    return post;
  }

  /** Returns posts with their authors, the reactions to them and the member's own. */
  async function seenBy<P extends Post>({ userId }: UserCaller, posts: P[]): Promise<(P & PostView)[]> {
    const ids = posts.map(({ id }) => id);
    const [named, own, counts] = await Promise.all([
      withMembers(identity, posts),
      reactions.ownOf(userId, ids),
      reactions.countsOf(ids),
    ]);
    return named.map((post) => ({
      ...post,
      reactions: counts.get(post.id) ?? NO_REACTIONS,
      ownReaction: own.get(post.id) ?? null,
    }));
  }

  return {
    find,
    view: async (post: Post, caller: UserCaller): Promise<PostView> => only(await seenBy(caller, [post])),
    async pageOf(communityId: ObjectId, request: PageRequest, caller: UserCaller): Promise<Page<PostView>> {
      const page = await store.pageOf(communityId, request);
      return { ...page, items: await seenBy(caller, page.items) };
    },
    /** Returns the posts of all communities, or those of one member, with the names of their communities. */
    async pageOfAll(
      userId: ObjectId | undefined,
      request: PageRequest,
      caller: UserCaller,
    ): Promise<Page<PostView & PostAnywhere>> {
      const page = await store.pageOfAll(userId, request);
      return { ...page, items: await seenBy(caller, page.items) };
    },
    commentsOf: (id: ObjectId, request: PageRequest) => store.commentsOf(id, request),
    /** @throws commentNotFound */
    async findComment(id: ObjectId): Promise<Comment> {
      const comment = await store.findComment(id);
      if (!comment) throw commentNotFound();
      return comment;
    },
    /**
     * Creates a post. Announces it to all members, unless the author has exceeded the hourly limit.
     * @throws notInCommunity, blocked by the creator of the community
     */
    async create(
      communityId: ObjectId,
      content: string,
      author: UserCaller,
      answering: RecordedAnswer<CreatedPost>,
    ): Promise<CreatedPost> {
      const { userId } = author;
      const draft = {
        id: newId(),
        communityId,
        userId,
        content,
        commentCount: 0,
        reactionCount: 0,
        createdAt: clock.date(),
        editedAt: null,
      };
      const named = only(await withMembers(identity, [draft]));
      const post = { ...named, reactions: NO_REACTIONS, ownReaction: null };
      const isAdmitted = lazy(() => fanOut.admits('posts', author));
      const { created, blockers } = await database.transaction(async (tx) => {
        await moderation.maySpeak(author, tx);
        await moderation.mayApproachIn(tx, [await communities.creatorFor(tx, communityId, userId)], userId);
        // Counted only now that it is admitted, and once, however often the transaction is repeated.
        const created = { post, isAnnounced: await isAdmitted() };
        if (!(await store.insert(tx, post))) throw notInCommunity();
        await events.publish(tx, postCreated, { postId: post.id, userId, communityId });
        await answered(tx, answering, created);
        return { created, blockers: await moderation.blockersOf(userId, tx) };
      });
      const data = { postId: post.id, userId, user: post.user, communityId, content };
      if (created.isAnnounced) await live.send(liveChannel.all, [postAnnounced(data)], blockers);
      return created;
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
      answering: RecordedAnswer<CreatedComment>,
    ): Promise<CreatedComment> {
      const { id: postId } = post;
      const { userId } = author;
      const isAdmitted = lazy(() => fanOut.admits('post-comments', author));
      const draft = { id: newId(), postId, userId, content, createdAt: clock.date(), editedAt: null };
      const comment = only(await withMembers(identity, [draft]));
      return database.transaction(async (tx) => {
        await moderation.maySpeak(author, tx);
        const createdBy = await communities.creatorFor(tx, post.communityId, userId);
        await moderation.mayApproachIn(tx, [createdBy, post.userId], userId);
        const isQuiet = post.userId !== userId && !(await isAdmitted());
        if (!(await store.insertComment(tx, comment))) throw postNotFound();
        const { id: commentId } = comment;
        const data = { postId, postUserId: post.userId, commentId, userId, isQuiet };
        await events.publish(tx, commentCreated, { postId, userId, commentId });
        if (post.userId !== userId) await events.publish(tx, postCommented, data);
        return answered(tx, answering, { comment, isQuiet });
      });
    },
    /**
     * Sets a member's reaction; undefined removes it.
     * @throws postNotFound, notInCommunity, blocked by the creator of the community unless it is removed
     */
    async react({ id, communityId }: Post, type: ReactionType | undefined, userId: ObjectId): Promise<Post> {
      await database.transaction(async (tx) => {
        const createdBy = await communities.creatorFor(tx, communityId, userId);
        if (type) await moderation.mayApproachIn(tx, [createdBy], userId);
        const reacted = await reactions.react(tx, { postId: id, userId, type, at: clock.date() });
        if (!reacted) throw postNotFound();
        if (type && !reacted.hadReacted)
          await events.publish(tx, reactionGiven, { postId: id, userId, type });
      });
      return find(id);
    },
    /** Deletes the reactions of a deleted member; their posts and comments remain, without a name. */
    async erase(userId: ObjectId): Promise<void> {
      while ((await database.transaction((tx) => reactions.deleteSome(tx, userId))) > 0);
    },
  };
}

export type PostRules = ReturnType<typeof postRules>;
