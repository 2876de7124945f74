import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AT, changesOf, EARLIER, entryOf, grantOf, LATER } from '../../../../test/support/grants.ts';
import type { Grant } from './access.model.ts';
import { conclusionRules } from './conclusions.ts';
import type { Call, Outcome } from './observations.ts';

const { concluded, superseded } = conclusionRules({
  random: () => 1,
  settings: { maxAttempts: 3, retryMs: 1_000 },
});
const [absent, old] = [entryOf({ isConfirmed: false, origin: 'absent' }), entryOf({ handle: 'eve' })];
const ADD: Call = { do: 'add', entry: absent };
const LOOK: Call = { do: 'look', entry: absent };
const REMOVE: Call = { do: 'remove', entry: old };
const RESOLVE: Call = { do: 'resolve', handle: 'ada' };
const TEXT = { text: 'it answered 503' };
/** A grant whose second call is under way. */
const CLAIMED = {
  status: 'pending_grant',
  attempts: 2,
  lastError: 'it answered 502',
  errorKind: 'unavailable',
  leasedUntil: LATER,
  dueAt: LATER,
} as const;
const FREE = { leasedUntil: null, dueAt: AT };
const CALM = { attempts: 0, lastError: null, errorKind: null };
const inMs = (ms: number): Date => new Date(AT.getTime() + ms);

function assertConcludes(
  step: Call,
  outcome: Outcome,
  expected: Partial<Grant>,
  fields: Partial<Grant> = {},
) {
  const before = grantOf({ ...CLAIMED, ...fields });
  assert.deepEqual(changesOf(before, concluded(before, step, outcome, AT)), expected, outcome.kind);
}

test('a spelling that was looked up leads to the next step at once, with all attempts', () => {
  assertConcludes(RESOLVE, { kind: 'known', handle: 'Ada' }, { ...FREE, attempts: 0 });
});

test('looking for an entry does not count as an attempt', () => {
  assertConcludes(LOOK, { kind: 'not-held' }, { ...FREE, attempts: 1 }, { entries: [absent] });
});

test('a call that succeeds completes the grant, or leads to its next step at once', () => {
  for (const outcome of [{ kind: 'held' }, { kind: 'done' }, { kind: 'already' }] as Outcome[]) {
    assertConcludes(ADD, outcome, { ...CALM, leasedUntil: null, status: 'active', dueAt: null });
    assertConcludes(REMOVE, outcome, { ...CALM, ...FREE }, { entries: [old, absent] });
  }
});

test('neither a removal nor an addition under a name that does not exist succeeds', () => {
  const outcome: Outcome = { kind: 'unknown-user' };
  const failing = { status: 'failed', failedAction: 'grant', leasedUntil: null, dueAt: null } as const;
  const revoking: Partial<Grant> = { isWanted: false, status: 'pending_revoke', entries: [] };
  const elsewhere: Call = { do: 'remove', entry: entryOf({ pineId: 'PUB;0' }) };
  for (const [fields, step, failedAction, name] of [
    [{}, elsewhere, 'grant', 'Ada'],
    [revoking, REMOVE, 'revoke', 'eve'],
  ] as const) {
    const { lastError, ...after } = concluded(grantOf({ ...CLAIMED, ...fields }), step, outcome, AT);
    assert.deepEqual(
      [after.status, after.failedAction, after.errorKind],
      ['failed', failedAction, 'lost-user'],
    );
    assert.match(lastError ?? '', new RegExp(`no user named ${name} any more`));
  }
  const lastError = 'The charting platform has no user named ada: ask the member for the correct username';
  assertConcludes(ADD, outcome, { ...failing, lastError, errorKind: 'unknown-user' });
  const { lastError: why, ...rest } = concluded(grantOf(CLAIMED), ADD, { kind: 'unknown-script' }, AT);
  assert.deepEqual([rest.status, rest.errorKind, rest.leasedUntil], ['failed', 'unknown-script', null]);
  assert.match(why ?? '', /check the pineId/);
});

