// Events and jobs that the program before had queued: they carried the texts of their notifications.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createAnnouncement,
  createAnnouncementComment,
  createComment,
  createCommunity,
  createIndicator,
  createLivestream,
  createPost,
  createProduct,
  createStory,
  createTrade,
  decideAccessRequest,
  deleteAnnouncement,
  deleteAnnouncementComment,
  deleteComment,
  deleteLesson,
  deleteStory,
  deleteUser,
  endLivestream,
  enrollInCourse,
  joinCommunity,
  startLivestream,
  submitAccessRequest,
  subscribeToEducator,
  subscribeToTopics,
  updateCourse,
} from '../../../sdk/src/index.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { formerEvents } from '../../../test/support/former-events.ts';
import { LiveClient, until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../../kernel/ids.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, clock, database } = platform;
const newId = idMaker(clock);
const { settled, queued, notificationsOf, newestOf, newMember } = formerEvents(platform);

const FORMER = 'As it was called then';
const published = (educatorId: string) => ({
  educatorId,
  educatorName: FORMER,
  educatorSince: new Date(0).toISOString(),
  isQuiet: false,
});

test('former events of announcements, stories and their comments still notify', async () => {
  const [ada, ben] = [await newEducator(platform), await newMember()];
  const params = { educatorId: ada.id };
  const { data: announcement } = await ada.client.call(createAnnouncement, {
    params,
    body: { title: 'Gold', content: 'Three levels.' },
  });
  const { data: story } = await ada.client.call(createStory, {
    params,
    body: { mediaType: 'image', mediaUrl: 'https://cdn.example.com/a.png' },
  });
  await settled();
  await ben.client.call(subscribeToEducator, { params });
  const text = { title: FORMER, excerpt: FORMER, priority: 'low' };
  const ofAnnouncement = { ...published(ada.id), announcementId: announcement.id, ...text };
  const ofStory = { ...published(ada.id), storyId: story.id, mediaType: 'image' };
  await queued('educators.announcement-published', ofAnnouncement);
  assert.deepEqual(await newestOf(ben), {
    title: 'Test Member: Gold',
    message: 'Three levels.',
    metadata: { action: 'open-announcement', announcementId: announcement.id, educatorId: ada.id },
  });
  await queued('educators.story-published', ofStory);
  assert.equal((await newestOf(ben)).title, 'Test Member has a new story');

  const { data: comment } = await ben.client.call(createAnnouncementComment, {
    params: { announcementId: announcement.id },
    body: { content: 'Thank you!' },
  });
  await settled();
  const ids = { announcementId: announcement.id, educatorId: ada.id, commentId: comment.id };
  const ofComment = { ...ids, userId: ben.id, content: FORMER };
  await queued('educators.announcement-commented', ofComment);
  assert.deepEqual(await newestOf(ada), {
    title: 'A new comment on your announcement',
    message: 'Thank you!',
    metadata: { action: 'open-announcement', ...ids, fromUserId: ben.id },
  });

  await ben.client.call(deleteAnnouncementComment, { params: { commentId: comment.id } });
  await ada.client.call(deleteStory, { params: { storyId: story.id } });
  await ada.client.call(deleteAnnouncement, { params: { announcementId: announcement.id } });
  const isAbout = ({ metadata }: { metadata: object }) => 'announcementId' in metadata;
  const left = async () => [await notificationsOf(ada), await notificationsOf(ben)].flat();
  await until(async () => !(await left()).some(isAbout), 'the notifications are withdrawn');
  const before = await left();
  await queued('educators.announcement-commented', ofComment);
  await queued('educators.story-published', ofStory);
  await queued('educators.announcement-published', ofAnnouncement);
  assert.deepEqual(await left(), before, 'no notification of deleted records');
});

test('an announcement of an educator who has been deleted notifies nobody', async () => {
  const [ada, ben] = [await newEducator(platform), await newMember()];
  const params = { educatorId: ada.id };
  await ben.client.call(subscribeToEducator, { params });
  const { data } = await ada.client.call(createAnnouncement, {
    params,
    body: { title: 'Gold', content: 'Three levels.' },
  });
  await settled();
  const idsOf = async () => (await notificationsOf(ben)).map(({ id }) => id);
  const before = await idsOf();
  await admin.call(deleteUser, { params: { userId: ada.id } });
  await queued('educators.announcement-published', {
    ...published(ada.id),
    announcementId: data.id,
    title: FORMER,
    excerpt: FORMER,
    priority: 'high',
  });
  assert.deepEqual(await idsOf(), before);
});

