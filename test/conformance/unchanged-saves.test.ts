import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  assignPermissions,
  createApiKey,
  createCommunity,
  createIndicator,
  createLivestream,
  createPost,
  createProduct,
  createTrade,
  createWalletAsAdmin,
  createWebhookEndpoint,
  revokeApiKey,
} from '../../sdk/src/index.ts';
import { announce } from '../support/announcements.ts';
import { newRoom } from '../support/chatrooms.ts';
import { newCourse } from '../support/courses.ts';
import { addApp } from '../support/factors.ts';
import { marketplaceTools } from '../support/marketplace.ts';
import { startPlatform } from '../support/platform.ts';

// A save that changes nothing changes nothing: no time of a change, no entry in the audit log, no notification.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, newMember } = platform;
const { newProduct, ask } = marketplaceTools(platform);
const { owner, course, module, lessons } = await newCourse(platform, { lessons: 2 });
const ben = await newMember();
const lesson = `/v1/lessons/${lessons[0].id}`;

interface Save {
  method?: 'PUT' | 'PATCH' | 'DELETE' | 'POST';
  path: string;
  body?: Record<string, unknown>;
  /** What the second answer says otherwise, of an operation that says what it ended. */
  again?: Record<string, unknown>;
}

const inDays = (days: number) => new Date(platform.clock.now() + days * 86_400_000).toISOString();

/** Saves of an administrator, mostly of what somebody else owns. */
const SAVES: Record<string, () => Promise<Save> | Save> = {
  captions: () => ({ path: `${lesson}/captions/en`, body: { text: 'WEBVTT\n' } }),
  'a quiz': () => ({
    path: `${lesson}/quiz`,
    body: { passingScore: 50, questions: [{ text: 'Up?', options: ['Yes', 'No'], correct: [0] }] },
  }),
  'a lesson': () => ({
    path: lesson,
    body: { title: 'Changed', resources: [{ url: 'https://a.example', type: 'link' }], order: 99 },
  }),
  'a module': () => ({
    path: `/v1/courses/${course.id}/modules/${module.id}`,
    body: { title: 'Changed', order: 99 },
  }),
  'a course': () => ({ path: `/v1/courses/${course.id}`, body: { title: 'Changed', tags: ['risk'] } }),
  'an announcement': async () => ({
    path: `/v1/educators/announcements/${(await announce(owner)).id}`,
    body: { title: 'Changed', pinned: true },
  }),
  'a profile': () => ({
    method: 'PATCH',
    path: `/v1/educators/${owner.id}/profile`,
    body: { specialty: 'Futures', skills: ['Risk'], firstName: 'Ada' },
  }),
  'marks of an educator': () => ({
    path: `/v1/admin/educators/${owner.id}`,
    body: { isVerified: true, featured: true, username: 'ada.trades' },
  }),
  'an account': () => ({
    path: `/v1/admin/auth/users/${ben.id}`,
    body: { firstName: 'Ben', permissions: ['educator'], educator: { specialty: 'Options' } },
  }),
  permissions: () => ({ path: `/v1/user/${ben.id}/permissions`, body: { permissions: ['educator'] } }),
  'a community': async () => ({
    path: `/v1/communities/${(await owner.client.call(createCommunity, { body: { name: 'Metals' } })).data.id}`,
    body: { name: 'Gold', description: 'All of it' },
  }),
  'a post': async () => {
    const { id } = (await owner.client.call(createCommunity, { body: { name: 'Energy' } })).data;
    const post = { params: { communityId: id }, body: { content: 'Oil!' } };
    return {
      path: `/v1/posts/${(await owner.client.call(createPost, post)).data.id}`,
      body: { content: 'Gas!' },
    };
  },
  'a trade idea': async () => {
    const draft = { symbol: 'ES', direction: 'long', entryPrice: 5000 } as const;
    return {
      path: `/v1/trades/${(await owner.client.call(createTrade, { body: draft })).data.id}`,
      body: { note: 'Up.' },
    };
  },
  'a chatroom': async () => ({
    path: `/v1/chatrooms/${await newRoom(owner)}`,
    body: { description: 'Metals' },
  }),
  'a livestream': async () => {
    const body = { title: 'Live', scheduledStart: inDays(1), scheduledEnd: inDays(1.1) };
    return {
      path: `/v1/livestreams/${(await owner.client.call(createLivestream, { body })).data.id}`,
      body: { title: 'Changed', scheduledStart: inDays(2), scheduledEnd: inDays(2.1) },
    };
  },
  'a product': async () => ({
    path: `/v1/streams/marketplace/products/${(await admin.call(createProduct, { body: { name: 'A talk', productType: 'misc' } })).data.id}`,
    body: { name: 'Two talks', requestFields: [{ label: 'Why?' }] },
  }),
  'an indicator': async () => ({
    path: `/v1/streams/scanners/${(await admin.call(createIndicator, { body: { name: 'Trend' } })).data.id}`,
    body: { name: 'Trends' },
  }),
  'a decision': async () => ({
    path: `/v1/streams/marketplace/access-requests/${(await ask(ben, await newProduct({}))).data.id}`,
    method: 'PATCH',
    body: { status: 'denied', reason: 'Not yet' },
  }),
  'a wallet': async () => {
    await admin.call(createWalletAsAdmin, { body: { userId: ben.id } });
    return {
      method: 'PATCH',
      path: `/v1/wallets/admin/${ben.id}`,
      body: { locked: true, lockedReason: 'Fraud' },
    };
  },
  'a webhook endpoint': async () => ({
    method: 'PATCH',
    path: `/v1/webhook-endpoints/${(await admin.call(createWebhookEndpoint, { body: { url: 'https://hooks.invalid/x' } })).data.id}`,
    body: { description: 'Changed', enabled: true },
  }),
  'the end of all sessions': async () => ({
    method: 'DELETE',
    path: `/v1/admin/auth/users/${(await newMember()).id}/sessions`,
    again: { sessionsEnded: 0 },
  }),
  'the removal of all factors': async () => {
    const eve = await newMember();
    await addApp(platform, eve.client);
    return {
      method: 'DELETE',
      path: `/v1/admin/auth/users/${eve.id}/mfa`,
      again: { factorsRemoved: 0 },
    };
  },
  'the end of a mute': async () => {
    const path = `/v1/admin/auth/users/${ben.id}/mute`;
    await admin.raw('PUT', path, { minutes: 5 });
    return { method: 'DELETE', path, again: { wasMutedUntil: null } };
  },
};