test('a former name that does not exist any more leads to the new one at once, with all attempts', () => {
  assertConcludes(REMOVE, { kind: 'unknown-user' }, { ...CALM, ...FREE }, { entries: [absent] });
});

test('calls that the account does not allow use no attempt, say why, and are repeated after those of others', () => {
  for (const [outcome, said] of [
    [{ kind: 'limited' }, /accepts no more calls/],
    [{ kind: 'session-over' }, /session .* has expired/],
  ] as [Outcome, RegExp][]) {
    const { lastError, ...rest } = concluded(grantOf({ ...CLAIMED, priority: 1 }), ADD, outcome, AT);
    assert.match(lastError ?? '', said);
    assert.deepEqual(
      [rest.status, rest.attempts, rest.errorKind, rest.priority, rest.leasedUntil, rest.dueAt],
      ['pending_grant', 1, 'account', 0, null, AT],
    );
  }
});

test('refused and unanswered calls are repeated after pauses that double, until the last attempt', () => {
  for (const [kind, errorKind] of [
    ['refused', 'refused'],
    ['fault', 'unavailable'],
  ] as const) {
    const after = (attempts: number): Grant =>
      concluded(grantOf({ ...CLAIMED, attempts }), ADD, { kind, ...TEXT }, AT);
    const [first, second, last] = [after(1), after(2), after(3)];
    assert.deepEqual([first.dueAt, second.dueAt], [inMs(1_000), inMs(2_000)]);
    assert.deepEqual(
      [second.status, second.attempts, second.lastError, second.errorKind, second.leasedUntil],
      ['pending_grant', 2, TEXT.text, errorKind, null],
    );
    assert.deepEqual([last.status, last.lastError, last.errorKind], ['failed', TEXT.text, errorKind]);
  }
});

test('a pause is at most ten minutes, and up to a quarter shorter by chance', () => {
  const patient = conclusionRules({ random: () => 0, settings: { maxAttempts: 40, retryMs: 1_000 } });
  const after = (attempts: number) =>
    patient.concluded(grantOf({ ...CLAIMED, attempts }), ADD, { kind: 'fault', ...TEXT }, AT).dueAt;
  assert.deepEqual([after(1), after(30)], [inMs(750), inMs(450_000)]);
});

test('after a change whose outcome is unknown, nothing is done until it can no longer take effect', () => {
  const outcome: Outcome = { kind: 'unknown-outcome', ...TEXT };
  const told = { lastError: TEXT.text };
  for (const step of [ADD, REMOVE]) {
    assertConcludes(step, outcome, told);
    assertConcludes(step, outcome, { ...told, dueAt: inMs(2_000) }, { leasedUntil: EARLIER });
  }
  for (const step of [LOOK, RESOLVE])
    assertConcludes(step, outcome, { ...told, leasedUntil: null, dueAt: inMs(2_000) });
});

test('the outcome of a call for an earlier wish only frees the grant, or keeps the lease of an unknown change', () => {
  const superseding = (step: Call, outcome: Outcome, fields: Partial<Grant> = {}) => {
    const before = grantOf({ ...CLAIMED, dueAt: EARLIER, ...fields });
    return changesOf(before, superseded(before, step, outcome, AT));
  };
  const unknown: Outcome = { kind: 'unknown-outcome', ...TEXT };
  assert.deepEqual(superseding(ADD, { kind: 'done' }), FREE);
  assert.deepEqual(superseding(REMOVE, { kind: 'fault', ...TEXT }), FREE);
  assert.deepEqual(superseding(LOOK, unknown), FREE);
  for (const step of [ADD, REMOVE]) assert.deepEqual(superseding(step, unknown), { dueAt: LATER });
  assert.deepEqual(superseding(ADD, { kind: 'done' }, { status: 'active', dueAt: null }), {
    leasedUntil: null,
  });
});
