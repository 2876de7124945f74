// Over random histories, running numbers give the same results as a scan of the entries.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import fc from 'fast-check';
import { ledgerFaults } from '../../../../test/support/ledger-faults.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { statisticsStore } from '../history/statistics.store.ts';
import { statisticsRules } from '../history/statistics.ts';
import { transactionStore } from '../history/transactions.store.ts';
import { transactionRules } from '../history/transactions.ts';
import { ownerRules } from '../wallets/owners.ts';
import { type TransactionType, transactionIdOf } from './transactions.model.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { database, clock } = platform;
const newId = idMaker(clock);
const statistics = statisticsRules(statisticsStore(database));
const { pageOf } = transactionRules(
  transactionStore(database),
  ownerRules(async () => []),
);
const START = Date.parse('2040-01-01');

interface Made {
  type: TransactionType;
  amount: number;
  /** Milliseconds after the entry before; several may have the same time. */
  later: number;
}
const made = fc.record({
  type: fc.oneof(
    { weight: 4, arbitrary: fc.constant<TransactionType>('transfer') },
    { weight: 3, arbitrary: fc.constantFrom<TransactionType>('fund', 'withdrawal', 'refund') },
  ),
  amount: fc.integer({ min: 1, max: 9 }),
  later: fc.constantFrom(0, 0, 1, 1000),
});
const histories = fc.array(made, { minLength: 1, maxLength: 60 });

/** Inserts a history directly, in batches like those of the ledger, so that its entries pass the same triggers. */
async function write(
  userId: string,
  history: Made[],
  batches: number,
): Promise<{ at: number; id: string }[]> {
  let at = START;
  const rows = history.map(({ type, amount, later }, place) => {
    at += later;
    const sign = type === 'withdrawal' || (type === 'transfer' && place % 2 === 1) ? -1 : 1;
    return { id: newId(), type, amount, change: place === 0 ? 1000 : sign * amount, at };
  });
  const size = Math.ceil(rows.length / batches);
  for (let first = 0; first < rows.length; first += size) {
    const batch = rows.slice(first, first + size);
    await database.execute(
      `with posted as (
         select * from jsonb_to_recordset($2) as posted (place int, id text, type text, change bigint, at timestamptz)
       ),
       recorded as (
         insert into wallet.transaction (id, type, status, amount, created_at, processed_at)
         select id, type, 'completed', abs(change), at, at from posted
       )
       insert into wallet.entry
         (account_id, seq, transaction_id, type, amount, balance_before, balance_after, received, hash, created_at)
       select account.id, last_seq + place, posted.id, type, sign * change,
         balance + sum(sign * change) over chain - sign * change, balance + sum(sign * change) over chain,
         received + sum(greatest(sign * change, 0)) over chain, sha256(''), greatest(at, updated_at)
       from posted cross join (values ('wallet:' || $1, 1), ('issued', -1)) as side (name, sign)
       join wallet.account using (name)
       window chain as (partition by account.id order by place)
       order by account.id, place`,
      [
        userId,
        JSON.stringify(
          batch.map((row, place) => ({ ...row, place: place + 1, at: new Date(row.at).toISOString() })),
        ),
      ],
    );
  }
  return rows;
}

const period = fc.option(fc.integer({ min: -2, max: 20_000 }), { nil: undefined });
const question = fc.record({
  type: fc.constantFrom<TransactionType | undefined>('transfer', 'fund', 'withdrawal', 'refund', undefined),
  status: fc.constantFrom('completed' as const, undefined),
  limit: fc.integer({ min: 1, max: 12 }),
  page: fc.integer({ min: 1, max: 6 }),
  from: period,
  length: period,
});
type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never;

interface Entry {
  id: string;
  type: TransactionType;
  change: number;
  at: Date;
}

/** Asks for a page and the statistics of a member, and compares them with all their entries, newest first. */
async function check(userId: string, entries: Entry[], asked: Question): Promise<void> {
  const { type, status, limit, page, from, length } = asked;
  const first = entries.at(-1)?.at.getTime() as number;
  const span = {
    ...(from === undefined ? {} : { from: new Date(first + from) }),
    ...(length === undefined ? {} : { to: new Date(first + (from ?? 0) + length) }),
  };
  const within = entries.filter(({ at }) => (!span.from || at >= span.from) && (!span.to || at <= span.to));
  const picked = within.filter((one) => !type || one.type === type);
  const filter = { ...span, ...(type && { type }), ...(status && { status }) };
  const found = await pageOf(userId, filter, { page, limit });
  assert.equal(found.total, picked.length);
  assert.deepEqual(
    found.items.map((one) => one.transactionId),
    picked.slice((page - 1) * limit, page * limit).map((one) => transactionIdOf(one.id)),
  );
  const summed = await statistics(userId, span);
  for (const kind of ['fund', 'transfer', 'withdrawal', 'refund'] as const) {
    const ofKind = within.filter((one) => one.type === kind);
    const amount = ofKind.reduce((sum, { change }) => sum + change, 0);
    const none = { count: 0, amount: 0 };
    assert.deepEqual(summed.byType[kind] ?? none, { count: ofKind.length, amount }, kind);
  }
}

test('statistics and filtered pages of random histories equal a full scan', async () => {
  const questions = fc.array(question, { minLength: 12, maxLength: 12 });
  const property = fc.asyncProperty(
    histories,
    fc.integer({ min: 1, max: 8 }),
    questions,
    async (history, batches, all) => {
      const { id } = await platform.newMemberWith(0);
      await write(id, history, batches);
      const entries = await database.all<Entry>(
        `select transaction_id as id, type, amount as change, created_at as at from wallet.entry
         where account_id = (select id from wallet.account where name = 'wallet:' || $1) order by seq desc`,
        [id],
      );
      assert.equal(entries.length, history.length);
      for (const one of all) await check(id, entries, one);
    },
  );
  await fc.assert(property, { numRuns: 25 });
});

test('the migration numbers existing entries as new ones would be', async () => {
  const numbers = () =>
    database.all(
      'select account_id, seq, other_seq, type_seq, type_sum from wallet.entry order by account_id, seq',
    );
  const before = await numbers();
  assert.ok(before.some(({ otherSeq }) => Number(otherSeq) > 3));
  await database.execute(
    'alter table wallet.entry drop column other_seq, drop column type_seq, drop column type_sum',
  );
  await database.execute('drop trigger entry_is_numbered on wallet.entry');
  for (const name of ['number_entry', 'others_at', 'transfer_at'])
    await database.execute(`drop function wallet.${name}`);
  await database.execute('create index entry_not_transfer on wallet.entry (account_id)');
  const file = new URL('../migrations/0004-running-numbers.sql', import.meta.url);
  const text = await readFile(file, 'utf8');
  await database.transaction((tx) => tx.sql(text));
  assert.deepEqual(await numbers(), before);
  const faults = (await ledgerFaults(database)).filter((fault) => fault.startsWith('running numbers'));
  assert.deepEqual(faults, []);
});
