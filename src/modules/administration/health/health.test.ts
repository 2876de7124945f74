import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getInstallationHealth, listAudit, recordBackup } from '../../../../sdk/src/index.ts';
import { SECRET_KEY, startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, clock } = platform;
const read = async () => (await admin.call(getInstallationHealth)).data;

test('a process reports its role, version, lag and memory', async () => {
  const [own, ...others] = (await read()).processes;
  assert.deepEqual([own?.role, own?.draining, others], ['all', false, []]);
  assert.match(own?.version ?? '', /^\d+\.\d+\.\d+/);
  assert.ok((own?.memoryBytes ?? 0) > 10_000_000);
  assert.ok((own?.lagMs ?? -1) >= 0);
});

test('an external system is up or down according to its last call, or unused before the first one', async () => {
  const stateOf = async (name: string) => (await read()).systems.find(({ system }) => system === name);
  assert.equal(
    (await stateOf('backoffice'))?.state,
    'off',
    'without a directory the platform keeps purchases itself',
  );
  const ada = await platform.newMemberWith(10);
  await platform.checkout(ada, 10);
  const up = await stateOf('payments');
  assert.deepEqual([up?.state, up?.lastError], ['up', null]);
  await platform.standIn('payments', { mode: 'fail' });
  await assert.rejects(platform.checkout(ada, 10));
  const down = await stateOf('payments');
  assert.equal(down?.state, 'down');
  assert.ok(down?.since && down.lastErrorAt);
  assert.match(down.lastError ?? '', /^Payment service unavailable: \S/, 'with the cause');
  await platform.standIn('payments', { mode: 'ok' });
});

test('settings are shown without secrets', async () => {
  const health = await read();
  const settingOf = (name: string) => health.settings.find((one) => one.name === name)?.value;
  assert.deepEqual(
    [settingOf('SECRET_KEY'), settingOf('ROLE'), settingOf('REDIS_URL')],
    ['********', 'all', null],
  );
  const shown = JSON.stringify(health);
  const password = new URL(platform.databaseUrl).password;
  for (const secret of [SECRET_KEY, ...(password ? [`:${password}@`] : [])])
    assert.ok(!shown.includes(secret), secret);
});

test('the backup job reports the newest backup, whose age is shown', async () => {
  assert.equal((await read()).backup, null);
  const at = new Date(clock.now() - 3_600_000).toISOString();
  const body = { at, head: '9f86d081', place: 's3://backups/1' };
  const { data } = await admin.call(recordBackup, { body: { ...body, reason: 'Nightly' } });
  assert.deepEqual(data, body);
  const { backup } = await read();
  assert.deepEqual([backup?.at, backup?.head, backup?.place], [at, body.head, body.place]);
  assert.ok(backup && backup.ageSeconds >= 3_600 && backup.ageSeconds < 4_000);
  await admin.call(recordBackup, { body: { ...body, place: 's3://backups/2' } });
  assert.equal((await read()).backup?.place, 's3://backups/2');
  const { data: log } = await admin.call(listAudit, { query: { action: 'backup.recorded' } });
  assert.deepEqual(
    log.map(({ changes, reason }) => [changes.place, reason]),
    [
      [['s3://backups/1', 's3://backups/2'], null],
      [[null, 's3://backups/1'], 'Nightly'],
    ],
  );
  const older = { ...body, at: new Date(clock.now() - 7_200_000).toISOString(), place: 's3://backups/0' };
  const late = await admin.call(recordBackup, { body: older });
  assert.equal(late.data.place, 's3://backups/2', 'a report that arrives late replaces nothing');
  assert.equal((await read()).backup?.place, 's3://backups/2');
  const ahead = new Date(clock.now() + 3_600_000).toISOString();
  for (const wrong of [
    { ...body, at: ahead },
    { ...body, at: 'yesterday' },
    { ...body, head: '' },
    { ...body, place: 'x'.repeat(501) },
    { at },
  ])
    assertInvalid(await admin.raw('PUT', '/v1/admin/backups/last', wrong), JSON.stringify(wrong));
});

test('only administrators see the health and report backups', async () => {
  const ada = await platform.newMember();
  assertRefused(await ada.client.attempt(getInstallationHealth), insufficientPermissions);
  const body = { at: new Date(clock.now()).toISOString(), head: 'x', place: 'y' };
  assertRefused(await ada.client.attempt(recordBackup, { body }), insufficientPermissions);
});
