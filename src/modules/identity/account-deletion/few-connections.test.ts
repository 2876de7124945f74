// A transaction that needs a second connection can deadlock: others may hold one connection each and wait for
// another, too.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteOwnAccount, signIn } from '../../../../sdk/src/index.ts';
import { PASSWORD } from '../../../../test/support/client.ts';
import { holding, untilAvailable } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { MINUTE_MS } from '../../../kernel/time/time.ts';

const platform = await startPlatform({ DATABASE_CONNECTIONS: '2' });

test('members who are paid out as they leave at once need one connection each', async () => {
  const body = { password: PASSWORD, remainingKeys: 'withdraw' } as const;
  await until(async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => platform.newMemberWith(100)));
    const left = await Promise.all(all.map(({ client }) => client.attempt(deleteOwnAccount, { body })));
    const statuses = new Set(left.map(({ status }) => status));
    // On a busy machine one may wait for a connection too long; if each needed two, some would each time.
    if (statuses.has(503)) return false;
    assert.deepEqual([...statuses], [200]);
    return true;
  }, 'members none of whom waits too long');
});

test('members who sign in at once, a while after the signing keys were read, need one connection each', async () => {
  const both = [await platform.newMember(), await platform.newMember()];
  platform.clock.advance(2 * MINUTE_MS);
  const waiting = () =>
    platform.database.count(
      `select count(*) from pg_locks where not granted and relation = 'identity.session'::regclass`,
    );
  let answers: Promise<{ status: number }[]> | undefined;
  await holding(platform.database, async (tx) => {
    await tx.execute('lock table identity.session in exclusive mode');
    const body = ({ email }: Member) => ({ email, password: PASSWORD, platform: 'web' as const });
    answers = Promise.all(
      both.map((one) => untilAvailable(() => platform.client.attempt(signIn, { body: body(one) }))),
    );
    await until(async () => (await waiting()) === both.length, 'the sign-ins at the table');
  });
  assert.deepEqual(
    (await answers)?.map(({ status }) => status),
    [200, 200],
  );
});
