import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  assignPermissions,
  blockMember,
  createAnnouncementComment,
  createComment,
  createCommunity,
  createIndicator,
  createPost,
  createProduct,
  createTrade,
  decideAccessRequest,
  deleteChatMessage,
  enrollInCourse,
  followEducator,
  fundWalletAsAdmin,
  getCourseCertificate,
  grantIndicatorAccess,
  joinCommunity,
  listNotifications,
  listTransactions,
  reactToPost,
  registerDevice,
  report,
  search,
  setPreferences,
  startWatchSession,
  submitAccessRequest,
  subscribeToTopics,
  tipEducator,
  trackEvent,
  transferKeys,
  unsubscribeFromEducator,
  updateLessonProgress,
  updateProfile,
} from '../../../sdk/src/index.ts';
import { announce } from '../../../test/support/announcements.ts';
import { linesIn } from '../../../test/support/archives.ts';
import { newRoom, say } from '../../../test/support/chatrooms.ts';
import { newCourse, newEducator } from '../../../test/support/courses.ts';
import { exportAsAdmin, exportOf } from '../../../test/support/exports.ts';
import { addApp } from '../../../test/support/factors.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { admin, database, newMember, newMemberWith } = platform;

/** The areas that part 3 of the specification names. */
const AREAS =
  `profile sessions wallet-entries messages posts comments courses progress certificates follows tips
  notifications indicator-access requests tracked-events reports-made`.split(/\s+/);

const NAME = 'Zoë "Quote" \u2028 O’Neil\\n 🦊';
const OWN = 'Words of my own, "quoted"\nover two lines, with a 🦊';
const OTHERS = 'Words that somebody else has said';
const BOSS = { firstName: 'Xerxes', lastName: 'Quillfeather', username: 'xquill' };
const PUSH_TOKEN = `push-${'t'.repeat(80)}`;

/** An administrator who is also an educator, so that notifications of members contain their name. */
async function newBoss(): Promise<Member> {
  const boss = await newMember();
  await boss.client.call(updateProfile, { body: BOSS });
  const permissions = ['admin', 'educator'];
  await admin.call(assignPermissions, { params: { userId: boss.id }, body: { permissions } });
  return boss;
}

/** Has a member act in every area, and another member act towards them. */
async function liveOn(ada: Member, boss: Member, other: Member): Promise<void> {
  const { client } = ada;
  await client.call(updateProfile, { body: { firstName: NAME, bio: OWN } });
  await boss.client.call(fundWalletAsAdmin, {
    body: { userId: ada.id, amount: 500, description: 'From Xerxes Quillfeather' },
  });
  const room = await newRoom(ada);
  await say(ada, room, OWN);
  const { id: messageId } = await say(ada, room, 'Said too soon');
  await client.call(deleteChatMessage, { params: { chatroomId: room, messageId }, body: {} });
  const { id: othersMessageId } = await say(boss, room, OTHERS);
  await client.call(report, { body: { kind: 'message', subjectId: othersMessageId, reason: OWN } });

  const { id: communityId } = (await boss.client.call(createCommunity, { body: { name: 'C' } })).data;
  for (const one of [ada, other]) await one.client.call(joinCommunity, { params: { communityId } });
  const { id: postId } = (await client.call(createPost, { params: { communityId }, body: { content: OWN } }))
    .data;
  await client.call(createComment, { params: { postId }, body: { content: OWN } });
  await other.client.call(createComment, { params: { postId }, body: { content: OTHERS } });
  await client.call(reactToPost, { params: { postId }, body: { type: 'love' } });

  const { course, lessons } = await newCourse(platform, {
    owner: boss,
    course: { title: 'Gold, by Xerxes Quillfeather' },
  });
  const courseId = course.id;
  await client.call(enrollInCourse, { params: { courseId } });
  await client.call(updateLessonProgress, {
    params: { lessonId: lessons[0].id },
    body: { positionSeconds: 60, completed: true },
  });
  await client.call(getCourseCertificate, { params: { courseId } });

  await client.call(followEducator, { params: { educatorId: boss.id } });
  const { id: announcementId } = await announce(boss);
  await client.call(createAnnouncementComment, { params: { announcementId }, body: { content: OWN } });
  await client.call(tipEducator, { params: { educatorId: boss.id }, body: { amount: 5, message: OWN } });
  await other.client.call(transferKeys, { body: { toUserId: ada.id, amount: 7, description: 'No gift' } });
  await client.call(createTrade, { body: { symbol: 'GOLD', direction: 'long', entryPrice: 10, note: OWN } });
  await client.call(startWatchSession, {
    body: { contentType: 'story', contentId: messageId, platform: 'web' },
  });
  await client.call(search, { query: { q: 'gold' } });
  await client.call(trackEvent, {
    body: { eventName: 'page.view', eventType: 'navigation', metadata: { page: OWN } },
  });
  await client.call(registerDevice, { body: { token: PUSH_TOKEN, platform: 'ios', name: 'Phone' } });
  await client.call(subscribeToTopics, { body: { topics: ['GENERAL'] } });
  await client.call(setPreferences, { body: { preferences: { email: { enabled: false } } } });

  const { data: indicator } = await admin.call(createIndicator, { body: { name: 'I' } });
  const body = { userId: ada.id, chartingUsername: 'ada_charts' };
  await boss.client.call(grantIndicatorAccess, { params: { id: indicator.id }, body });
  const { data: product } = await admin.call(createProduct, { body: { name: 'P', productType: 'misc' } });
  const { data: request } = await client.call(submitAccessRequest, {
    body: { productId: product.id, fullName: NAME, email: ada.email },
  });
  await boss.client.call(decideAccessRequest, {
    params: { id: request.id },
    body: { status: 'denied', reason: 'XQUILL says no' },
  });
  await addApp(platform, client);
  const told = async () => JSON.stringify((await client.call(listNotifications)).data);
  await until(async () => (await told()).includes('Xerxes Quillfeather'), 'the notification with the name');
  await until(async () => (await told()).includes(OTHERS), 'the notification of the comment');
  await until(async () => (await told()).includes(': News'), 'the notification of the announcement');
}

