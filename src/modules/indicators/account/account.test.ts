import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { grantTables } from '../../../../test/support/grant-tables.ts';
import { holding } from '../../../../test/support/holding.ts';
import type { ChartingOutcome, ChartingPlatform } from '../../../external/charting/port.ts';
import { accountStore } from './account.store.ts';
import { accountRules } from './account.ts';

// Times are the database's, and are compared with others of the same statement.

const [HOUR_MS, MINUTE_MS] = [3_600_000, 60_000];
const { database, untilBlocked } = await grantTables();
const store = accountStore(database);
const alerts: unknown[] = [];
const rulesOf = (charting: ChartingPlatform | undefined, callsPerSecond = 10, retryMs = 1_000) =>
  accountRules({
    charting,
    store,
    database,
    alertOperators: async (_tx, { details }) => alerts.push((details as { reason: string }).reason) > 0,
    settings: { callsPerSecond, retryMs, timeoutMs: 10_000 },
  });
let session: ChartingOutcome = { kind: 'session-over' };
const platform = { check: async () => session } as ChartingPlatform;
const rules = rulesOf(platform);
type Answer = { kind: string; retryAfterMs?: number };
const answering = (answer: Answer, of = rules) => of.call(async () => answer);
const answeringAnybody = (answer: Answer) => rules.call(async () => answer, { withSession: false });

/** Writes columns of the account as SQL. */
const set = (assignments: string) => database.execute(`update indicators.account set ${assignments}`);
/** Reads a number or condition of the account. */
const read = async <T>(expression: string): Promise<T> =>
  (await database.first<{ found: T }>(`select ${expression} as found from indicators.account`))?.found as T;
const NOW = 'clock_timestamp()';
const nextInMs = () => read<number>(`round(extract(epoch from next_call_at - ${NOW}) * 1000)::float8`);
/** How long the pause that has just begun lasts. */
const pauseMs = () => read<number>('round(extract(epoch from paused_until - paused_since) * 1000)::float8');
const written = () => read<string>('xmin::text');
const paused = (reason: string, until: string) =>
  set(`pause_reason = '${reason}', paused_since = ${NOW}, paused_until = ${until}`);
const begin = () =>
  set(`next_call_at = 'epoch', faults = 0, paused_until = null, pause_reason = null, paused_since = null,
       last_success_at = null`);

beforeEach(async () => {
  alerts.length = 0;
  session = { kind: 'session-over' };
  await begin();
});

test('calls follow each other at the interval, and a call after a pause of its own goes at once', async () => {
  assert.equal(await store.reserve(HOUR_MS, MINUTE_MS), 0);
  const next = await nextInMs();
  assert.ok(next > HOUR_MS - MINUTE_MS && next <= HOUR_MS, `${next}`);
  const waitMs = (await store.reserve(HOUR_MS, MINUTE_MS)) as number;
  assert.ok(waitMs > HOUR_MS - MINUTE_MS && waitMs <= HOUR_MS, `${waitMs}`);
  assert.ok((await nextInMs()) > 2 * HOUR_MS - MINUTE_MS);
  assert.equal(await read('paused_until'), null);
});

test('a paused account makes no call, and after the pause one call goes first as a probe', async () => {
  await paused('unavailable', `${NOW} + interval '1 hour'`);
  assert.equal(await store.reserve(1, MINUTE_MS), undefined);
  await paused('unavailable', `${NOW} - interval '1 hour'`);
  assert.equal(await store.reserve(1, HOUR_MS), 0);
  assert.equal(await store.reserve(1, HOUR_MS), undefined);
  const probe = await read<boolean>(`paused_until between ${NOW} + '59 minutes' and ${NOW} + '1 hour'`);
  assert.equal(probe, true);
});

test('a call with a longest wait takes no slot beyond it, and is never a probe', async () => {
  await set(`next_call_at = ${NOW} + interval '1 hour'`);
  assert.equal(await store.reserve(1, 1, MINUTE_MS), undefined);
  assert.ok(((await store.reserve(1, 1, 2 * HOUR_MS)) as number) > HOUR_MS - MINUTE_MS);
  await begin();
  await paused('unavailable', `${NOW} - interval '1 hour'`);
  assert.equal(await store.reserve(1, 1, HOUR_MS), undefined);
});

