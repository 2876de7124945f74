// A module is removed by its line in the list of modules: hubs know none of their clients by name.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { Loose } from '../support/client.ts';

// Leaves the line of the module out, and fails if anything else imports from its folder.
registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    assert.ok(!resolved.url.includes('/modules/trades/'), `${context.parentURL} imports ${specifier}`);
    return resolved;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/app/modules.ts')) return loaded;
    const lines = String(loaded.source).split('\n');
    const others = lines.filter((line) => !line.includes('tradeModule'));
    assert.equal(others.length, lines.length - 2, 'an import and a line of the list');
    return { ...loaded, source: others.join('\n') };
  },
});
const { startPlatform } = await import('../support/platform.ts');
const { until } = await import('../support/live.ts');
const { loadSeeds } = await import('../../src/cli/seeding/history.ts');
const { seedRows } = await import('../../src/cli/seeding/rows.ts');

const platform = await startPlatform();
const { admin, client } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];
const community: Loose = (await admin.post('/v1/communities', { name: 'All' })).data;
for (const member of [ada, ben]) await member.client.post(`/v1/communities/${community.id}/join`);
const post: Loose = (
  await ada.client.post(`/v1/communities/${community.id}/posts`, { content: 'Gold without trades' })
).data;

test('its operations are gone, from the description too', async () => {
  assert.equal((await ada.client.get('/v1/trades')).status, 404);
  const { body } = await client.get('/openapi.json');
  const paths = Object.keys(body.paths);
  assert.ok(paths.includes('/v1/posts/{postId}'));
  assert.deepEqual(
    paths.filter((path) => path.includes('trade')),
    [],
  );
});

test('the search finds everything else, and does not know its type', async () => {
  const { status, data } = await ben.client.get('/v1/search?q=gold');
  assert.deepEqual([status, data.results.map(({ id }: Loose) => id)], [200, [post.id]]);
  assert.equal((await ben.client.get('/v1/search?q=gold&type=post')).status, 200);
  assert.equal((await ben.client.get('/v1/search?q=gold&type=trade')).status, 422);
  await platform.platform.runJob('search.rebuild');
});

test('the dashboard and the statistics of members have all other sections', async () => {
  const { data } = await admin.get('/v1/analytics/dashboard');
  assert.deepEqual(Object.keys(data).toSorted(), [
    'education',
    'engagement',
    'overview',
    'previous',
    'traffic',
  ]);
  assert.equal(data.engagement.postsCreated, 1);
  const own = (await ada.client.get('/v1/analytics/user/stats')).data;
  assert.equal(own.engagement.posts, 1);
  assert.equal('trading' in own, false);
  const event = { eventName: 'trade.viewed', eventType: 'trading' };
  assert.equal((await ada.client.post('/v1/analytics/track', event)).status, 202);
});

test('notifications come, and its topic cannot be subscribed to', async () => {
  const subscribe = (topics: string[]) => ben.client.post('/push-notifications/subscribe', { topics });
  assert.equal((await subscribe(['TRADE_IDEAS'])).status, 422);
  assert.deepEqual((await subscribe(['GENERAL', 'SESSIONS'])).data.topics, ['GENERAL', 'SESSIONS']);
  await ben.client.post(`/v1/posts/${post.id}/comments`, { content: 'Well said' });
  await until(
    async () => (await ada.client.get('/v1/notifications?type=comment_reply')).data.length === 1,
    'the notification of a comment',
  );
});

test('content of other modules is reported and removed', async () => {
  const report = { kind: 'post', subjectId: post.id, reason: 'Spam' };
  const sent = await ben.client.post('/v1/reports', report);
  assert.equal(sent.status, 201);
  const verdict = await admin.post(`/v1/moderation/reports/${sent.data.id}/resolve`, { outcome: 'removed' });
  assert.equal(verdict.status, 200);
  assert.equal((await ada.client.get(`/v1/posts/${post.id}`)).status, 404);
});

test('the other modules fill an installation to try', async () => {
  const seeds = await loadSeeds(platform.platform);
  const plan = { members: 20, educators: 2, days: 20, passwordHash: '' };
  const done: string[] = [];
  await seedRows(platform.databaseUrl, { seeds, plan, report: (what) => done.push(what) });
  assert.ok(done.includes('rooms') && !done.includes('trade ideas'), done.join());
});
