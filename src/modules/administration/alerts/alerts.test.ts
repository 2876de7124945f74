import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAlert, getOverview, listAlerts, listAudit } from '../../../../sdk/src/index.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { assertInvalid, assertRefused } from '../../../../test/support/refused.ts';
import { insufficientPermissions } from '../../../kernel/failures.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { endAlert, operatorAlerts } from '../../../kernel/records/alerts.ts';
import { auditLog } from '../../../kernel/records/audit.ts';
import { alertClosed, alertNotFound } from './alerts.ts';

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
const { admin, database, clock } = platform;
const newId = idMaker(clock);
const log = { error: () => undefined } as never;
const audit = auditLog({ database, clock, newId });
const alertOperators = operatorAlerts({ audit, log, clock, actor: 'service:test' });
const raise = (action: string, rest: object, target = 'dp_1') =>
  database.transaction((tx) => alertOperators(tx, { action, target, details: { cents: 5 }, ...rest }));
const list = async (query: NonNullable<Parameters<typeof admin.call<typeof listAlerts>>[1]>['query']) =>
  (await admin.call(listAlerts, { query })).data;
const close = (alertId: string, by = admin) =>
  by.attempt(closeAlert, { params: { alertId }, body: { reason: 'Looked at it' } });
const waiting = async () =>
  (await admin.call(getOverview)).data.worklists.find(({ name }) => name === 'alerts')?.count;

test('an alert is open until an administrator closes it, with a reason', async () => {
  const ada = await platform.newMember();
  await raise('test.broken', { openUntilDealtWith: 'thing:1' }, ada.id);
  const [alert] = await list({ status: 'open', target: ada.id });
  assert.deepEqual(
    [alert?.action, alert?.subject, alert?.actor, alert?.details, alert?.member?.email, alert?.closedAt],
    ['test.broken', 'thing:1', 'service:test', { cents: 5 }, ada.email, null],
  );
  assert.equal(await waiting(), 1);
  const { status, data } = await close(alert?.id ?? '');
  assert.deepEqual([status, data?.member?.id], [200, ada.id]);
  assert.equal(await waiting(), 0);
  assertRefused(await close(alert?.id ?? ''), alertClosed);
  const [entry] = (await admin.call(listAudit, { query: { action: 'alert.closed' } })).data;
  assert.deepEqual(
    [entry?.target, entry?.targetName, entry?.actor, entry?.reason, entry?.details],
    [alert?.id, 'test.broken', data?.closedBy, 'Looked at it', { subject: 'thing:1', cents: 5 }],
  );
  assert.deepEqual(
    (await list({ status: 'closed', target: ada.id })).map(({ id }) => id),
    [alert?.id],
  );
});

test('of one subject only the newest alert is open, and what it was about cannot be closed unread', async () => {
  await raise('test.inquired', { openUntilDealtWith: 'dispute:dp_1' });
  const [first] = await list({ status: 'open', target: 'dp_1' });
  clock.advance(60_000);
  await raise('test.opened', { openUntilDealtWith: 'dispute:dp_1' });
  assertRefused(await close(first?.id ?? ''), alertClosed);
  const open = await list({ status: 'open', target: 'dp_1' });
  assert.deepEqual(
    open.map(({ action, raisedAt }) => [action, raisedAt]),
    [['test.opened', first?.raisedAt]],
  );
  await raise('test.won', { endOf: 'dispute:dp_1' });
  assert.deepEqual(await list({ status: 'open', target: 'dp_1' }), []);
  const closed = await list({ target: 'dp_1' });
  assert.deepEqual(
    closed.map(({ action, closedBy }) => [action, closedBy]),
    [
      ['test.opened', 'service:test'],
      ['test.inquired', 'service:test'],
    ],
  );
});

test('alerts that are raised and ended at once leave one open at most', async () => {
  const subject = 'storm:1';
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 5 === 4
        ? database.transaction((tx) => endAlert(tx, subject, { by: 'service:test', at: clock.date() }))
        : raise(`test.storm-${i}`, { openUntilDealtWith: subject }, 'storm'),
    ),
  );
  await raise('test.calm', { openUntilDealtWith: subject }, 'storm');
  assert.deepEqual(
    (await list({ status: 'open', target: 'storm' })).map(({ action }) => action),
    ['test.calm'],
  );
  const [alert] = await list({ status: 'open', target: 'storm' });
  const answers = await Promise.all([close(alert?.id ?? ''), close(alert?.id ?? '')]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('an alert without a subject is in the audit log alone', async () => {
  const before = await waiting();
  await raise('test.noted', {}, 'noted');
  assert.equal(await waiting(), before);
  assert.equal((await admin.call(listAudit, { query: { target: 'noted' } })).data.length, 1);
  assert.deepEqual(await list({ target: 'noted' }), []);
});

test('a repetition with the same key closes once, and answers the same', async () => {
  await raise('test.broken', { openUntilDealtWith: 'thing:2' }, 'thing');
  const [alert] = await list({ status: 'open', target: 'thing' });
  const eager = admin.with({ 'idempotency-key': 'close-once' });
  const [first, second] = [await close(alert?.id ?? '', eager), await close(alert?.id ?? '', eager)];
  assert.deepEqual([first.status, second.status, second.data], [200, 200, first.data]);
});

test('only administrators read alerts, and unknown ones are not found', async () => {
  const ada = await platform.newMember();
  assertRefused(await ada.client.attempt(listAlerts), insufficientPermissions);
  assertRefused(await close('f'.repeat(24)), alertNotFound);
  assert.equal((await close('x')).status, 400);
  assertInvalid(await admin.raw('GET', '/v1/admin/alerts?status=none'), 'status');
});