test('a turn waits for its slot, which is a little later than the limit of calls requires', async () => {
  await set(`next_call_at = ${NOW} + interval '100 milliseconds'`);
  const slot = await read<Date>('next_call_at');
  assert.equal(await rules.turn(), true);
  assert.ok((await read<Date>(NOW)).getTime() >= slot.getTime() - 5);
  assert.equal((await read<Date>('next_call_at')).getTime() - slot.getTime(), 101);
  await set(`next_call_at = ${NOW} + interval '1 hour'`);
  assert.equal(await rules.turn(undefined, MINUTE_MS), false);
});

test('while the session is over, a call is tried again after fifteen times the first pause', async () => {
  await paused('session-over', `${NOW} - interval '1 hour'`);
  await set(`paused_since = ${NOW}`);
  assert.equal(await rulesOf({} as ChartingPlatform, 10, 2_000).turn(), true);
  const ms = await pauseMs();
  assert.ok(ms >= 30_000 && ms < 31_000 + MINUTE_MS / 60, `${ms}`);
});

test('a success ends each pause and the count of faults, and is noted at most every five seconds', async () => {
  for (const state of [
    'faults = 1',
    `pause_reason = 'session-over', paused_until = ${NOW}, paused_since = ${NOW}`,
  ]) {
    await set(`last_success_at = ${NOW}, ${state}`);
    await answering({ kind: 'done' });
    const { lastSuccessAt, ...rest } = await rules.read();
    assert.deepEqual(rest, { faults: 0, pausedUntil: null, pauseReason: null, pausedSince: null });
    assert.ok(lastSuccessAt);
  }
  for (const [last, isNoted] of [
    [`${NOW} - interval '1 second'`, false],
    [`${NOW} - interval '1 minute'`, true],
    ['null', true],
  ] as const) {
    await set(`last_success_at = ${last}`);
    const before = await written();
    await answering({ kind: 'held' });
    assert.equal((await written()) !== before, isNoted, last);
    assert.equal(await read(`last_success_at > ${NOW} - interval '30 seconds'`), true);
  }
});

test('a success without the session ends each pause except that for the session', async () => {
  for (const [reason, isOver] of [
    ['unavailable', true],
    ['limited', true],
    ['session-over', false],
  ] as const) {
    await paused(reason, `${NOW} + interval '1 hour'`);
    await set('faults = 3');
    await answeringAnybody({ kind: 'known' });
    const { faults, pausedUntil, pauseReason, pausedSince, lastSuccessAt } = await rules.read();
    assert.deepEqual([faults, pauseReason, lastSuccessAt], [0, isOver ? null : reason, null]);
    assert.deepEqual([pausedUntil === null, pausedSince === null], [isOver, isOver]);
  }
  await begin();
  for (const [state, isWritten] of [
    ['faults = 0', false],
    ['faults = 1', true],
  ] as const) {
    await set(state);
    const before = await written();
    await answeringAnybody({ kind: 'known' });
    assert.equal((await written()) !== before, isWritten, state);
  }
});

test('the fifth fault in a row pauses the account, and each further one doubles the pause', async () => {
  for (const kind of ['fault', 'unknown-outcome']) {
    await begin();
    for (let faults = 1; faults < 5; faults++) await answering({ kind });
    assert.deepEqual([(await rules.read()).faults, await read('paused_until')], [4, null]);
    for (const [faults, ms] of [
      [4, 1_000],
      [5, 2_000],
      [7, 8_000],
    ] as const) {
      await begin();
      await set(`faults = ${faults}`);
      await answering({ kind });
      assert.deepEqual([(await rules.read()).pauseReason, await pauseMs()], ['unavailable', ms]);
    }
  }
});

test('a pause is at least fifty milliseconds and at most a minute, and grows ten times', async () => {
  for (const [retryMs, faults, ms] of [
    [1, 4, 50],
    [1_000, 14, 60_000],
    [20, 14, 20_480],
    [20, 40, 20_480],
  ] as const) {
    await begin();
    await set(`faults = ${faults}`);
    await answering({ kind: 'fault' }, rulesOf({} as ChartingPlatform, 10, retryMs));
    assert.equal(await pauseMs(), ms);
  }
});

test('a limit pauses for as long as the charting platform says, and the end of the session for longer', async () => {
  for (const [answer, reason, ms] of [
    [{ kind: 'limited', retryAfterMs: 7_000 }, 'limited', 7_000],
    [{ kind: 'limited' }, 'limited', 2_000],
    [{ kind: 'session-over' }, 'session-over', 15_000],
  ] as [Answer, string, number][]) {
    await begin();
    await answering(answer);
    const { pauseReason, faults } = await rules.read();
    assert.deepEqual([pauseReason, faults, await pauseMs()], [reason, 0, ms]);
  }
});

