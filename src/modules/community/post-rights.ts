import type { Transaction } from '../../kernel/database/queries.ts';
import { insufficientPermissions } from '../../kernel/failures.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import { holds } from '../../kernel/operations/access.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import type { Moderation } from '../moderation/contract.ts';
import type { CommunityRules } from './community.ts';
import type { PostStore } from './posts.store.ts';

interface RightsDeps {
  store: Pick<PostStore, 'isWithCreator'>;
  communities: Pick<CommunityRules, 'creatorFor'>;
  moderation: Pick<Moderation, 'mayApproachIn' | 'maySpeak'>;
}

/** Who may change and delete posts and comments. */
export function postRights({ store, communities, moderation }: RightsDeps) {
  /** Checks that the caller is the author or a moderator. @throws insufficientPermissions */
  function mustBeOf({ userId }: { userId: ObjectId }, caller: UserCaller): void {
    if (userId !== caller.userId && !holds(caller, 'moderator')) throw insufficientPermissions();
  }

  /**
   * Checks that an author may still address those to whom a post or a comment on it speaks, as when it was written: a new
   * text reaches them like a new post. Moderators change texts of others as such.
   * @throws muted, notInCommunity, bannedFromCommunity, blocked
   */
  async function mayRewrite(
    tx: Transaction,
    post: { id: ObjectId; communityId: ObjectId; userId: ObjectId },
    authorId: ObjectId,
    caller: UserCaller,
  ): Promise<void> {
    await moderation.maySpeak(caller, tx);
    if (authorId !== caller.userId) return;
    const createdBy = await communities.creatorFor(tx, post.communityId, authorId);
    await moderation.mayApproachIn(tx, [createdBy, post.userId], authorId);
  }

  /**
   * Checks that the caller may delete a post or a comment on it: its author, the creator of the community, who moderates it,
   * or a moderator. @throws insufficientPermissions
   */
  async function mayDelete(
    { userId, postId }: { userId: ObjectId; postId: ObjectId },
    caller: UserCaller,
  ): Promise<void> {
    if (userId === caller.userId || holds(caller, 'moderator')) return;
    if (!(await store.isWithCreator(postId, caller.userId))) throw insufficientPermissions();
  }

  return { mustBeOf, mayRewrite, mayDelete };
}

export type PostRights = ReturnType<typeof postRights>;
