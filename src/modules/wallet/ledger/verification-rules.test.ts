import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareLedger } from '../../../../test/support/bare-ledger.ts';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import type { Failure } from '../../../kernel/failures.ts';
import { operatorAlerts } from '../../../kernel/records/alerts.ts';
import { auditLog } from '../../../kernel/records/audit.ts';
import { DAY_MS, HOUR_MS } from '../../../kernel/time/time.ts';
import type { Verification } from '../contract.ts';
import { verificationRules } from './verification.ts';
import { verificationStore } from './verifications.store.ts';

// What a verification proves, keeps and reports, on a real ledger without a platform around it.

const { database } = await ownDatabase();
const { clock, newId, postIn, ensureAccount } = bareLedger(database);
const enqueued: unknown[] = [];
const alertOperators = operatorAlerts({
  audit: auditLog({ database, clock, newId }),
  log: { error: () => undefined } as never,
  clock,
  actor: 'service:ledger',
});
const rules = verificationRules({
  database,
  audit: { record: async (_tx: unknown, { action }: { action: string }) => enqueued.push(action) } as never,
  jobs: { enqueue: async (_tx: unknown, _kind: unknown, data: object[]) => enqueued.push(...data) } as never,
  clock,
  newId,
  alertOperators,
});
const results = verificationStore(database);

const userId = newId();
await database.transaction((tx) => ensureAccount(tx, 'wallet', userId));
/** Grants the member some Keys a second after the last grant. */
async function grant(): Promise<void> {
  clock.advance(1_000);
  await database.transaction((tx) =>
    postIn(tx, {
      type: 'fund',
      status: 'completed',
      from: 'issued',
      to: `wallet:${userId}`,
      fromUserId: null,
      toUserId: userId,
      amount: 5,
      description: '',
      metadata: {},
    }),
  );
}
/** Changes rows as somebody with full access could. */
const tamper = (text: string): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.execute('set local session_replication_role = replica');
    await tx.execute(text);
  });
const nightly = async (data: { isWhole?: boolean } = {}) => {
  clock.advance(1_000);
  await (rules.nightly as unknown as { run(data: object): Promise<void> }).run(data);
  const { scope, sound, transactions } = await rules.latest();
  return [scope, sound, transactions];
};
const provenSeq = () =>
  database.count(
    `select coalesce(max(h.seq), 0) from wallet.proven_head h join wallet.account a on a.id = account_id
     where name = 'wallet:${userId}'`,
  );
const notes = () => database.count('select count(*) from wallet.read_head');
const openAlerts = async () =>
  (
    await database.all<{ details: Pick<Verification, 'faults'> }>(
      'select details from kernel.alert join kernel.audit_entry using (id) where closed_at is null',
    )
  ).map(({ details }) => details);

test('before the first verification there is no result', async () => {
  await assert.rejects(rules.latest(), ({ status }: Failure) => status === 404);
  assert.equal(await rules.last(), undefined);
  assert.equal(await results.progress(), undefined);
});

test('a sound ledger is proven up to its last entry, and nobody is alerted', async () => {
  await grant();
  await grant();
  const verified = await rules.verify();
  assert.deepEqual([verified.faults, verified.transactions, verified.entries], [[], 2, 4]);
  assert.deepEqual([verified.issued, verified.inCirculation], [10, 10]);
  assert.deepEqual([await provenSeq(), await notes(), await openAlerts()], [2, 0, []]);
  const latest = await rules.latest();
  assert.deepEqual([latest.scope, latest.sound, latest.broken, latest.at], ['whole', true, [], clock.date()]);
});

test('the nightly verification continues from the last proof for a week, and then is whole', async () => {
  const wholeAt = clock.now();
  await grant();
  assert.deepEqual(await nightly(), ['since-last-proof', true, 3]);
  assert.equal(await provenSeq(), 3);
  assert.deepEqual(await nightly({ isWhole: true }), ['whole', true, 3], 'as an administrator asked');
  const since = clock.now();
  assert.notEqual(since, wholeAt);
  clock.set(since + 7 * DAY_MS - HOUR_MS - 1_001);
  assert.equal((await nightly())[0], 'since-last-proof');
  const { wholeAt: kept, at } = (await rules.last()) ?? assert.fail();
  assert.deepEqual([kept, at], [new Date(since), clock.date()]);
  clock.set(since + 7 * DAY_MS - HOUR_MS - 1_000);
  assert.equal((await nightly())[0], 'whole');
  assert.deepEqual((await rules.last())?.wholeAt, clock.date());
});