let ada: Member;
let boss: Member;
let files: Map<string, string>;
before(async () => {
  [ada, boss] = [await newMemberWith(0), await newBoss()];
  await liveOn(ada, boss, await newMemberWith(50));
  files = await exportAsAdmin(platform, ada.id);
});
const words = (area: string, field: string) => linesIn(files, area).map((line) => line[field]);

test('an export has a file for each area, with the records of the member', async () => {
  for (const area of AREAS) assert.ok(linesIn(files, area).length > 0, `${area} is empty`);
  for (const [name, text] of files)
    assert.ok(name === 'README.txt' || text === '' || text.endsWith('\n'), name);
  assert.deepEqual(words('profile', 'firstName'), [NAME]);
  assert.deepEqual(words('profile', 'email'), [ada.email]);
  for (const [area, field] of [
    ['messages', 'message'],
    ['posts', 'content'],
    ['comments', 'content'],
    ['announcement-comments', 'content'],
    ['trades', 'note'],
    ['reports-made', 'reason'],
  ] as const)
    assert.deepEqual(words(area, field), [OWN], area);
  assert.deepEqual(words('deleted-messages', 'message'), ['Said too soon']);
  assert.deepEqual(words('wallet-entries', 'amount'), [500, -5, 7]);
  assert.deepEqual(words('wallet-entries', 'otherUserId')[1], boss.id);
  assert.deepEqual(words('tips', 'amount'), [-5], 'a transfer is no tip');
  const { data: history } = await ada.client.call(listTransactions);
  const references = history.map(({ transactionId }) => transactionId).reverse();
  assert.deepEqual(words('wallet-entries', 'transactionId'), references, 'as the history names them');
  assert.deepEqual(words('requests', 'fullName'), [NAME]);
  assert.deepEqual(words('follows', 'educatorId'), [boss.id]);
  assert.deepEqual(words('progress', 'positionSeconds'), [60]);
  assert.ok(
    linesIn(files, 'tracked-events').some(({ metadata }) => (metadata as { page?: string }).page === OWN),
  );
});

test('the README names every file, and how many lines it has', () => {
  const readme = files.get('README.txt') ?? '';
  assert.ok(readme.includes(ada.id));
  for (const name of files.keys())
    if (name !== 'README.txt') {
      const lines = linesIn(files, name.replace('.jsonl', '')).length;
      assert.match(readme, new RegExp(`^${name} .*\\(${lines}\\)\\r$`, 'm'));
    }
});

