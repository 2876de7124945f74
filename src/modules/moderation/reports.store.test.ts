import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepsFromChange } from '../../../test/support/locked-rows.ts';
import { ownDatabase } from '../../../test/support/own-database.ts';
import type { Transaction } from '../../kernel/database/queries.ts';
import { idMaker, type ObjectId } from '../../kernel/ids.ts';
import { digestOf } from '../../kernel/secrets.ts';
import { systemClock } from '../../kernel/time/time.ts';
import type { Report } from './contract.ts';
import { muteStore } from './mutes.store.ts';
import { reportStore } from './reports.store.ts';

// What the statements about reports and mutes read and write, without a platform around them.

const { database } = await ownDatabase();
const store = reportStore(database);
const within = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database.transaction(work);
const newId = idMaker(systemClock);
const AT = new Date('2026-03-01T12:00:00Z');
const [ADA, BEN, EVE] = [newId(), newId(), newId()];

function reportOf(fields: Partial<Report> = {}): Report {
  return {
    id: newId(),
    kind: 'post',
    subjectId: newId(),
    containerId: null,
    authorId: ADA,
    text: 'Buy!',
    reportedBy: BEN,
    reason: 'Spam',
    status: 'open',
    createdAt: AT,
    resolvedAt: null,
    resolvedBy: null,
    note: null,
    earlierTexts: [],
    ...fields,
  };
}
const insert = (report: Report, text = report.text) =>
  within((tx) => store.insert(tx, report, digestOf(text)));
const resolve = (report: Report, by: ObjectId, outcome: 'removed' | 'dismissed' = 'dismissed') =>
  within((tx) => store.resolve(tx, report, { outcome, note: 'No', at: AT, by }));
const idsOf = (reports: { id: string }[]) => reports.map(({ id }) => id);

test('a member reports an item once while it is open, and a text once', async () => {
  const first = reportOf();
  const { subjectId, kind } = first;
  assert.equal(await insert(first), true);
  assert.equal(await insert(reportOf({ subjectId })), false);
  assert.equal(await insert(reportOf({ subjectId, text: 'Sell!' })), false, 'it is open');
  for (const other of [{ subjectId, reportedBy: EVE }, { subjectId, kind: 'comment' }, {}])
    assert.equal(await insert(reportOf(other)), true, JSON.stringify(other));
  await resolve(first, EVE);
  assert.equal(await insert(reportOf({ subjectId })), false, 'the same text');
  assert.equal(await insert(reportOf({ subjectId }), 'Buy! And so on'), true, 'as shortened, but longer');
  assert.equal(await store.isReportedBy({ kind, subjectId }, BEN), true);
});

test('all open reports of an item are resolved at once, and whether one is by who resolves them is said', async () => {
  const first = reportOf();
  const { subjectId } = first;
  const [second, other, comment] = [
    reportOf({ subjectId, reportedBy: EVE }),
    reportOf(),
    reportOf({ subjectId, kind: 'comment' }),
  ];
  for (const report of [first, second, other, comment]) await insert(report);
  const isReportedBy = (userId: string) => store.isReportedBy(first, userId);
  assert.deepEqual([await isReportedBy(BEN), await isReportedBy(ADA)], [true, false]);
  assert.deepEqual(await resolve(first, EVE, 'removed'), { reports: 2, isOwn: true });
  assert.deepEqual(await resolve(first, EVE), { reports: 0, isOwn: false });
  const found = (await store.find(first.id)) ?? assert.fail();
  assert.deepEqual(
    [found.status, found.resolvedBy, found.resolvedAt, found.note],
    ['removed', EVE, AT, 'No'],
  );
  for (const open of [other, comment]) assert.equal((await store.find(open.id))?.status, 'open');
  assert.deepEqual(await resolve(other, ADA), { reports: 1, isOwn: false });
  assert.equal(await isReportedBy(BEN), false, 'no longer open');
});

test('reports are listed newest first by kind and status, and by who made them or is in them', async () => {
  const [dan, fay] = [newId(), newId()];
  const made = [
    reportOf({ kind: 'story', authorId: dan, reportedBy: fay }),
    reportOf({ kind: 'story', authorId: fay, reportedBy: dan }),
    reportOf({ kind: 'story', authorId: dan, reportedBy: fay }),
    reportOf({ kind: 'announcement', authorId: dan, reportedBy: fay }),
  ];
  for (const report of made) await insert(report);
  const [one, two, three, announcement] = idsOf(made) as [string, string, string, string];
  await resolve(made[1] as Report, EVE);
  const list = async (filter: Parameters<typeof store.pageOf>[0]) =>
    idsOf((await store.pageOf(filter, { page: 1, limit: 9 })).items);
  assert.deepEqual(await list({ kind: 'story' }), [three, two, one]);
  assert.deepEqual(await list({ kind: 'story', status: 'open' }), [three, one]);
  assert.deepEqual(await list({ kind: 'story', status: 'dismissed' }), [two]);
  assert.deepEqual((await list({ status: 'open' })).slice(0, 2), [announcement, three]);
  const against = await store.newestAgainst(dan, 2);
  assert.deepEqual(
    [idsOf(against.reports), against.total, against.totalIsExact],
    [[announcement, three], 3, true],
  );
  assert.deepEqual(idsOf((await store.newestBy(dan, BEN, 9)).reports), [two]);
  const { count, oldestAt } = await store.backlog();
  assert.equal(count, await database.count("select count(*) from moderation.report where status = 'open'"));
  assert.deepEqual(oldestAt, AT);
});

test('mutes are set, replaced and ended for their member alone, and end by themselves', async () => {
  const mutes = muteStore(database);
  const at = (ms: number) => new Date(AT.getTime() + ms);
  const set = (userId: string, mutedUntil: Date | null, now = AT) =>
    within(async (tx) => {
      const before = await mutes.lock(tx, userId);
      await mutes.set(tx, userId, { mutedUntil, by: EVE, at: now });
      return before;
    });
  assert.equal(await set(ADA, at(5)), undefined);
  assert.equal(await set(BEN, at(50)), undefined);
  assert.deepEqual(await set(ADA, at(9)), { mutedUntil: at(5), mutedBy: EVE, mutedAt: AT });
  assert.deepEqual(
    await mutes.among([ADA, BEN, EVE], AT),
    new Map([
      [ADA, at(9)],
      [BEN, at(50)],
    ]),
  );
  assert.deepEqual([...(await mutes.among([ADA, BEN], at(10))).keys()], [BEN]);
  assert.deepEqual([...(await mutes.among([ADA], AT)).keys()], [ADA]);
  assert.deepEqual((await set(ADA, at(90), at(10)))?.mutedUntil, at(9), 'also one that is over');
  assert.deepEqual(await set(ADA, null), { mutedUntil: at(90), mutedBy: EVE, mutedAt: at(10) });
  assert.deepEqual([...(await mutes.among([ADA, BEN], AT)).keys()], [BEN]);
  await within((tx) => mutes.erase(tx, BEN));
  assert.equal((await mutes.among([ADA, BEN], AT)).size, 0);
});

test('a mute that is being changed is not changed by others meanwhile, so that each sees the one before', async () => {
  const mutes = muteStore(database);
  await within((tx) => mutes.set(tx, EVE, { mutedUntil: AT, by: ADA, at: AT }));
  const rows = 'moderation.mute where user_id = $1';
  assert.equal(await keepsFromChange(database, (tx) => mutes.lock(tx, EVE), rows, [EVE]), true);
});