/** How much was recorded, and for whom. */
const recorded = async () => ({
  entries: await database.count('select count(*) from kernel.audit_entry'),
  notifications: await database.count('select count(*) from moderation.intervention'),
});

for (const [what, saveOf] of Object.entries(SAVES))
  test(`saving ${what} again without a change changes and records nothing`, async () => {
    const { method = 'PUT', path, body, again } = await saveOf();
    const save = async () => {
      platform.clock.advance(1_000);
      const answer = await admin.raw(method, path, body);
      assert.ok(answer.status < 300, JSON.stringify(answer.body));
      return answer.body.data;
    };
    const before = await recorded();
    const saved = await save();
    const once = await recorded();
    assert.ok(once.entries > before.entries, 'the first save is recorded');
    assert.deepEqual(await save(), again ? { ...(saved as object), ...again } : saved);
    assert.deepEqual(await recorded(), once);
  });

test('empty fields that a profile never had, permissions in another order and keys that are revoked change nothing', async () => {
  const eve = await newMember();
  const permissions = ['educator', 'moderator', 'read_users'];
  await admin.call(assignPermissions, { params: { userId: eve.id }, body: { permissions } });
  const { id } = (await admin.call(createApiKey, { body: { name: 'A client', tier: 'mobile' } })).data;
  await admin.call(revokeApiKey, { params: { id } });
  const before = await recorded();
  for (const [method, path, body] of [
    ['PUT', `/v1/admin/educators/${eve.id}`, { rankBadgeUrl: null }],
    ['PUT', `/v1/admin/auth/users/${eve.id}`, { profileImage: null, educator: { socials: {} } }],
    ['PATCH', `/v1/educators/${eve.id}/profile`, { socials: {}, skills: [] }],
    ['PUT', `/v1/user/${eve.id}/permissions`, { permissions: permissions.toReversed() }],
    ['DELETE', `/v1/admin/api-keys/${id}`],
  ] as const) {
    const answer = await admin.raw(method, path, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(await recorded(), before, path);
  }
});