test('a fault is reported and kept, proves nothing, and lets the next verification be whole', async () => {
  await grant();
  const before = await provenSeq();
  await tamper(`update wallet.account set balance = balance + 1 where name = 'wallet:${userId}'`);
  assert.deepEqual(await nightly(), ['since-last-proof', false, 4]);
  const [alert] = await openAlerts();
  assert.ok((alert?.faults.length ?? 0) > 0);
  assert.deepEqual([await provenSeq(), await notes()], [before, 0]);
  const { faults } = (await rules.last()) ?? assert.fail();
  assert.equal(faults, alert?.faults.length);
  assert.deepEqual(await nightly(), ['whole', false, 4]);
  assert.equal((await openAlerts()).length, 1);
  await tamper(`update wallet.account set balance = balance - 1 where name = 'wallet:${userId}'`);
  assert.deepEqual(await nightly(), ['whole', true, 4]);
  assert.deepEqual(await openAlerts(), []);
  assert.equal(await provenSeq(), before + 1);
  assert.deepEqual(await nightly(), ['since-last-proof', true, 4]);
});

test('a short verification that begins later and ends first does not outrank one that finds a fault', async () => {
  const before = await openAlerts();
  const result = { entries: 1, transactions: 1, issued: 5, inCirculation: 5, head: 'h', at: clock.date() };
  const faults = [{ invariant: 'an old entry was changed', at: ['1'] }];
  clock.advance(1_000);
  const long = newId();
  clock.advance(1_000);
  const sound = await nightly();
  assert.equal(sound[1], true);
  await database.transaction((tx) => results.insert(tx, long, { ...result, isWhole: true, faults }));
  assert.deepEqual([(await rules.last())?.faults, (await rules.latest()).sound], [1, false]);
  clock.advance(1_000);
  await database.transaction((tx) => results.insert(tx, newId(), { ...result, isWhole: false, faults: [] }));
  assert.equal((await results.progress())?.isSound, false, 'nor does another short one');
  assert.deepEqual((await nightly()).slice(0, 2), ['whole', true], 'the next one is whole');
  assert.deepEqual([(await rules.last())?.faults, await openAlerts()], [0, before]);
});

test('without proven heads the whole ledger is verified', async () => {
  await tamper('delete from wallet.proven_head');
  assert.deepEqual(await nightly(), ['whole', true, 4]);
});

test('of the places of a fault five are shown', async () => {
  for (let count = 0; count < 7; count++) await grant();
  await tamper('update wallet.entry set type_seq = type_seq + 1 where amount > 0');
  const { faults } = await rules.verify();
  assert.ok(faults.length > 0 && faults.every(({ at }) => at.length <= 5));
  assert.ok(faults.some(({ at }) => at.length === 5));
  await tamper('update wallet.entry set type_seq = type_seq - 1 where amount > 0');
});

test('what a verification that was killed has noted is forgotten after a day', async () => {
  const note = (id: string) =>
    database.execute(
      `insert into wallet.read_head (verification_id, account_id, seq, balance, received, hash)
       values ($1, $2, 1, 0, 0, '')`,
      [id, userId],
    );
  await note(newId());
  clock.advance(DAY_MS - 2_000);
  await note(newId());
  await rules.verify();
  assert.equal(await notes(), 2, 'they may be under way');
  clock.advance(5_000);
  await rules.verify();
  assert.equal(await notes(), 1);
});

test('an administrator asks for a verification of the whole, which is recorded', async () => {
  const { requestedAt } = await rules.request({ actor: 'root' });
  assert.deepEqual(
    [requestedAt, enqueued],
    [clock.date(), [{ isWhole: true }, 'ledger.verification-requested']],
  );
});