test('an answer that denies a valid session is a refusal of the call alone, also while the account is paused', async () => {
  for (const pause of ['faults = 0', `pause_reason = 'session-over', paused_until = ${NOW} + '1 hour'`]) {
    await begin();
    await set(pause);
    session = { kind: 'done' };
    assert.equal((await answering({ kind: 'session-over' })).kind, 'refused');
    assert.deepEqual([(await rules.read()).pauseReason, alerts], [null, []]);
  }
});

test('a check of the session that has another trouble says nothing about it', async () => {
  for (const [checked, kind, pauseReason, faults] of [
    [{ kind: 'session-over' }, 'session-over', 'session-over', 0],
    [{ kind: 'limited', retryAfterMs: 7_000 }, 'limited', 'limited', 0],
    [{ kind: 'fault', text: 'away' }, 'fault', null, 1],
    [{ kind: 'unknown-outcome', text: 'late' }, 'fault', null, 1],
  ] as [ChartingOutcome, string, string | null, number][])
    for (const answer of [answering, answeringAnybody]) {
      await begin();
      session = checked;
      assert.equal((await answer({ kind: 'session-over' })).kind, kind);
      const account = await rules.read();
      assert.deepEqual([account.pauseReason, account.faults], [pauseReason, faults]);
    }
});

test('who waits for a check of the session can give it up', async () => {
  await set(`next_call_at = ${NOW} + interval '9 seconds'`);
  const waiting = rules.call(async () => ({ kind: 'session-over' }), { signal: AbortSignal.timeout(1) });
  assert.equal((await waiting).kind, 'limited');
  assert.equal((await rules.read()).pauseReason, null);
});

test('the check of the session takes a slot, and is left out where that would take too long', async () => {
  session = { kind: 'done' };
  await set(`next_call_at = ${NOW} + interval '100 milliseconds'`);
  const slot = await read<Date>('next_call_at');
  await answering({ kind: 'session-over' });
  assert.ok((await read<Date>(NOW)).getTime() >= slot.getTime() - 5);
  assert.equal((await read<Date>('next_call_at')).getTime() - slot.getTime(), 101);
  await set(`next_call_at = ${NOW} + interval '1 minute'`);
  assert.equal((await answering({ kind: 'session-over' })).kind, 'session-over');
  assert.deepEqual(alerts, ['session-over']);
});

test('a call without the session is refused alone while that is valid, and what members cause at will never pauses', async () => {
  session = { kind: 'done' };
  assert.equal((await answeringAnybody({ kind: 'session-over' })).kind, 'refused');
  session = { kind: 'session-over' };
  const byMember = { withSession: false, mayPause: false };
  for (const kind of ['session-over', 'limited', 'fault', 'unknown-outcome'])
    for (let number = 0; number < 6; number++) await rules.call(async () => ({ kind }), byMember);
  const { faults, pauseReason } = await rules.read();
  assert.deepEqual([faults, pauseReason, alerts], [0, null, []]);
  await set('faults = 3');
  await rules.call(async () => ({ kind: 'known' }), byMember);
  assert.equal((await rules.read()).faults, 0);
});

test('operators are alerted once to each new reason for a pause, and the pause began with the first', async () => {
  await paused('unavailable', `${NOW} + interval '1 hour'`);
  const since = await read<Date>('paused_since');
  await answering({ kind: 'limited' });
  await answering({ kind: 'limited' });
  await answering({ kind: 'session-over' });
  assert.deepEqual(alerts, ['limited', 'session-over']);
  assert.deepEqual(await read('paused_since'), since);
});

test('operators are alerted once to a reason that two processes meet at the same time', async () => {
  const both = await holding(database, async (tx) => {
    await tx.execute('update indicators.account set faults = 0');
    const answers = [answering({ kind: 'limited' }), answering({ kind: 'limited' })];
    await untilBlocked(2);
    return answers;
  }).then((answers) => Promise.all(answers));
  assert.deepEqual([both.length, alerts], [2, ['limited']]);
});

test('the end of the wait allows a call at once, and does not end the pause', async () => {
  const endWait = () => database.transaction(rules.endWait);
  await paused('unavailable', `${NOW} + interval '1 hour'`);
  await endWait();
  assert.equal(await read(`paused_until <= ${NOW} and pause_reason = 'unavailable'`), true);
  await begin();
  await endWait();
  assert.equal(await read('paused_until'), null);
});

test('without a charting platform no call can be made', async () => {
  await assert.rejects(
    rulesOf(undefined).call(async () => ({ kind: 'done' })),
    /no charting platform/,
  );
});
