import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  aggregateEvents,
  askFunnel,
  getOwnActivity,
  getOwnStatistics,
  listAudit,
  listEventName,
  listEventNames,
  listOwnEvents,
  listPopularEvents,
  removeEventName,
  trackEvents,
} from '../../../sdk/src/index.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { DAY_MS } from '../../kernel/time/time.ts';
import { dictionaryIsFull, nameIsCommon, nameNotListed } from './dictionary.ts';
import { OTHER } from './vocabulary.ts';

const platform = await startPlatform();
const { admin, clock, database, newMember } = platform;
type Member = Awaited<ReturnType<typeof newMember>>;

const newMembers = (count: number): Promise<Member[]> =>
  Promise.all(Array.from({ length: count }, () => newMember()));
/** Creates members who have listed alone as many names as they may. */
async function newInventors(count: number): Promise<Member[]> {
  const members = await newMembers(count);
  await database.execute(
    `insert into analytics.candidate (name, type, user_id, proposed_at, is_listed)
     select 'former-' || n, 'x', id, $2, true from unnest($1::text[]) id cross join generate_series(1, 50) n`,
    [members.map(({ id }) => id), clock.date()],
  );
  return members;
}
const track = async ({ client }: Member, eventNames: string[], eventType = 'engagement') => {
  const events = eventNames.map((eventName) => ({ eventName, eventType }));
  const answer = await client.call(trackEvents, { body: { events } });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
};
const countOf = async (name: string): Promise<number> => {
  const { data } = await admin.call(listPopularEvents);
  return data.find(({ eventName }) => eventName === name)?.count ?? 0;
};
const namedBy = async ({ client }: Member) => ({
  list: (await client.call(listOwnEvents)).data.map(({ eventName }) => eventName),
  most: (await client.call(getOwnStatistics)).data.mostCommonEvents,
  days: (await client.call(getOwnActivity)).data.map(({ breakdown }) => breakdown),
});
/** Backdates the listed names, so that they no longer count towards the daily limit. */
const beginDay = () =>
  database.execute(`update analytics.name set listed_at = listed_at - interval '2 days'`);
const decisionOf = (eventName: string, eventType = 'engagement') => ({
  body: { eventName, eventType, reason: 'Decided in a test' },
});
const countListed = (pattern: string): Promise<number> =>
  database.count(`select count(*) from analytics.name where name like $1 and counted_as is null`, [pattern]);

/** The specification's names and types of clients' events (part 2, Analytics). */
const NAMES =
  `page.view section.scroll exit.intent button.click form.submit video.play video.complete trade.created
  trade.viewed market.searched course.viewed lesson.started lesson.completed course.enrolled signup.started
  signup.completed payment.initiated payment.completed`.split(/\s+/);
const TYPES = ['navigation', 'interaction', 'conversion', 'trading', 'education', 'engagement'];

test('names that a member makes up are counted at once, up to fifty of each member', async () => {
  const [ada] = (await newMembers(1)) as [Member];
  await track(ada, ['cart.opened', 'cart.opened']);
  await track(ada, ['cart.emptied']);
  assert.deepEqual([await countOf('cart.opened'), await countOf('cart.emptied')], [2, 1]);
  const { data } = await admin.call(askFunnel, { body: { eventSequence: ['cart.opened', 'cart.emptied'] } });
  assert.equal(data.totalUsers, 1);
  await track(
    ada,
    Array.from({ length: 60 }, (_, place) => `cart.line-${place}`),
  );
  assert.equal(await countListed('cart.%'), 50);
  await beginDay();
});

test('of others who made up many, a name is listed once three used it, and for its own members at once', async () => {
  const [ada, ben, eve] = (await newInventors(3)) as [Member, Member, Member];
  const name = 'wishlist.opened';
  const other = await countOf(OTHER);
  await track(ada, [name, name]);
  await track(ben, [name]);
  assert.deepEqual([await countOf(name), await countOf(OTHER)], [0, other + 3]);
  for (const [member, count] of [
    [ada, 2],
    [ben, 1],
  ] as const)
    assert.deepEqual(await namedBy(member), {
      list: Array.from({ length: count }, () => name),
      most: [{ eventName: name, count }],
      days: [{ [name]: count }],
    });
  await track(eve, [name]);
  await track(ada, [name]);
  assert.deepEqual([await countOf(name), await countOf(OTHER)], [2, other + 3]);
  assert.deepEqual((await namedBy(ada)).most, [{ eventName: name, count: 3 }]);
  const { data } = await ada.client.call(listOwnEvents, { query: { eventType: 'engagement' } });
  assert.equal(data.length, 3);
});

