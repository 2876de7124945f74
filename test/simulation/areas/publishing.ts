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
import type { Area, Execution } from '../area.ts';
import { type Actor, expectStatus, type Stage } from '../stage.ts';

// Lists, feeds and the search show exactly the published announcements, and counts agree with them.

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
const PAGE_SIZE = 100;

interface Announcement {
  id: string;
  author: Actor;
  title: string;
  isDeleted: boolean;
  likers: Set<Actor>;
  /** Whether it may exist twice, because the response to a first attempt was lost. */
  isUncertain: boolean;
}

export function publishingArea(stage: Stage): Area<typeof publishingKinds> {
  const { people } = stage;
  const educators = people.slice(-EDUCATORS);
  const followers = new Map(educators.map((one) => [one, new Set<Actor>()]));
  const published: Announcement[] = [];
  const educator = ({ pick: [which] }: Execution): Actor => educators[which % EDUCATORS] as Actor;
  const pickFrom = (of: Announcement[], pick: number): Announcement | undefined =>
    of[pick % Math.max(of.length, 1)];
  const readable = (): Announcement[] => published.filter(({ isDeleted }) => !isDeleted);
  // No title is a prefix of another one, since the search completes and corrects words.
  const newTitle = (): string => `titled${stage.unique()}x`;

  async function follow(execution: Execution, isFollow: boolean): Promise<void> {
    const { actor } = execution;
    const other = educator(execution);
    if (actor === other) return;
    const params = { educatorId: other.id };
    const answer = await stage.retryUntilCertain(actor, (client) =>
      isFollow ? client.attempt(followEducator, { params }) : client.attempt(unfollowEducator, { params }),
    );
    expectStatus(
      stage,
      `${actor.name} ${isFollow ? 'follows' : 'unfollows'} ${other.name}`,
      answer,
      200,
      201,
      404,
    );
    if (isFollow) followers.get(other)?.add(actor);
    else followers.get(other)?.delete(actor);
  }

  async function like({ actor, pick }: Execution, isLike: boolean): Promise<void> {
    const liked = readable().filter(({ likers }) => likers.has(actor));
    const one = pickFrom(isLike || liked.length === 0 ? readable() : liked, pick[0]);
    if (!one) return;
    const params = { announcementId: one.id };
    const answer = await stage.retryUntilCertain(actor, (client) =>
      isLike ? client.attempt(likeAnnouncement, { params }) : client.attempt(unlikeAnnouncement, { params }),
    );
    expectStatus(stage, `${actor.name} ${isLike ? 'likes' : 'unlikes'} ${one.title}`, answer, 200, 201, 404);
    if (answer.status === 404) return;
    if (isLike) one.likers.add(actor);
    else one.likers.delete(actor);
  }

  async function changeOwn(
    { actor, pick }: Execution,
    work: (one: Announcement) => Promise<void>,
  ): Promise<void> {
    const one = pickFrom(
      readable().filter(({ author }) => author === actor),
      pick[0],
    );
    if (one) await work(one);
  }

  return {
    commands: {
      'publish.follow': (execution) => follow(execution, true),
      'publish.unfollow': (execution) => follow(execution, false),
      'publish.announce': async (execution) => {
        const author = educator(execution);
        const title = newTitle();
        const params = { educatorId: author.id };
        const body = { title, content: 'Today.' };
        const answer = await stage.retryUntilCertain(author, (client) =>
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
      'publish.edit': (execution) =>
        changeOwn(execution, async (one) => {
          const title = newTitle();
          const params = { announcementId: one.id };
          const answer = await stage.retryUntilCertain(execution.actor, (client) =>
            client.attempt(updateAnnouncement, { params, body: { title } }),
          );
          expectStatus(stage, `${one.title} becomes ${title}`, answer, 200, 404);
          if (answer.status === 200) one.title = title;
        }),
      'publish.delete': (execution) =>
        changeOwn(execution, async (one) => {
          const params = { announcementId: one.id };
          const answer = await stage.retryUntilCertain(execution.actor, (client) =>
            client.attempt(deleteAnnouncement, { params }),
          );
          expectStatus(stage, `${one.title} is deleted`, answer, 200, 404);
          one.isDeleted = true;
        }),
      'publish.like': (execution) => like(execution, true),
      'publish.unlike': (execution) => like(execution, false),
    },

    judge: async () => {
      const reader = people[0] as Actor;
      const uncertainAuthors = new Set(
        published.filter(({ isUncertain }) => isUncertain).map(({ author }) => author),
      );
      for (const author of educators) {
        const params = { educatorId: author.id };
        const { data: listed } = await stage.retryUntilCertain(reader, (client) =>
          client.attempt(listAnnouncements, { params, query: { limit: PAGE_SIZE } }),
        );
        const own = readable().filter((one) => one.author === author);
        const shown = (listed ?? []).map(({ id, title, reactions }) => `${id} ${title} ${reactions.likes}`);
        const expected = own.map(({ id, title, likers }) => `${id} ${title} ${likers.size}`);
        if (!uncertainAuthors.has(author))
          assert.deepEqual(
            shown.sort(),
            expected.sort(),
            `the announcements of ${author.name} and their likes`,
          );
        const { data } = await stage.retryUntilCertain(reader, (client) =>
          client.attempt(getEducator, { params }),
        );
        assert.equal(data?.subscriberCount, followers.get(author)?.size, `the followers of ${author.name}`);
      }
      for (const actor of people) {
        const { data } = await stage.retryUntilCertain(actor, (client) =>
          client.attempt(getAnnouncementFeed, { query: { limit: PAGE_SIZE } }),
        );
        const isExpectedFrom = (author: Actor | undefined): boolean =>
          author !== undefined && !uncertainAuthors.has(author) && followers.get(author)?.has(actor) === true;
        const expected = readable().filter(({ author }) => isExpectedFrom(author));
        const shown = (data ?? []).filter(
          ({ educatorId }) => !uncertainAuthors.has(educators.find(({ id }) => id === educatorId) as Actor),
        );
        assert.deepEqual(
          shown.map(({ id }) => id).sort(),
          expected.map(({ id }) => id).sort(),
          `the feed of ${actor.name}`,
        );
      }
      for (const { id, title, isDeleted } of published.slice(-8)) {
        const { data } = await stage.retryUntilCertain(reader, (client) =>
          client.attempt(search, { query: { q: title } }),
        );
        const isFound = (data?.results ?? []).some((result) => result.id === id);
        assert.equal(isFound, !isDeleted, `whether the search finds ${title}`);
      }
    },
  };
}
