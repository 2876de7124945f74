import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, grantOf } from '../../../../test/support/grants.ts';
import { ADA, BEN, type Body, ruling, type State } from '../../../../test/support/webhook-rules.ts';
import { DAY_MS } from '../../../kernel/time/time.ts';
import type { Grant } from '../access/access.model.ts';

// What the backoffice's webhooks change, answer and record, without a platform around the rules.

const OFF = { isWanted: false, status: 'revoked' } as const;
const GRANT: Body = { customer_id: 'C-1', action: 'grant', charting_username: 'ada' };
const REVOKE: Body = { customerId: 'C-1', action: 'revoke' };

test('a grant of the backoffice is for all indicators, under the given handle, and recorded if it changes any', async () => {
  const failed = grantOf({ id: 'g2', indicatorId: 'gone', status: 'failed', lastError: 'no such user' });
  const begun = grantOf({ id: 'g1', indicatorId: 'i1' });
  const made = ruling({ grants: [begun, failed], changed: [begun, failed] });
  const answer = await made.access(GRANT);
  const wish = { handle: 'ada', source: 'automated', requestId: null, priority: 0 };
  assert.deepEqual(made.done, [
    ['member', ADA],
    ['grant', ADA, 2, wish],
    ['audit', 'indicator-access.grant', ADA, { customerId: 'C-1', changed: 1 }],
  ]);
  const { results, ...rest } = answer as Body;
  const counts = { scanners: 2, changed: 1, skipped: 0, failed: 1 };
  const who = { customerId: 'C-1', userId: ADA, email: 'ada@example.com', chartingUsername: 'ada' };
  assert.deepEqual(rest, { ...who, ...counts, action: 'grant', ignored: false });
  assert.deepEqual(
    (results as Body[]).map(({ scannerName, accessId, error }) => [scannerName, accessId, error]),
    [
      ['Name i1', 'g1', undefined],
      ['', 'g2', 'no such user'],
    ],
  );
  const inVain = ruling({ grants: [failed], changed: [failed] });
  assert.equal(((await inVain.access(GRANT)) as Body).changed, 0);
  assert.ok(inVain.done.some(([what]) => what === 'audit'));
  const nothing = ruling();
  await nothing.access(GRANT);
  assert.ok(!nothing.done.some(([what]) => what === 'audit'));
});

test('without a handle the one on record counts, in this order, and without any the grant is refused', async () => {
  const handleOf = async (state: State) => {
    const answer = await ruling(state).access({ customerId: 'C-1', action: 'grant' });
    return typeof answer === 'string' ? answer : answer.chartingUsername;
  };
  const [older, newer] = [grantOf({ id: 'g1', handle: 'old' }), grantOf({ id: 'g2', handle: 'new' })];
  const holder = { savedHandle: 'saved', requestHandle: 'requested' };
  assert.equal(await handleOf({ grants: [older, newer], holder }), 'new');
  assert.equal(await handleOf({ grants: [newer, older], holder }), 'new');
  assert.equal(await handleOf({ grants: [older, { ...newer, ...OFF }], holder }), 'old');
  const over = [
    { ...older, ...OFF },
    { ...newer, ...OFF },
  ];
  assert.equal(await handleOf({ grants: over, holder }), 'saved');
  assert.equal(await handleOf({ grants: over, holder: { requestHandle: 'requested' } }), 'requested');
  assert.equal(await handleOf({ grants: over, holder: {} }), 'new');
  assert.equal(await handleOf({ grants: over }), 'new');
  assert.equal(await handleOf({}), '422 CHARTING_USERNAME_REQUIRED');
});

test('a revocation ends what the member has, and says which indicators they had not', async () => {
  const grants = [
    grantOf({ id: 'g1', indicatorId: 'i1', handle: 'ada', status: 'active' }),
    grantOf({ id: 'g3', indicatorId: 'i3', ...OFF }),
  ];
  const made = ruling({ grants, changed: [grants[0] as Grant] });
  const answer = (await made.access(REVOKE)) as Body;
  assert.deepEqual(made.done.slice(1), [
    ['change', ADA, ['pending_revoke', null], ['revoked', null]],
    ['audit', 'indicator-access.revoke', ADA, { customerId: 'C-1', changed: 1 }],
  ]);
  const { chartingUsername, scanners, changed, skipped, failed, results } = answer;
  assert.deepEqual(
    [chartingUsername, scanners, changed, skipped, failed, (results as object[]).length],
    ['ada', 2, 1, 1, 0, 1],
  );
  const none = (await ruling().access(REVOKE)) as Body;
  assert.deepEqual([none.chartingUsername, none.skipped], [null, 2]);
});

test('a body without a customer, an action or a fit handle is refused, as is an unknown customer', async () => {
  for (const [body, code, state] of [
    [{ action: 'grant' }, '400 INVALID_PAYLOAD'],
    [{ customerId: 'C-1', action: 'take' }, '400 INVALID_ACTION'],
    [{ ...GRANT, charting_username: 'a b' }, '422 VALIDATION_FAILED'],
    [GRANT, '404 CUSTOMER_NOT_FOUND', { isUnknown: true }],
  ] as [Body, string, State?][]) {
    const { access, done } = ruling(state);
    assert.equal(await access(body), code, JSON.stringify(body));
    assert.deepEqual(done, []);
  }
});

test('an event counts once under its id, for its member and action', async () => {
  const event = { ...GRANT, eventId: 'e1' };
  const first = ruling();
  await first.access(event);
  assert.deepEqual(
    first.done.map(([what]) => what),
    ['member', 'lock', 'grant', 'keep'],
  );
  const answer = { userId: ADA, action: 'grant' };
  const again = ruling({ answer });
  assert.equal(await again.access(event), answer);
  assert.deepEqual(
    again.done.map(([what]) => what),
    ['member', 'lock'],
  );
  for (const other of [
    { ...answer, userId: BEN },
    { ...answer, action: 'revoke' },
  ])
    assert.equal(await ruling({ answer: other }).access(event), '409 EVENT_ID_REUSED');
});

