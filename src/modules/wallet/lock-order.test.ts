// Members and sessions are locked before wallets, as the deletion of an account does; otherwise both would deadlock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  deleteOwnAccount,
  enrollInCourse,
  fundWalletAsAdmin,
  tipEducator,
  transferKeys,
  withdrawKeys,
} from '../../../sdk/src/index.ts';
import { type Answer, PASSWORD } from '../../../test/support/client.ts';
import { newCourse } from '../../../test/support/courses.ts';
import { elevate, withApp } from '../../../test/support/factors.ts';
import { holding, untilAvailable } from '../../../test/support/holding.ts';
import { until } from '../../../test/support/live.ts';
import { startPlatform } from '../../../test/support/platform.ts';
import { assertRefused } from '../../../test/support/refused.ts';
import { invalidToken } from '../../kernel/operations/access.ts';

const platform = await startPlatform({ VERIFIED_EMAIL: 'money' });
const { database } = platform;
const { owner: educator, course } = await newCourse(platform, { course: { price: 5 } });

/** Payments try again and again to lock their member, and never wait long enough to be seen waiting. */
const TRIES_MS = 300;
const waiting = async () =>
  (await database.count(
    "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  )) > 0;
const freeWalletOf = (userId: string) =>
  database.all(
    "select id from wallet.account where user_id = $1 and kind = 'wallet' for update skip locked",
    [userId],
  );

async function newSender() {
  const member = await platform.newMemberWith(1_000);
  await database.execute('update identity.user set email_verified = true where id = $1', [member.id]);
  return withApp(platform, member);
}

test('a transaction that waits for a member or their session holds no wallet', async () => {
  const ada = await newSender();
  await elevate(ada);
  const admin = await withApp(platform, { client: platform.admin });
  await elevate(admin);
  const funding = { userId: ada.id, amount: 1, reason: 'to try' };
  const attempts = {
    transfer: () => ada.client.attempt(transferKeys, { body: { toUserId: educator.id, amount: 1 } }),
    tip: () => ada.client.attempt(tipEducator, { params: { educatorId: educator.id }, body: { amount: 1 } }),
    enrolment: () => ada.client.attempt(enrollInCourse, { params: { courseId: course.id } }),
    withdrawal: () => ada.client.attempt(withdrawKeys, { body: { amount: 50 } }),
    funding: () => admin.client.attempt(fundWalletAsAdmin, { body: funding }),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    let answering: Promise<Answer> | undefined;
    await holding(database, async (tx) => {
      await tx.execute('select from identity.session where user_id = any($1) for update', [
        [ada.id, platform.adminId],
      ]);
      answering = untilAvailable<Answer>(attempt);
      await sleep(TRIES_MS);
      assert.equal((await freeWalletOf(ada.id)).length, 1, name);
    });
    assert.equal((await answering)?.status, 201, name);
  }
});

test('a withdrawal and the deletion of its member do not wait for each other', async () => {
  const { id, client, app } = await newSender();
  await elevate({ client, app });
  const body = { password: PASSWORD, remainingKeys: 'withdraw' as const };
  const [deletion, withdrawal] = await holding(database, async (tx) => {
    await tx.execute('select from identity.user where id = $1 for update', [id]);
    const leaving = untilAvailable(() => client.attempt(deleteOwnAccount, { body }));
    await until(waiting, 'the deletion waits for the member');
    const withdrawing = untilAvailable(() => client.attempt(withdrawKeys, { body: { amount: 50 } }));
    await sleep(TRIES_MS);
    assert.equal((await freeWalletOf(id)).length, 1);
    return [leaving, withdrawing] as const;
  }).then((both) => Promise.all(both));
  assert.equal(deletion.status, 200, JSON.stringify(deletion.body));
  assertRefused(withdrawal, invalidToken);
});
