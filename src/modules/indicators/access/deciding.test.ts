import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { grantTables } from '../../../../test/support/grant-tables.ts';
import { AT, changesOf, EARLIER, entryOf, LATER } from '../../../../test/support/grants.ts';
import { holding } from '../../../../test/support/holding.ts';
import { spellingStore } from '../handles/spellings.store.ts';
import type { Entry, Grant } from './access.model.ts';
import { decisions } from './deciding.ts';
import { entryStore } from './entries.store.ts';

const { database, store, within, newIndicator, newGrant, reread, entriesOf, untilBlocked } =
  await grantTables();
const alerted: string[] = [];
const decidingWith = (hasPlatform: boolean) =>
  decisions({
    store,
    spellings: spellingStore,
    entries: entryStore,
    settling: {
      alert: async (_tx, { id }) => {
        alerted.push(id);
      },
    },
    settings: { leaseMs: 60_000, hasPlatform },
  });
const [deciding, unconfigured] = [decidingWith(true), decidingWith(false)];
const decide = (grant: Grant, rules = deciding) => within((tx) => rules.decide(tx, grant, AT));
const PENDING = { status: 'pending_grant', dueAt: EARLIER } as const;
const ENDING = { ...PENDING, status: 'pending_revoke', isWanted: false } as const;
const A_SECOND_LATER = new Date(AT.getTime() + 1_000);
const CLAIMED = { attempts: 1, leasedUntil: LATER, dueAt: LATER };

/** An indicator with a script, and what makes grants and entries of it. */
async function scripted() {
  const { id: indicatorId, pineId } = await newIndicator();
  const entry = (fields: Partial<Entry> = {}) => entryOf({ pineId: String(pineId), ...fields });
  return {
    pineId: String(pineId),
    entry,
    grant: (fields: Partial<Grant> = {}) => newGrant({ indicatorId, ...PENDING, ...fields }),
  };
}
/** Asserts the decision, and which fields of the stored grant it changes. */
async function assertDecides(
  grant: Grant,
  expected: object,
  { entries: _, ...changes }: Partial<Grant>,
  rules = deciding,
): Promise<void> {
  const { grant: claimed, ...decision } = (await decide(grant, rules)) as { grant?: Grant };
  const after = await reread(grant);
  const { entries: __, updatedAt: ___, ...changed } = changesOf(grant, after);
  assert.deepEqual([decision, changed], [expected, changes]);
  if (claimed) assert.deepEqual({ ...claimed, entries: [] }, { ...after, entries: [] });
}
const whyOf = async ({ id }: Grant) =>
  (
    await database.first<{ why: string }>('select moved_why as why from indicators.access where id = $1', [
      id,
    ])
  )?.why;

beforeEach(() => {
  alerted.length = 0;
  return spellingStore.save(database, 'Ada', AT);
});

test('a handle whose spelling is unknown is looked up first', async () => {
  const { grant } = await scripted();
  const made = await grant({ handle: 'eve' });
  await assertDecides(made, { step: { do: 'resolve', handle: 'eve' }, isFirst: false }, CLAIMED);
  assert.equal(await whyOf(made), 'A call to the charting platform');
  assert.deepEqual(await entriesOf(made), []);
});

test('an entry of unknown origin is recorded and looked for, with the spelling of the platform', async () => {
  const { grant, entry } = await scripted();
  const unknown = entry({ isConfirmed: false, origin: 'unknown' });
  const made = await grant();
  const claim = { ...CLAIMED, handle: 'Ada' };
  await assertDecides(made, { step: { do: 'look', entry: unknown }, isFirst: false }, claim);
  assert.deepEqual(await entriesOf(made), [unknown]);
  const doubtful = await grant({ entries: [entry({ isConfirmed: false, origin: 'found' })] });
  assert.equal(doubtful.entries[0]?.origin, 'unknown', 'as others know it');
});

test('an entry that others know is looked for as well, by a grant that has none yet', async () => {
  const { grant, entry } = await scripted();
  await grant({ entries: [entry({ origin: 'made' })] });
  const made = { ...(await grant()), handle: 'Ada' };
  const known = entry({ isConfirmed: false, origin: 'made' });
  await assertDecides(made, { step: { do: 'look', entry: known }, isFirst: false }, CLAIMED);
});

test('an absent entry is added, first of all as one whose answer is missing', async () => {
  const { grant, entry } = await scripted();
  const absent = entry({ isConfirmed: false, origin: 'absent' });
  const made = await grant({ handle: 'Ada', entries: [absent] });
  await assertDecides(made, { step: { do: 'add', entry: absent }, isFirst: true }, CLAIMED);
  assert.deepEqual(await entriesOf(made), [{ ...absent, origin: 'sent' }]);
  const again = await reread(made);
  const sent = { ...absent, origin: 'sent' as const };
  await assertDecides(again, { step: { do: 'add', entry: sent }, isFirst: false }, { attempts: 2 });
  // Meanwhile another grant has removed what it may have added.
  await within((tx) => entryStore.setOrigin(tx, sent, ['sent'], 'unknown'));
  const looking = await decide(again);
  assert.equal('step' in looking && looking.step.do, 'look');
});

test('the decision about an entry is made under its lock', async () => {
  const { grant, entry } = await scripted();
  const made = await grant();
  let isDecided = false;
  let deciding: Promise<void> | undefined;
  await holding(database, async (tx) => {
    await entryStore.lock(tx, [entry()]);
    deciding = decide(made).then(() => {
      isDecided = true;
    });
    await Promise.race([untilBlocked(), deciding]);
    assert.equal(isDecided, false);
  });
  await deciding;
});