test('an event older than the newest one changes nothing, and a clock that is ahead counts as now', async () => {
  const at = (ms: number) => new Date(AT.getTime() + ms);
  const grants = [grantOf({ status: 'active', handle: 'ada' })];
  const take = async (occurredAt: Date, newest: Date | null, body = GRANT) => {
    const { access, done } = ruling({ grants, newest });
    const answer = (await access({ ...body, occurredAt: occurredAt.toISOString() })) as Record<
      string,
      unknown
    >;
    return [answer.ignored, ...done.slice(1)];
  };
  assert.deepEqual(await take(at(-2), at(-1)), [true]);
  assert.deepEqual(await take(at(-2), at(-1), REVOKE), [true, ['change', ADA, ['active', null]]]);
  const [ignored, , noted] = await take(at(-1), at(-1));
  assert.deepEqual([ignored, noted], [false, ['occurred', ADA, 'access', at(-1)]]);
  assert.deepEqual((await take(at(5_000), null)).at(-1), ['occurred', ADA, 'access', AT]);
});

const END = new Date(AT.getTime() + 3 * DAY_MS);

test('inactivity starts a countdown for all but manual grants, which is announced for those it can end', async () => {
  const grants = [
    grantOf({ id: 'g1', indicatorId: 'i1', status: 'active', source: 'automated' }),
    grantOf({ id: 'g2', indicatorId: 'i2', status: 'active', source: 'manual' }),
    grantOf({ id: 'g3', indicatorId: 'i3', ...OFF, source: 'automated' }),
  ];
  const failed = grantOf({ id: 'g4', indicatorId: 'i4', status: 'failed' });
  const { activity, done } = ruling({ grants, changed: [grants[0] as Grant, failed] });
  const answer = (await activity({ userId: ADA, active: false })) as Body;
  assert.deepEqual(done.slice(1), [
    ['change', ADA, ['pending_revoke', END], ['active', null], ['revoked', null]],
    ['audit', 'indicator-access.activity', ADA, { active: false, changed: 2 }],
    ['publish', 'indicators.grace-began', { userId: ADA, scannerIds: ['i1'], graceEndsAt: END }],
  ]);
  const { userId, email, active, changed, graceEndsAt, ignored, results } = answer;
  assert.deepEqual(
    [userId, email, active, changed, graceEndsAt, ignored, (results as object[]).length],
    [ADA, 'ada@example.com', false, 2, END, false, 2],
  );
  const onlyFailed = ruling({ grants, changed: [failed] });
  await onlyFailed.activity({ userId: ADA, active: false });
  assert.ok(!onlyFailed.done.some(([what]) => what === 'publish'));
  const nothing = ruling({ grants });
  await nothing.activity({ userId: ADA, active: false });
  assert.equal(nothing.done.length, 2);
});

test('activity ends countdowns without word of it, and the earliest end that is left is answered', async () => {
  const counting = (id: string, ms: number) =>
    grantOf({
      id,
      indicatorId: id,
      status: 'pending_revoke',
      source: 'manual',
      graceEndsAt: new Date(AT.getTime() + ms),
    });
  const grants = [counting('g1', 9_000), counting('g2', 5_000), counting('g3', 7_000)];
  const { activity, done } = ruling({ grants, changed: grants });
  const { graceEndsAt } = (await activity({ email: 'ada@example.com', active: true })) as Record<
    string,
    unknown
  >;
  assert.deepEqual(graceEndsAt, new Date(AT.getTime() + 5_000));
  assert.ok(!done.some(([what]) => what === 'publish'));
  const ended = ruling({ grants: [{ ...counting('g1', 9_000), source: 'automated' }] });
  assert.equal(((await ended.activity({ userId: ADA, active: true })) as Body).graceEndsAt, null);
});

test('a report of activity names a member by id or address, the id first', async () => {
  const report = (body: Body) =>
    ruling()
      .activity(body)
      .then((answer) => (typeof answer === 'string' ? answer : answer.userId));
  assert.equal(await report({ userId: ADA, active: true }), ADA);
  assert.equal(await report({ userId: BEN, email: 'ada@example.com', active: true }), ADA);
  assert.equal(await report({ userId: BEN, active: true }), '404 NOT_FOUND');
  assert.equal(await report({ email: 'nobody@example.com', active: true }), '404 NOT_FOUND');
  assert.equal(await report({ active: true }), '400 INVALID_PAYLOAD');
  assert.equal(await report({ userId: 'x', active: true }), '400 INVALID_ID');
  const same = { userId: ADA, active: true };
  const event = { ...same, eventId: 'e1' };
  assert.equal(await ruling({ answer: same }).activity(event), same);
  for (const other of [
    { ...same, active: false },
    { ...same, userId: BEN },
  ])
    assert.equal(await ruling({ answer: other }).activity(event), '409 EVENT_ID_REUSED');
});

test('a webhook about a member who is erased while it waits changes and keeps nothing', async () => {
  const made = ruling({ isErased: true });
  assert.equal(await made.access({ ...GRANT, eventId: 'e1' }), '404 CUSTOMER_NOT_FOUND');
  assert.equal(await made.activity({ userId: ADA, active: true, eventId: 'e1' }), '404 NOT_FOUND');
  assert.deepEqual(made.done, [
    ['member', ADA],
    ['member', ADA],
  ]);
});
