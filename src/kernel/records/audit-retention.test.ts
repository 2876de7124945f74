import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';
import { idMaker } from '../ids.ts';
import { DAY_MS } from '../time/time.ts';
import { forgetOldEntries } from './audit-retention.ts';

const { clock, database } = await startPlatform();
const newId = idMaker(clock);
for (const [action, days] of [
  ['user.muted', 500],
  ['wallet.funded', 500],
  ['user.created', 300],
] as const)
  await database.insert('kernel.audit_entry', {
    id: newId(),
    actor: 'cli',
    action,
    details: '{}',
    createdAt: new Date(clock.now() - days * DAY_MS),
  });
const actions = async () =>
  (
    await database.all<{ action: string }>(
      `select action from kernel.audit_entry where actor = 'cli' order by action`,
    )
  ).map(({ action }) => action);
const forget = async (days: number | 'keep') =>
  forgetOldEntries({ database, clock }, days).run?.({}, { signal: new AbortController().signal, attempt: 1 });

test('the audit log is kept; with a retention, entries about money and those of the last year stay', async () => {
  await forget('keep');
  assert.deepEqual(await actions(), ['user.created', 'user.muted', 'wallet.funded']);
  await forget(400);
  assert.deepEqual(await actions(), ['user.created', 'wallet.funded']);
});

test('the database refuses every deletion of an entry that must stay', async () => {
  for (const action of ['user.created', 'wallet.funded'])
    await assert.rejects(
      database.transaction(async (tx) => {
        await tx.all(`select set_config('kernel.forgetting', 'on', true)`);
        await tx.execute('delete from kernel.audit_entry where action = $1', [action]);
      }),
      /append-only/,
    );
  await assert.rejects(database.execute('truncate kernel.audit_entry'), /append-only/);
});