test('no call is made for an entry while another grant of the handle has one under way', async () => {
  const { grant, entry } = await scripted();
  await grant({ leasedUntil: LATER, entries: [entry()] });
  const made = await grant();
  const why = 'Another grant of the same handle is under way';
  await assertDecides(made, { why }, { dueAt: A_SECOND_LATER });
  assert.equal(await whyOf(made), why);
});

test('without a charting platform what needs a call fails at once, and nobody is alerted', async () => {
  for (const [state, failedAction] of [
    [PENDING, 'grant'],
    [ENDING, 'revoke'],
  ] as const) {
    const { grant, entry } = await scripted();
    const made = await grant({ ...state, entries: state === ENDING ? [entry()] : [] });
    const decided = await decide(made, unconfigured);
    const after = await reread(made);
    assert.deepEqual(
      [after.status, after.errorKind, after.failedAction, after.lastError],
      ['failed', 'no-platform', failedAction, 'why' in decided && decided.why],
    );
    assert.match(after.lastError ?? '', /No charting platform is configured/);
  }
  assert.deepEqual(alerted, []);
});

test('a grant that needs no call is due at once, without a lease', async () => {
  const { grant } = await scripted();
  const why = 'Nothing is left to do at the charting platform';
  await assertDecides(await grant({ ...ENDING, leasedUntil: EARLIER }), { why }, { leasedUntil: null });
  const expired = await grant({ graceEndsAt: EARLIER });
  const over = { status: 'revoked', isWanted: false, endedBy: 'inactive', graceEndsAt: null } as const;
  await assertDecides(expired, { why }, { ...over, version: 6, dueAt: AT });
  assert.equal(await whyOf(expired), 'The grace period of an inactive member is over');
});

test('an entry that the platform made is removed, and doubted by all grants before', async () => {
  for (const origin of ['made', 'sent'] as const) {
    const { grant, entry } = await scripted();
    const made = await grant({ ...ENDING, entries: [entry({ origin })] });
    const other = await grant({ ...ENDING, entries: [entry({ origin })] });
    await assertDecides(made, { step: { do: 'remove', entry: entry({ origin }) }, isFirst: false }, CLAIMED);
    for (const one of [made, other])
      assert.deepEqual(await entriesOf(one), [entry({ origin, isConfirmed: false })]);
  }
});

test('an entry that somebody else made stays at the charting platform', async () => {
  for (const origin of ['found', 'unknown', 'absent'] as const) {
    const { grant, entry } = await scripted();
    const made = await grant({ ...ENDING, entries: [entry({ origin })] });
    const why = 'The entry at the charting platform was not made by this grant, so it stays';
    await assertDecides(made, { why }, { dueAt: AT });
    assert.deepEqual(await entriesOf(made), []);
  }
});

test('a member who keeps access that was there before the grant is not told that it has ended', async () => {
  const told = { notifiedStatus: 'active' } as const;
  for (const [of, notifiedStatus] of [
    [{ origin: 'found' }, null],
    [{ origin: 'found', isConfirmed: false }, 'active'],
    [{ origin: 'found', handle: 'eve' }, 'active'],
    [{ origin: 'found', pineId: 'PUB;former' }, 'active'],
    [{ origin: 'absent' }, 'active'],
  ] as const) {
    const { grant, entry } = await scripted();
    const made = await grant({ ...ENDING, ...told, entries: [entry(of)] });
    await decide(made);
    assert.equal((await reread(made)).notifiedStatus, notifiedStatus, JSON.stringify(of));
  }
});

test('an entry that another member wants is left to their grant, or waits while that is being changed', async () => {
  const { grant, entry } = await scripted();
  const made = await grant({ ...ENDING, entries: [entry()] });
  const other = await grant();
  await holding(database, async (tx) => {
    await tx.all('select id from indicators.access where id = $1 for update', [other.id]);
    const why = 'Another grant of the same handle is being changed';
    await assertDecides(made, { why }, { dueAt: A_SECOND_LATER });
  });
  const why = 'Another member holds the same handle';
  await assertDecides(made, { why }, { dueAt: AT });
  assert.deepEqual([await entriesOf(made), await entriesOf(other)], [[], [entry({ isConfirmed: false })]]);
});

test('access that a person gave is left to a person, whom operators are alerted to', async () => {
  const byHand = { origin: 'by_hand' } as const;
  const { grant, entry } = await scripted();
  const without = (await newIndicator({ pineId: null })).id;
  for (const made of [
    await grant({ ...ENDING, entries: [entry(byHand)] }),
    await newGrant({ indicatorId: without, ...ENDING, entries: [entryOf({ pineId: '', ...byHand })] }),
  ]) {
    alerted.length = 0;
    await decide(made);
    const { status, errorKind, lastError } = await reread(made);
    assert.deepEqual([status, errorKind, alerted], ['failed', 'by-hand', [made.id]]);
    assert.match(lastError ?? '', /^A person gave Ada access/);
  }
});

test('access that a person gave before there was a script moves to the script, unconfirmed', async () => {
  const { grant, entry } = await scripted();
  const made = await grant({ ...ENDING, entries: [entry({ pineId: '', origin: 'by_hand' })] });
  await assertDecides(made, { why: 'The indicator now has a script' }, { dueAt: AT });
  assert.deepEqual(await entriesOf(made), [entry({ isConfirmed: false, origin: 'by_hand' })]);
});
