// A transaction that waits for another connection deadlocks with others that do, once each holds one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteOwnAccount } from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ DATABASE_CONNECTIONS: '2' });

test('members who are paid out as they leave at once need one connection each', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => platform.newMemberWith(100)));
  const body = { password: PASSWORD, remainingKeys: 'withdraw' } as const;
  const left = await Promise.all(all.map(({ client }) => client.attempt(deleteOwnAccount, { body })));
  assert.deepEqual([...new Set(left.map(({ status }) => status))], [200]);
});
