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
import type { Area, Doing } from '../area.ts';
import { type Actor, expectStatus, type Stage, Violation } from '../stage.ts';

// A community counts whom and what it shows, and shows what was posted and not taken back.

export const gatheringKinds = {
  'gathering.join': 3,
  'gathering.leave': 2,
  'gathering.post': 4,
  'gathering.edit': 2,
  'gathering.delete': 2,
  'gathering.comment': 3,
  'gathering.react': 4,
  'gathering.take-back': 2,
};

const MOST = 100;

interface Post {
  id: string;
  author: Actor;
  content: string;
  isDeleted: boolean;
  comments: string[];
  reactors: Set<Actor>;
  /** Whether a lost answer leaves open that a comment is there twice. */
  isUncertain: boolean;
}

export function gatheringArea(stage: Stage): Area<typeof gatheringKinds> {
  const { people, database } = stage;
  const params = { communityId: stage.world.community };
  const members = new Set(people);
  const posts: Post[] = [];
  /** Posts of which a lost answer leaves open whether there is a second one. */
  const doubtful = new Set<string>();
  const readable = (): Post[] => posts.filter(({ isDeleted }) => !isDeleted);
  const some = (of: Post[], pick: number): Post | undefined => of[pick % Math.max(of.length, 1)];

  /** Only members may; nobody else changes whether somebody is one. */
  function expectOfMember(what: string, { status }: { status: number }, actor: Actor, success: number): void {
    expectStatus(stage, what, { status }, success, 403, 404);
    if (status === 403 && members.has(actor)) throw new Violation(`${what}, as a member, was refused`);
    if (status === success && !members.has(actor)) throw new Violation(`${what}, being no member`);
  }

  async function react({ actor, pick }: Doing, isReaction: boolean): Promise<void> {
    const one = some(readable(), pick[0]);
    if (!one) return;
    const post = { postId: one.id };
    const answer = await stage.insist(actor, (client) =>
      isReaction
        ? client.attempt(reactToPost, { params: post, body: { type: pick[1] % 2 === 0 ? 'like' : 'love' } })
        : client.attempt(takeBackReaction, { params: post }),
    );
    expectOfMember(
      `${actor.name} ${isReaction ? 'reacts to' : 'takes back from'} ${one.content}`,
      answer,
      actor,
      200,
    );
    if (answer.status !== 200) return;
    if (isReaction) one.reactors.add(actor);
    else one.reactors.delete(actor);
  }

  async function change(doing: Doing, work: (one: Post) => Promise<void>): Promise<void> {
    const one = some(
      readable().filter(({ author }) => author === doing.actor),
      doing.pick[0],
    );
    if (one) await work(one);
  }

  async function belong({ actor }: Doing, isJoining: boolean): Promise<void> {
    const answer = await stage.insist(actor, (client) =>
      isJoining ? client.attempt(joinCommunity, { params }) : client.attempt(leaveCommunity, { params }),
    );
    expectStatus(stage, `${actor.name} ${isJoining ? 'joins' : 'leaves'} the community`, answer, 200);
    if (isJoining) members.add(actor);
    else members.delete(actor);
  }

  return {
    commands: {
      'gathering.join': (doing) => belong(doing, true),
      'gathering.leave': (doing) => belong(doing, false),
      'gathering.post': async ({ actor }) => {
        const content = `posted${stage.unique()}x`;
        const answer = await stage.insist(actor, (client) =>
          client.attempt(createPost, { params, body: { content } }),
        );
        expectOfMember(`${actor.name} posts ${content}`, answer, actor, 201);
        if (answer.uncertain > 0) doubtful.add(content);
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
      'gathering.edit': (doing) =>
        change(doing, async (one) => {
          const content = `posted${stage.unique()}x`;
          if (doubtful.has(one.content)) return;
          const post = { postId: one.id };
          const answer = await stage.insist(doing.actor, (client) =>
            client.attempt(updatePost, { params: post, body: { content } }),
          );
          expectStatus(stage, `${one.content} becomes ${content}`, answer, 200);
          one.content = content;
        }),
      'gathering.delete': (doing) =>
        change(doing, async (one) => {
          if (doubtful.has(one.content)) return;
          // Whoever reacts meanwhile reacts to what is going.
          one.isDeleted = true;
          const post = { postId: one.id };
          const answer = await stage.insist(doing.actor, (client) =>
            client.attempt(deletePost, { params: post }),
          );
          expectStatus(stage, `${one.content} is deleted`, answer, 200, 404);
        }),
      'gathering.comment': async ({ actor, pick }) => {
        const one = some(readable(), pick[0]);
        if (!one) return;
        const content = stage.unique();
        const answer = await stage.insist(actor, (client) =>
          client.attempt(createComment, { params: { postId: one.id }, body: { content } }),
        );
        expectOfMember(`${actor.name} comments on ${one.content}`, answer, actor, 201);
        one.isUncertain ||= answer.uncertain > 0;
        if (answer.status === 201) one.comments.push(content);
      },
      'gathering.react': (doing) => react(doing, true),
      'gathering.take-back': (doing) => react(doing, false),
    },

    judge: async () => {
      const reader = people[0] as Actor;
      const { data: community } = await stage.insist(reader, (client) =>
        client.attempt(getCommunity, { params }),
      );
      assert.equal(community?.memberCount, members.size, 'the members of the community');
      const { data: shown } = await stage.insist(reader, (client) =>
        client.attempt(listPosts, { params, query: { limit: MOST } }),
      );
      const isSure = (content: string): boolean => !doubtful.has(content);
      assert.deepEqual(
        (shown ?? [])
          .map(({ content }) => content)
          .filter(isSure)
          .sort(),
        readable()
          .map(({ content }) => content)
          .filter(isSure)
          .sort(),
        'the posts of the community',
      );
      for (const one of readable()) {
        const row = shown?.find(({ id }) => id === one.id);
        assert.equal(row?.reactionCount, one.reactors.size, `the reactions to ${one.content}`);
        const { data: comments } = await stage.insist(reader, (client) =>
          client.attempt(listComments, { params: { postId: one.id }, query: { limit: MOST } }),
        );
        assert.equal(row?.commentCount, comments?.length, `${one.content} counts its comments`);
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
      assert.deepEqual(wrong, [], 'a community counts its posts and members');
    },
  };
}
