import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getDashboard, listCourses, search } from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { loadSeeds } from './history.ts';
import { seedRows } from './rows.ts';

const started = await startPlatform();
const { platform, admin, databaseUrl } = started;
const plan = { members: 40, educators: 3, days: 40, passwordHash: 'of no password' };
const report = () => undefined;

test('seeds write rows of their modules, which the rules, the sums and the search take for their own', async () => {
  const seeds = await loadSeeds(platform);
  const people = await seedRows(databaseUrl, { seeds, plan, report });
  assert.equal(people.length, plan.members);
  for (const job of ['analytics.add-up', 'watching.keep-sums', 'educators.rebuild', 'search.rebuild'])
    await platform.runJob(job);
  const { data: courses } = await admin.call(listCourses, {});
  assert.equal(courses.length, 2 * plan.educators);
  const { data: found } = await admin.call(search, { query: { q: 'seed-1', type: 'user' } });
  assert.ok(found.results.length > 0);
  const { data: dashboard } = await admin.call(getDashboard, {});
  assert.ok(dashboard.engagement.postsCreated > 0);
});

test('a database is filled once', async () => {
  const seeds = await loadSeeds(platform);
  await assert.rejects(seedRows(databaseUrl, { seeds, plan, report }), /has been seeded before/);
});