test('former events of lessons, completed courses and videos still notify', async () => {
  const ben = await newMember();
  const { owner, course, lessons } = await newCourse(platform, {
    course: { title: 'Tape' },
    lesson: { title: 'Volume' },
    lessons: 2,
  });
  const [{ id: lessonId }] = lessons;
  const params = { courseId: course.id };
  await ben.client.call(enrollInCourse, { params, body: {} });
  await settled();
  const ofLesson = { courseId: course.id, lessonId, courseTitle: FORMER, lessonTitle: FORMER };
  await queued('education.lesson-published', ofLesson);
  assert.deepEqual(await newestOf(ben), {
    title: 'New in Tape',
    message: 'Volume',
    metadata: { action: 'open-lesson', courseId: course.id, lessonId },
  });
  const ofCourse = { userId: ben.id, courseId: course.id, courseTitle: FORMER };
  await queued('education.course-completed', ofCourse);
  assert.deepEqual(await newestOf(ben), {
    title: 'Course completed',
    message: 'You have completed Tape. Your certificate is ready.',
    metadata: { action: 'open-certificate', courseId: course.id },
  });
  const ofVideo = { videoId: newId(), subjectId: lessonId, ownerId: owner.id };
  const failed = { ...ofVideo, code: 'BROKEN', message: 'The file is broken.' };
  await queued('media.video-failed', failed);
  assert.deepEqual((await newestOf(owner)).metadata, {
    action: 'open-lesson',
    courseId: course.id,
    lessonId,
    code: 'BROKEN',
  });

  await owner.client.call(deleteLesson, { params: { lessonId } });
  const listed = async () => [await notificationsOf(ben), await notificationsOf(owner)];
  const isListed = async () => (await listed()).flat().some(({ metadata }) => metadata.lessonId === lessonId);
  await until(async () => !(await isListed()), 'the notifications of the lesson to go');
  const before = await listed();
  await queued('education.lesson-published', ofLesson);
  await queued('media.video-failed', failed);
  await owner.client.call(updateCourse, { params, body: { status: 'draft' } });
  await queued('education.course-completed', ofCourse);
  await queued('education.lesson-published', { ...ofLesson, lessonId: lessons[1]?.id });
  assert.deepEqual(await listed(), before);
});

test('former events of comments on posts still notify', async () => {
  const [ada, ben] = [await newMember(), await newMember()];
  const { data: community } = await admin.call(createCommunity, { body: { name: 'All' } });
  for (const { client } of [ada, ben])
    await client.call(joinCommunity, { params: { communityId: community.id } });
  const { data: post } = await ada.client.call(createPost, {
    params: { communityId: community.id },
    body: { content: 'Hello' },
  });
  const { data: comment } = await ben.client.call(createComment, {
    params: { postId: post.id },
    body: { content: 'Well said' },
  });
  await settled();
  const ids = { postId: post.id, commentId: comment.id };
  const data = { ...ids, postUserId: ada.id, userId: ben.id, content: FORMER };
  await queued('community.post-commented', data);
  assert.deepEqual(await newestOf(ada), {
    title: 'A new comment on your post',
    message: 'Well said',
    metadata: { action: 'open-post', ...ids, fromUserId: ben.id },
  });
  await ben.client.call(deleteComment, { params: { commentId: comment.id } });
  const left = async () => (await notificationsOf(ada)).filter(({ type }) => type === 'comment_reply');
  await until(async () => (await left()).length === 0, 'the notification is withdrawn');
  await queued('community.post-commented', data);
  assert.deepEqual(await left(), []);
});

