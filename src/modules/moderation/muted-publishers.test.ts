// What is announced to others, or read by everybody who sees a course, is not published by who is muted everywhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAnnouncement,
  createLivestream,
  createStory,
  enrollInCourse,
  muteUser,
  rateCourse,
  startLivestream,
  updateAnnouncement,
  updateLivestream,
} from '../../../sdk/src/index.ts';
import { newCourse } from '../../../test/support/courses.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { HOUR_MS } from '../../kernel/time/time.ts';
import { muted } from './contract.ts';

const platform = await startPlatform();
const muteEverywhere = (userId: string) =>
  platform.admin.call(muteUser, { params: { userId }, body: { minutes: 60, reason: 'Spam' } });

test('a muted educator publishes no story, and neither announces nor starts a livestream', async () => {
  const { owner } = await newCourse(platform);
  const at = (hours: number) => new Date(platform.clock.now() + hours * HOUR_MS).toISOString();
  const draft = {
    title: 'Gold',
    description: '',
    scheduledStart: at(1),
    scheduledEnd: at(2),
    timezone: 'UTC',
  };
  const make = () => owner.client.attempt(createLivestream, { body: { ...draft, hostId: owner.id } });
  const made = await make();
  assert.equal(made.status, 201);
  const params = { livestreamId: made.data?.id ?? '' };
  await muteEverywhere(owner.id);
  assertRefused(await make(), muted);
  assertRefused(await owner.client.attempt(startLivestream, { params }), muted);
  assertRefused(await owner.client.attempt(updateLivestream, { params, body: { title: 'Scam' } }), muted);
  const body = { mediaType: 'image' as const, mediaUrl: 'https://cdn.example.com/a.png' };
  const story = { params: { educatorId: owner.id }, body };
  assertRefused(await owner.client.attempt(createStory, story), muted);
});

test('a muted educator publishes no announcement, and a muted student no review', async () => {
  const { owner, course } = await newCourse(platform);
  const student = await platform.newMember();
  const params = { courseId: course.id };
  await student.client.call(enrollInCourse, { params });
  const own = { params: { educatorId: owner.id }, body: { title: 'Buy', content: 'Now' } };
  const { data: published } = await owner.client.call(createAnnouncement, own);
  for (const { id } of [owner, student]) await muteEverywhere(id);
  assertRefused(await owner.client.attempt(createAnnouncement, own), muted);
  const change = { params: { announcementId: published.id }, body: { content: 'Buy now!' } };
  assertRefused(await owner.client.attempt(updateAnnouncement, change), muted);
  const rate = (body: { rating: number; review?: string }) =>
    student.client.attempt(rateCourse, { params, body });
  assertRefused(await rate({ rating: 5, review: 'Buy!' }), muted);
  assert.equal((await rate({ rating: 5 })).status, 200, 'stars say nothing');
});
