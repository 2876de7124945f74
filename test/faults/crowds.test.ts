import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAnnouncementComment,
  createComment,
  createCommunity,
  createPost,
  deleteCourseRating,
  enrollInCourse,
  followEducator,
  joinChatroom,
  joinCommunity,
  joinEducatorChatroom,
  leaveChatroom,
  leaveCommunity,
  leaveCourse,
  leaveEducatorChatroom,
  likeAnnouncement,
  rateCourse,
  reactToPost,
  report,
  subscribeToEducator,
  takeBackReaction,
  tipEducator,
  unfollowEducator,
  unlikeAnnouncement,
  unsubscribeFromEducator,
  updateLessonProgress,
} from '../../sdk/src/index.ts';
import { announce } from '../support/announcements.ts';
import { newRoom, trySending } from '../support/chatrooms.ts';
import type { Client } from '../support/client.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import { untilAvailable } from '../support/holding.ts';
import { startPlatform } from '../support/platform.ts';

type Answered = Promise<{ status: number }>;

const CROWD = 8;
const platform = await startPlatform();
const educator = await newEducator(platform);
const { course, lessons } = await newCourse(platform, { owner: educator });
const announcement = await announce(educator);
const chatroomId = await newRoom(educator);
const community = (await educator.client.call(createCommunity, { body: { name: 'Metals' } })).data;
const inCommunity = { params: { communityId: community.id } };
const post = (await educator.client.call(createPost, { ...inCommunity, body: { content: 'Gold.' } })).data;
const crowd = await Promise.all(Array.from({ length: CROWD }, () => platform.newMemberWith(100)));

const ofEducator = { params: { educatorId: educator.id } };
const ofAnnouncement = { params: { announcementId: announcement.id } };
const ofCourse = { params: { courseId: course.id } };
const ofRoom = { params: { chatroomId } };
const ofPost = { params: { postId: post.id } };

/** What members do to one and the same thing, and how each takes it back. */
const ACTS: Record<string, [doing: (client: Client) => Answered, undoing: (client: Client) => Answered]> = {
  'follow an educator': [
    (client) => client.attempt(followEducator, ofEducator),
    (client) => client.attempt(unfollowEducator, ofEducator),
  ],
  "subscribe to an educator's notifications": [
    (client) => client.attempt(subscribeToEducator, ofEducator),
    (client) => client.attempt(unsubscribeFromEducator, ofEducator),
  ],
  "join an educator's chatroom": [
    (client) => client.attempt(joinEducatorChatroom, ofEducator),
    (client) => client.attempt(leaveEducatorChatroom, ofEducator),
  ],
  'like an announcement': [
    (client) => client.attempt(likeAnnouncement, ofAnnouncement),
    (client) => client.attempt(unlikeAnnouncement, ofAnnouncement),
  ],
  'comment on an announcement and report it': [
    (client) => client.attempt(createAnnouncementComment, { ...ofAnnouncement, body: { content: 'Good.' } }),
    (client) =>
      client.attempt(report, {
        body: { kind: 'announcement', subjectId: announcement.id, reason: 'It is untrue.' },
      }),
  ],
  'join a community': [
    (client) => client.attempt(joinCommunity, inCommunity),
    (client) => client.attempt(leaveCommunity, inCommunity),
  ],
  'react to a post': [
    (client) => client.attempt(reactToPost, { ...ofPost, body: { type: 'like' } }),
    (client) => client.attempt(takeBackReaction, ofPost),
  ],
  'comment on a post and post beside it': [
    (client) => client.attempt(createComment, { ...ofPost, body: { content: 'Good.' } }),
    (client) => client.attempt(createPost, { ...inCommunity, body: { content: 'Silver.' } }),
  ],
  'join a chatroom': [
    (client) => client.attempt(joinChatroom, ofRoom),
    (client) => client.attempt(leaveChatroom, ofRoom),
  ],
  'write in a chatroom and leave it': [
    (client) => trySending({ client }, chatroomId, 'Gold.'),
    (client) => client.attempt(leaveChatroom, ofRoom),
  ],
  'enrol in a course': [
    (client) => client.attempt(enrollInCourse, ofCourse),
    (client) => client.attempt(leaveCourse, ofCourse),
  ],
  'rate a course': [
    (client) => client.attempt(rateCourse, { ...ofCourse, body: { rating: 5 } }),
    (client) => client.attempt(deleteCourseRating, ofCourse),
  ],
  'study a lesson and leave its course': [
    (client) =>
      client.attempt(updateLessonProgress, {
        params: { lessonId: lessons[0].id },
        body: { positionSeconds: 10 },
      }),
    (client) => client.attempt(leaveCourse, ofCourse),
  ],
  'tip an educator': [
    (client) => client.attempt(tipEducator, { ...ofEducator, body: { amount: 1 } }),
    (client) => client.attempt(tipEducator, { ...ofEducator, body: { amount: 2 } }),
  ],
};

const deadlocks = (): Promise<number> =>
  platform.database.count('select deadlocks from pg_stat_database where datname = current_database()');

for (const [name, [doing, undoing]] of Object.entries(ACTS))
  test(`members who ${name} at the same moment cause no deadlock`, async () => {
    const acts = [doing, undoing];
    const before = await deadlocks();
    for (let round = 0; round < 4; round++) {
      // First all do the same; then some take back what others do, and each member does both at once.
      const answers = await Promise.all(
        crowd.flatMap(({ client }, place) =>
          (round === 0 ? [doing] : [acts[place % 2] ?? doing, acts[(place + round) % 2] ?? doing]).map(
            (act) => untilAvailable(() => act(client)),
          ),
        ),
      );
      assert.deepEqual(
        answers.filter(({ status }) => status >= 500),
        [],
      );
    }
    assert.equal(await deadlocks(), before);
  });
