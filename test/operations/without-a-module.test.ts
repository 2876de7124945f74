// A module can be removed by deleting its line in the list of modules, since hubs do not name their clients.
import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import {
  createComment,
  createCommunity,
  createPost,
  getDashboard,
  getOwnStatistics,
  getPost,
  joinCommunity,
  listNotifications,
  listTrades,
  report as reportOperation,
  resolveReport,
  search,
  subscribeToTopics,
  trackEvent,
} from '../../sdk/src/index.ts';
import type { ApiDescription } from '../support/descriptions.ts';

// Removes the module's line as the file is loaded, and fails if anything else imports from its folder.
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
// Responses are checked against the description of this platform instead of the one that `npm test` has made.
delete process.env.TEST_DESCRIPTIONS;
const { startPlatform } = await import('../support/platform.ts');
const { until } = await import('../support/live.ts');
const { loadSeeds } = await import('../../src/cli/seeding/history.ts');
const { seedRows } = await import('../../src/cli/seeding/rows.ts');

const platform = await startPlatform();
const { admin } = platform;
const [ada, ben] = [await platform.newMember(), await platform.newMember()];
const { data: community } = await admin.call(createCommunity, { body: { name: 'All' } });
for (const member of [ada, ben])
  await member.client.call(joinCommunity, { params: { communityId: community.id } });
const { data: post } = await ada.client.call(createPost, {
  params: { communityId: community.id },
  body: { content: 'Gold without trades' },
});

test('the operations of the removed module are missing, also in the description', async () => {
  assert.equal((await ada.client.attempt(listTrades)).status, 404);
  const description = (await (await fetch(`${platform.url}/openapi.json`)).json()) as ApiDescription;
  const paths = Object.keys(description.paths);
  assert.ok(paths.includes('/v1/posts/{postId}'));
  assert.deepEqual(
    paths.filter((path) => path.includes('trade')),
    [],
  );
});

test('the search finds everything else, and refuses the removed type', async () => {
  const { status, data } = await ben.client.call(search, { query: { q: 'gold' } });
  assert.deepEqual([status, data.results.map(({ id }) => id)], [200, [post.id]]);
  assert.equal((await ben.client.call(search, { query: { q: 'gold', type: 'post' } })).status, 200);
  assert.equal((await ben.client.attempt(search, { query: { q: 'gold', type: 'trade' } })).status, 422);
  await platform.platform.runJob('search.rebuild');
});

test('the dashboard and the statistics of members have all other sections', async () => {
  const { data } = await admin.call(getDashboard);
  assert.deepEqual(Object.keys(data).toSorted(), [
    'education',
    'engagement',
    'overview',
    'previous',
    'traffic',
  ]);
  assert.equal(data.engagement.postsCreated, 1);
  const own = (await ada.client.call(getOwnStatistics)).data;
  assert.equal(own.engagement.posts, 1);
  assert.equal('trading' in own, false);
  const event = { eventName: 'trade.viewed', eventType: 'trading' };
  assert.equal((await ada.client.call(trackEvent, { body: event })).status, 202);
});

test('notifications of other modules arrive, and the removed topic cannot be subscribed to', async () => {
  const topics: ('GENERAL' | 'SESSIONS')[] = ['GENERAL', 'SESSIONS'];
  const unknown = await ben.client.raw('POST', '/push-notifications/subscribe', { topics: ['TRADE_IDEAS'] });
  assert.equal(unknown.status, 422);
  const { data } = await ben.client.call(subscribeToTopics, { body: { topics } });
  assert.deepEqual(data.topics, topics);
  assert.equal((await ben.client.raw('GET', '/v1/notifications?type=trade_update')).status, 422);
  await ben.client.call(createComment, { params: { postId: post.id }, body: { content: 'Well said' } });
  await until(
    async () =>
      (await ada.client.call(listNotifications, { query: { type: 'comment_reply' } })).data.length === 1,
    'the notification of a comment',
  );
});

test('content of other modules is reported and removed', async () => {
  const report = { kind: 'post' as const, subjectId: post.id, reason: 'Spam' };
  const sent = await ben.client.call(reportOperation, { body: report });
  assert.equal(sent.status, 201);
  const verdict = await admin.attempt(resolveReport, {
    params: { reportId: sent.data.id },
    body: { outcome: 'removed' },
  });
  assert.equal(verdict.status, 200);
  assert.equal((await ada.client.attempt(getPost, { params: { postId: post.id } })).status, 404);
});

test('the other modules fill an installation to try', async () => {
  const seeds = await loadSeeds(platform.platform);
  const plan = { members: 20, educators: 2, days: 20, passwordHash: '' };
  const done: string[] = [];
  await seedRows(platform.databaseUrl, { seeds, plan, report: (what) => done.push(what) });
  assert.ok(done.includes('rooms') && !done.includes('trade ideas'), done.join());
});