test('former events of trade ideas and livestreams still notify', async () => {
  const [ada, ben] = [await newEducator(platform), await newMember()];
  await ben.client.call(subscribeToTopics, { body: { topics: ['TRADE_IDEAS', 'SESSIONS'] } });
  const { data: trade } = await ada.client.call(createTrade, {
    body: { symbol: 'XAUUSD', direction: 'long', entryPrice: 1900 },
  });
  const ofTrade = { tradeId: trade.id, userId: ada.id, symbol: FORMER, direction: FORMER, entryPrice: 1 };
  await settled();
  await queued('trades.created', ofTrade);
  assert.deepEqual(await newestOf(ben), {
    title: 'XAUUSD, long',
    message: 'A new trade idea: long at 1900.',
    metadata: { action: 'open-trade', tradeId: trade.id },
  });

  const times = { scheduledStart: '2030-01-01T10:00:00Z', scheduledEnd: '2030-01-01T11:00:00Z' };
  const { data: stream } = await ada.client.call(createLivestream, { body: { title: 'Gold', ...times } });
  const params = { livestreamId: stream.id };
  await ada.client.call(startLivestream, { params });
  await settled();
  const ofStream = { ...params, title: FORMER, hostId: ada.id, startedAt: times.scheduledStart };
  await queued('livestreams.started', ofStream);
  assert.deepEqual(await newestOf(ben), {
    title: 'Live now: Gold',
    message: 'The session has begun.',
    metadata: { action: 'open-session', sessionId: stream.id, speakerId: ada.id },
  });
  const before = await notificationsOf(ben);
  await ada.client.call(endLivestream, { params });
  await queued('livestreams.started', ofStream);
  assert.deepEqual(await notificationsOf(ben), before, 'one that is over is not announced');
});

test('former events of indicator access and decided requests still notify', async () => {
  const ben = await newMember();
  const { data: indicator } = await admin.call(createIndicator, { body: { name: 'Trend Pulse' } });
  const scanners = [{ id: indicator.id, name: FORMER }];
  const messages = {
    'access-began': 'You have access to Trend Pulse at the charting platform.',
    'grace-began':
      'Your access to Trend Pulse ends on 2030-01-01, unless your membership becomes active again.',
    'access-ended': 'You no longer have access to Trend Pulse at the charting platform.',
  };
  for (const [name, message] of Object.entries(messages)) {
    const more = name === 'grace-began' ? { graceEndsAt: '2030-01-01T00:00:00.000Z' } : {};
    await queued(`indicators.${name}`, { userId: ben.id, scanners, ...more });
    const newest = await newestOf(ben);
    assert.equal(newest.message, message);
    assert.deepEqual(newest.metadata, { action: 'open-indicators', scannerIds: [indicator.id], ...more });
  }

  const { data: product } = await admin.call(createProduct, {
    body: { name: 'A year', productType: 'misc' },
  });
  const { data: request } = await ben.client.call(submitAccessRequest, {
    body: { productId: product.id, fullName: 'Ben', email: ben.email },
  });
  await admin.call(decideAccessRequest, {
    params: { id: request.id },
    body: { status: 'denied', reason: 'Not yet' },
  });
  await settled();
  const decided = { requestId: request.id, userId: ben.id, productId: product.id };
  const former = { ...decided, productName: FORMER, reason: FORMER };
  await queued('marketplace.request-decided', { ...former, decision: 'denied' });
  assert.deepEqual(await newestOf(ben), {
    title: 'Your request was not approved',
    message: 'A year: Not yet',
    metadata: { action: 'open-product', productId: product.id, requestId: request.id, decision: 'denied' },
  });
  const before = await notificationsOf(ben);
  await queued('marketplace.request-decided', { ...former, decision: 'approved' });
  assert.deepEqual(await notificationsOf(ben), before, 'a decision that has changed since is not announced');
});

test('a new member is welcomed by their present name, and a deleted one is not', async () => {
  const [ada, gone] = [await newMember(), await newMember()];
  await queued('identity.user-signed-up', { userId: ada.id, email: ada.email, firstName: FORMER });
  assert.equal((await newestOf(ada)).title, 'Welcome, Test');
  await admin.call(deleteUser, { params: { userId: gone.id } });
  await queued('identity.user-signed-up', { userId: gone.id, email: gone.email, firstName: FORMER });
  assert.equal(
    await database.count("select count(*) from notifications.notification where title like '%called then'"),
    0,
  );
});

test('a job that announces notifications in the former shape sends them whole', async () => {
  const ada = await newMember();
  const [welcome] = await notificationsOf(ada);
  const live = await LiveClient.open(platform.url, ada.accessToken);
  await live.ask({ type: 'subscribe', channel: 'notifications', userId: ada.id });
  const news = { id: welcome?.id, userId: ada.id, title: FORMER, message: FORMER, priority: 'low' };
  await database.execute("insert into jobs.job (name, data) values ('notifications.announce', $1)", [
    { news: [news, { ...news, id: newId() }] },
  ]);
  const { data } = await live.next(({ type }) => type === 'notification:new', 'the notification');
  assert.deepEqual(data, welcome);
  live.close();
});
