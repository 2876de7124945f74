import assert from 'node:assert/strict';
import {
  createComment,
  createPost,
  deletePost,
  getCommunity,
  joinCommunity,
  leaveCommunity,
  listComments,
  listPosts,
  reactToPost,
  takeBackReaction,
  updatePost,
} from '../../../sdk/src/index.ts';
import type { Area, Execution } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// A community shows exactly the posts, comments and reactions that were not removed, and its counts agree with them.

export const communityKinds = {
  'community.join': 3,
  'community.leave': 2,
  'community.post': 4,
  'community.edit': 2,
  'community.delete': 2,
  'community.comment': 3,
  'community.react': 4,
  'community.take-back': 2,
};

const PAGE_SIZE = 100;

interface Post {
  id: string;
  author: Actor;
  content: string;
  isDeleted: boolean;
  comments: string[];
  reactors: Set<Actor>;
  /** Whether a comment may exist twice, because the response to a first attempt was lost. */
  isUncertain: boolean;
}

export function communityArea(stage: Stage): Area<typeof communityKinds> {
  const { people, database } = stage;
  const params = { communityId: stage.world.community };
  const members = new Set(people);
  const posts: Post[] = [];
  /** The texts of posts that may exist twice, because the response to a first attempt was lost. */
  const uncertainPosts = new Set<string>();
  const readable = (): Post[] => posts.filter(({ isDeleted }) => !isDeleted);
  const pickFrom = (of: Post[], pick: number): Post | undefined => of[pick % Math.max(of.length, 1)];

  /** Checks that a request succeeded only for a member. Only people themselves change whether they are members. */
  function expectMembersOnly(
    what: string,
    { status }: { status: number },
    actor: Actor,
    success: number,
  ): void {
    expectStatus(stage, what, { status }, success, 403, 404);
    if (status === 403 && members.has(actor)) throw new Violation(`${what}: refused although a member`);
    if (status === success && !members.has(actor))
      throw new Violation(`${what}: accepted although not a member`);
  }

  async function react({ actor, pick }: Execution, isReaction: boolean): Promise<void> {
    const one = pickFrom(readable(), pick[0]);
    if (!one) return;
    const post = { postId: one.id };
    const answer = await stage.retryUntilCertain(actor, (client) =>
      isReaction
        ? client.attempt(reactToPost, { params: post, body: { type: pick[1] % 2 === 0 ? 'like' : 'love' } })
        : client.attempt(takeBackReaction, { params: post }),
    );
    expectMembersOnly(
      `${actor.name} ${isReaction ? 'reacts to' : 'removes the reaction to'} ${one.content}`,
      answer,
      actor,
      200,
    );
    if (answer.status !== 200) return;
    if (isReaction) one.reactors.add(actor);
    else one.reactors.delete(actor);
  }

  async function changeOwnPost(execution: Execution, work: (one: Post) => Promise<void>): Promise<void> {
    const one = pickFrom(
      readable().filter(({ author }) => author === execution.actor),
      execution.pick[0],
    );
    if (one) await work(one);
  }

  async function changeMembership({ actor }: Execution, isJoining: boolean): Promise<void> {
    const answer = await stage.retryUntilCertain(actor, (client) =>
      isJoining ? client.attempt(joinCommunity, { params }) : client.attempt(leaveCommunity, { params }),
    );
    expectStatus(stage, `${actor.name} ${isJoining ? 'joins' : 'leaves'} the community`, answer, 200);
    if (isJoining) members.add(actor);
    else members.delete(actor);
  }

  return {
    commands: {
      'community.join': (execution) => changeMembership(execution, true),
      'community.leave': (execution) => changeMembership(execution, false),
      'community.post': async ({ actor }) => {
        const content = `posted${stage.unique()}x`;
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(createPost, { params, body: { content } }),
        );
        expectMembersOnly(`${actor.name} posts ${content}`, answer, actor, 201);
        if (answer.uncertain > 0) uncertainPosts.add(content);
        if (!answer.data) return;
        posts.push({
          id: answer.data.id,
          author: actor,
          content,
          isDeleted: false,
          comments: [],
          reactors: new Set(),
          isUncertain: false,
        });
      },
      'community.edit': (execution) =>
        changeOwnPost(execution, async (one) => {
          const content = `posted${stage.unique()}x`;
          if (uncertainPosts.has(one.content)) return;
          const post = { postId: one.id };
          const answer = await stage.retryUntilCertain(execution.actor, (client) =>
            client.attempt(updatePost, { params: post, body: { content } }),
          );
          expectStatus(stage, `${one.content} becomes ${content}`, answer, 200);
          one.content = content;
        }),
      'community.delete': (execution) =>
        changeOwnPost(execution, async (one) => {
          if (uncertainPosts.has(one.content)) return;
          // Marked before the request, so that others no longer choose a post that is about to vanish.
          one.isDeleted = true;
          const post = { postId: one.id };
          const answer = await stage.retryUntilCertain(execution.actor, (client) =>
            client.attempt(deletePost, { params: post }),
          );
          expectStatus(stage, `${one.content} is deleted`, answer, 200, 404);
        }),
      'community.comment': async ({ actor, pick }) => {
        const one = pickFrom(readable(), pick[0]);
        if (!one) return;
        const content = stage.unique();
        const answer = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(createComment, { params: { postId: one.id }, body: { content } }),
        );
        expectMembersOnly(`${actor.name} comments on ${one.content}`, answer, actor, 201);
        one.isUncertain ||= answer.uncertain > 0;
        if (answer.status === 201) one.comments.push(content);
      },
      'community.react': (execution) => react(execution, true),
      'community.take-back': (execution) => react(execution, false),
    },

    judge: async () => {
      const reader = people[0] as Actor;
      const { data: community } = await stage.retryUntilCertain(reader, (client) =>
        client.attempt(getCommunity, { params }),
      );
      assert.equal(community?.memberCount, members.size, 'the members of the community');
      const { data: shown } = await stage.retryUntilCertain(reader, (client) =>
        client.attempt(listPosts, { params, query: { limit: PAGE_SIZE } }),
      );
      const isCertain = (content: string): boolean => !uncertainPosts.has(content);
      assert.deepEqual(
        (shown ?? [])
          .map(({ content }) => content)
          .filter(isCertain)
          .sort(),
        readable()
          .map(({ content }) => content)
          .filter(isCertain)
          .sort(),
        'the posts of the community',
      );
      for (const one of readable()) {
        const row = shown?.find(({ id }) => id === one.id);
        assert.equal(row?.reactionCount, one.reactors.size, `the reactions to ${one.content}`);
        const { data: comments } = await stage.retryUntilCertain(reader, (client) =>
          client.attempt(listComments, { params: { postId: one.id }, query: { limit: PAGE_SIZE } }),
        );
        assert.equal(row?.commentCount, comments?.length, `the comment count of ${one.content}`);
        if (!one.isUncertain)
          assert.deepEqual(
            (comments ?? []).map(({ content }) => content).sort(),
            one.comments.toSorted(),
            `the comments on ${one.content}`,
          );
      }
      const wrong = await database.all(
        `select id from community.community as one
         where post_count <> (select count(*) from community.post where community_id = one.id)
            or member_count <> (select count(*) from community.member where community_id = one.id)`,
      );
      assert.deepEqual(wrong, [], 'communities with wrong counts');
    },
  };
}