test('names and types of the specification are always listed', async () => {
  const types = [...TYPES, OTHER];
  for (const name of [...NAMES, OTHER]) {
    const known = await database.all<{ type: string }>(
      `select type from analytics.name where source = 'client' and name = $1`,
      [name],
    );
    assert.deepEqual(
      types.filter((type) => !known.some((one) => one.type === type)),
      [],
      name,
    );
  }
  const [ada] = (await newInventors(1)) as [Member];
  const [views, other] = [await countOf('page.view'), await countOf(OTHER)];
  await track(ada, ['page.view'], 'of my own');
  await track(ada, ['page.seen'], 'navigation');
  assert.deepEqual([await countOf('page.view'), await countOf(OTHER)], [views + 1, other + 1]);
  const { data } = await admin.call(aggregateEvents, {
    query: { eventName: 'other', eventType: 'navigation' },
  });
  assert.equal(data[0]?.count, 1);
  assert.equal((await ada.client.call(listOwnEvents, { query: { eventType: 'of my own' } })).data.length, 1);
});

test('a few cooperating accounts cannot fill the dictionary of names', async () => {
  const hostile = await newMembers(3);
  for (let day = 0; day < 2; day++) {
    const names = Array.from({ length: 90 }, (_, place) => `junk-${day}-${place}`);
    for (const one of hostile) await track(one, names);
    await beginDay();
  }
  assert.equal(await countListed('junk-%'), 150, 'fifty of each');
  for (const one of hostile) await track(one, ['page.view']);
  const honest = await newMembers(3);
  for (const one of honest) await track(one, ['honest.name']);
  assert.equal(await countListed('honest.name'), 1);
});

test('names beyond the daily limit are listed the next day', async () => {
  const fresh = (await newMembers(9)) as Member[];
  await beginDay();
  for (let group = 0; group < 3; group++) {
    const names = Array.from({ length: 80 }, (_, place) => `daily-${group}-${place}`);
    for (const one of fresh.slice(3 * group, 3 * group + 3)) await track(one, names);
  }
  assert.equal(await countListed('daily-%'), 200);
  clock.advance(1.5 * DAY_MS);
  await platform.platform.runJob('analytics.tidy-up');
  clock.advance(-1.5 * DAY_MS);
  assert.equal(await countListed('daily-%'), 240);
});

test('an administrator removes a name and its history with a reason, and restores it', async () => {
  await beginDay();
  const members = await newInventors(6);
  for (const one of members.slice(0, 3)) await track(one, ['doubtful.thing']);
  await track(members[0] as Member, ['doubtful.thing', 'doubtful.thing']);
  const [counted, other] = [await countOf('doubtful.thing'), await countOf(OTHER)];
  assert.equal(counted, 3);
  const { data: names } = await admin.call(listEventNames, { query: { limit: 1 } });
  assert.deepEqual([names[0]?.eventName, names[0]?.isRemoved], ['doubtful.thing', false]);
  await admin.call(removeEventName, decisionOf('doubtful.thing'));
  for (const one of members.slice(3)) await track(one, ['doubtful.thing']);
  assert.deepEqual([await countOf('doubtful.thing'), await countOf(OTHER)], [0, other + counted + 3]);
  const funnel = { eventSequence: ['doubtful.thing'] };
  assert.equal((await admin.call(askFunnel, { body: funnel })).data.totalUsers, 0);
  assert.deepEqual((await namedBy(members[4] as Member)).list, ['doubtful.thing']);
  const { data: audit } = await admin.call(listAudit, { query: { action: 'event-name.removed' } });
  assert.deepEqual(audit[0]?.details, {
    name: 'doubtful.thing',
    type: 'engagement',
    reason: 'Decided in a test',
  });
  assertRefused(await admin.attempt(removeEventName, decisionOf('doubtful.thing')), nameNotListed);
  assertRefused(await admin.attempt(removeEventName, decisionOf('page.view', 'navigation')), nameIsCommon);
  await admin.call(listEventName, decisionOf('doubtful.thing'));
  assert.equal(await countOf('doubtful.thing'), counted + 3);
  await admin.call(listEventName, decisionOf('quite.new'));
  await track(members[5] as Member, ['quite.new']);
  assert.equal(await countOf('quite.new'), 1);
});

test('a full dictionary does not prevent tracking and has room once a name is removed', async () => {
  await beginDay();
  const count = `select count(*) from analytics.name where source = 'client' and counted_as is null`;
  await database.execute(
    `insert into analytics.name (source, name, type)
     select 'client', 'filled-' || n, 'x' from generate_series((${count}) + 1, 5000) n`,
  );
  for (const one of await newMembers(3)) await track(one, ['too.late']);
  assert.equal(await countListed('too.late'), 0);
  const full = await admin.attempt(listEventName, decisionOf('too.late'));
  assertRefused(full, dictionaryIsFull);
  await admin.call(removeEventName, decisionOf('filled-5000', 'x'));
  await platform.platform.runJob('analytics.tidy-up');
  assert.equal(await countListed('too.late'), 1);
  assert.equal(await database.count(count), 5000);
});
