import assert from 'node:assert/strict';
import {
  createAnnouncement,
  deleteAnnouncement,
  followEducator,
  getAnnouncementFeed,
  getEducator,
  likeAnnouncement,
  listAnnouncements,
  search,
  unfollowEducator,
  unlikeAnnouncement,
  updateAnnouncement,
} from '../../../sdk/src/index.ts';
import type { Area, Doing } from '../area.ts';
import { type Actor, expectStatus, type Stage } from '../stage.ts';

// Lists, feeds and the search show exactly what is published, and counts are those of what they count.

export const publishingKinds = {
  'publish.follow': 3,
  'publish.unfollow': 2,
  'publish.announce': 5,
  'publish.edit': 2,
  'publish.delete': 2,
  'publish.like': 4,
  'publish.unlike': 2,
};

const EDUCATORS = 2;
const MOST = 100;

interface Announcement {
  id: string;
  author: Actor;
  title: string;
  isDeleted: boolean;
  likers: Set<Actor>;
  /** Whether a lost answer leaves open what it says, or that there is a second one. */
  isUncertain: boolean;
}

export function publishingArea(stage: Stage): Area<typeof publishingKinds> {
  const { people } = stage;
  const educators = people.slice(-EDUCATORS);
  const followers = new Map(educators.map((one) => [one, new Set<Actor>()]));
  const published: Announcement[] = [];
  const educator = ({ pick: [which] }: Doing): Actor => educators[which % EDUCATORS] as Actor;
  const some = (of: Announcement[], pick: number): Announcement | undefined =>
    of[pick % Math.max(of.length, 1)];
  const readable = (): Announcement[] => published.filter(({ isDeleted }) => !isDeleted);
  // The search completes words and corrects them: no title is the beginning of another one.
  const newTitle = (): string => `titled${stage.unique()}x`;

  async function follow(doing: Doing, isFollow: boolean): Promise<void> {
    const { actor } = doing;
    const other = educator(doing);
    if (actor === other) return;
    const params = { educatorId: other.id };
    const answer = await stage.insist(actor, (client) =>
      isFollow ? client.attempt(followEducator, { params }) : client.attempt(unfollowEducator, { params }),
    );
    expectStatus(
      stage,
      `${actor.name} ${isFollow ? 'follows' : 'leaves'} ${other.name}`,
      answer,
      200,
      201,
      404,
    );
    if (isFollow) followers.get(other)?.add(actor);
    else followers.get(other)?.delete(actor);
  }

  async function like({ actor, pick }: Doing, isLike: boolean): Promise<void> {
    const liked = readable().filter(({ likers }) => likers.has(actor));
    const one = some(isLike || liked.length === 0 ? readable() : liked, pick[0]);
    if (!one) return;
    const params = { announcementId: one.id };
    const answer = await stage.insist(actor, (client) =>
      isLike ? client.attempt(likeAnnouncement, { params }) : client.attempt(unlikeAnnouncement, { params }),
    );
    expectStatus(stage, `${actor.name} ${isLike ? 'likes' : 'unlikes'} ${one.title}`, answer, 200, 201, 404);
    if (answer.status === 404) return;
    if (isLike) one.likers.add(actor);
    else one.likers.delete(actor);
  }

  async function change({ actor, pick }: Doing, work: (one: Announcement) => Promise<void>): Promise<void> {
    const one = some(
      readable().filter(({ author }) => author === actor),
      pick[0],
    );
    if (one) await work(one);
  }

  return {
    commands: {
      'publish.follow': (doing) => follow(doing, true),
      'publish.unfollow': (doing) => follow(doing, false),
      'publish.announce': async (doing) => {
        const author = educator(doing);
        const title = newTitle();
        const params = { educatorId: author.id };
        const body = { title, content: 'Today.' };
        const answer = await stage.insist(author, (client) =>
          client.attempt(createAnnouncement, { params, body }),
        );
        expectStatus(stage, `${author.name} announces ${title}`, answer, 201);
        if (!answer.data) return;
        const isUncertain = answer.uncertain > 0;
        published.push({
          id: answer.data.id,
          author,
          title,
          isDeleted: false,
          likers: new Set(),
          isUncertain,
        });
      },
      'publish.edit': (doing) =>
        change(doing, async (one) => {
          const title = newTitle();
          const params = { announcementId: one.id };
          const answer = await stage.insist(doing.actor, (client) =>
            client.attempt(updateAnnouncement, { params, body: { title } }),
          );
          expectStatus(stage, `${one.title} becomes ${title}`, answer, 200, 404);
          if (answer.status === 200) one.title = title;
        }),
      'publish.delete': (doing) =>
        change(doing, async (one) => {
          const params = { announcementId: one.id };
          const answer = await stage.insist(doing.actor, (client) =>
            client.attempt(deleteAnnouncement, { params }),
          );
          expectStatus(stage, `${one.title} is deleted`, answer, 200, 404);
          one.isDeleted = true;
        }),
      'publish.like': (doing) => like(doing, true),
      'publish.unlike': (doing) => like(doing, false),
    },

    judge: async () => {
      const reader = people[0] as Actor;
      const doubtful = new Set(
        published.filter(({ isUncertain }) => isUncertain).map(({ author }) => author),
      );
      for (const author of educators) {
        const params = { educatorId: author.id };
        const { data: listed } = await stage.insist(reader, (client) =>
          client.attempt(listAnnouncements, { params, query: { limit: MOST } }),
        );
        const own = readable().filter((one) => one.author === author);
        const shown = (listed ?? []).map(({ id, title, reactions }) => `${id} ${title} ${reactions.likes}`);
        const expected = own.map(({ id, title, likers }) => `${id} ${title} ${likers.size}`);
        if (!doubtful.has(author))
          assert.deepEqual(shown.sort(), expected.sort(), `what ${author.name} has announced, and its likes`);
        const { data } = await stage.insist(reader, (client) => client.attempt(getEducator, { params }));
        assert.equal(data?.subscriberCount, followers.get(author)?.size, `the followers of ${author.name}`);
      }
      for (const actor of people) {
        const { data } = await stage.insist(actor, (client) =>
          client.attempt(getAnnouncementFeed, { query: { limit: MOST } }),
        );
        const isMeant = (author: Actor | undefined): boolean =>
          author !== undefined && !doubtful.has(author) && followers.get(author)?.has(actor) === true;
        const expected = readable().filter(({ author }) => isMeant(author));
        const shown = (data ?? []).filter(
          ({ educatorId }) => !doubtful.has(educators.find(({ id }) => id === educatorId) as Actor),
        );
        assert.deepEqual(
          shown.map(({ id }) => id).sort(),
          expected.map(({ id }) => id).sort(),
          `the feed of ${actor.name}`,
        );
      }
      for (const { id, title, isDeleted } of published.slice(-8)) {
        const { data } = await stage.insist(reader, (client) =>
          client.attempt(search, { query: { q: title } }),
        );
        const isFound = (data?.results ?? []).some((result) => result.id === id);
        assert.equal(isFound, !isDeleted, `the search finds ${title}`);
      }
    },
  };
}