test('an export never contains the name of an administrator', () => {
  const all = [...files.values()].join('\n');
  const names = [
    boss.email,
    BOSS.username,
    BOSS.lastName,
    BOSS.firstName,
    'admin@example.com',
    'First Administrator',
  ];
  for (const name of names) assert.ok(!all.toLowerCase().includes(name.toLowerCase()), name);
  assert.ok(words('notifications', 'title').includes('an administrator: News'));
  assert.deepEqual(words('wallet-entries', 'description')[0], 'From an administrator');
  assert.deepEqual(words('courses', 'title'), ['Gold, by an administrator']);
  const acted = [boss.id, platform.adminId].map((id) => all.split(id).length - 1);
  assert.equal(acted[1], 0, 'nor by whom something was done');
});

test('an export contains no secrets, and texts of others only if they were sent to the member', async () => {
  const all = [...files.values()].join('\n');
  const secrets = await database.all<{ secret: string }>(
    `select encode(sealed, 'hex') as secret from identity.authenticator where user_id = $1
     union all select hash from identity.password where user_id = $1
     union all select encode(digest, 'hex') from identity.recovery_code where user_id = $1`,
    [ada.id],
  );
  assert.ok(secrets.length > 10);
  for (const { secret } of secrets) assert.ok(!all.includes(secret));
  assert.ok(!all.includes(PUSH_TOKEN));
  for (const token of [ada.accessToken, ada.refreshToken]) assert.ok(!all.includes(token));
  const quoting = [...files].filter(([, text]) => text.includes(OTHERS)).map(([name]) => name);
  assert.deepEqual(quoting, ['notifications.jsonl'], 'a notification of a comment on their post');
});

test('an export does not tell who has blocked the member, only what they opted out of themselves', async () => {
  const [cat, dan, eve] = [await newMember(), await newMember(), await newEducator(platform)];
  await cat.client.call(unsubscribeFromEducator, { params: { educatorId: eve.id } });
  for (const blocker of [dan, eve]) await blocker.client.call(blockMember, { params: { userId: cat.id } });
  const exported = await exportOf(cat);
  const topics = linesIn(exported, 'topic-opt-outs').map(({ topic }) => topic);
  assert.deepEqual(topics, [`educator:${eve.id}`], 'a block takes nothing from what they chose');
  assert.ok(![...exported.values()].some((text) => text.includes(dan.id)));
});

test('an export of an administrator has their own name', async () => {
  const own = await exportOf(boss);
  assert.deepEqual(linesIn(own, 'profile')[0]?.lastName, BOSS.lastName);
  assert.ok(linesIn(own, 'announcements').length > 0);
});

test('more records than a page holds are all exported, once each and in order', async () => {
  const many = await newMember();
  const educator = await newEducator(platform);
  const room = await newRoom(educator);
  await database.execute(
    `insert into chat.message (id, room_id, user_id, message, seq, changed_seq, created_at)
     select lpad(to_hex(n), 24, '0'), $1, $2, 'message ' || n, n + 1000, n + 1000, now() from generate_series(1, 601) n`,
    [room, many.id],
  );
  await many.client.call(trackEvent, { body: { eventName: 'page.view', eventType: 'navigation' } });
  await database.execute(
    `insert into analytics.event (occurred_at, received_at, person, name, id, metadata)
     select now() + n % 7 * interval '1 microsecond', now(), person, name, lpad(to_hex(n), 24, '0'), '{}'
     from generate_series(1, 1000) n, (
       select person, name from analytics.event
       where person = (select no from analytics.person where user_id = $1) limit 1) known`,
    [many.id],
  );
  await database.execute(
    `insert into notifications.delivery (notification_id, channel, user_id, status, created_at)
     select lpad(to_hex(n / 2), 24, '0'), case n % 2 when 0 then 'email' else 'push' end, $1, 'sent', now()
     from generate_series(2, 801) n`,
    [many.id],
  );
  const exported = await exportOf(many);
  assert.deepEqual(
    linesIn(exported, 'messages').map(({ message }) => message),
    Array.from({ length: 601 }, (_, at) => `message ${at + 1}`),
  );
  const events = linesIn(exported, 'tracked-events').map(({ id }) => id);
  assert.ok(events.length >= 1001);
  assert.equal(new Set(events).size, events.length);
  const deliveries = linesIn(exported, 'notification-deliveries').filter(({ notificationId }) =>
    String(notificationId).startsWith('0'.repeat(8)),
  );
  assert.equal(deliveries.length, 800);
  assert.equal(new Set(deliveries.map((one) => `${one.notificationId} ${one.channel}`)).size, 800);
});
