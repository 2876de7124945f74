import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Failure } from '../../../kernel/failures.ts';
import { activityOf, envelopeOf, spelled, textOf } from './webhook-bodies.ts';
import { MAX_TEXT, STATUSES } from './webhooks.model.ts';

/** Asserts that reading fails with 400 and this code. */
const assertFails = (read: () => unknown, code = 'INVALID_PAYLOAD'): void =>
  assert.throws(read, (error: Failure) => {
    assert.deepEqual([error.status, error.code], [400, code]);
    return true;
  });
/** Asserts that reading fails with 422 and names this field. */
const assertNames = (field: string, read: () => unknown): void =>
  assert.throws(read, ({ status, details }: Failure) => {
    assert.deepEqual([status, details.errors?.map((fault) => fault.field)], [422, [field]]);
    return true;
  });

test('a text is trimmed, and none if it is missing or blank', () => {
  for (const missing of [undefined, null, '', ' \n'])
    assert.equal(textOf({ name: missing }, 'name'), undefined);
  assert.equal(textOf({ name: ' ada ' }, 'name'), 'ada');
  assert.equal(textOf({ name: 'a'.repeat(320) }, 'name'), 'a'.repeat(MAX_TEXT));
  for (const wrong of ['a'.repeat(321), 0, 5, false, {}, ['ada']])
    assertNames('name', () => textOf({ name: wrong }, 'name'));
});

test('a field may have either spelling, or both with one value', () => {
  const read = (body: Record<string, unknown>) => spelled(body, 'customer_id', 'customerId');
  assert.equal(read({}), undefined);
  assert.equal(read({ customer_id: 'a' }), 'a');
  assert.equal(read({ customerId: 'b', customer_id: ' ' }), 'b');
  assert.equal(read({ customerId: 'a', customer_id: ' a' }), 'a');
  assertFails(() => read({ customerId: 'a', customer_id: 'b' }));
});

test('a member is active by a flag, a status or both, which must agree', () => {
  for (const missing of [undefined, null])
    assertFails(() => activityOf({ active: missing, status: missing }));
  for (const flag of [true, false]) {
    assert.equal(activityOf({ active: flag }), flag);
    assert.equal(activityOf({ active: flag, status: null }), flag);
  }
  for (const wrong of ['true', 1, 0, '']) {
    assertFails(() => activityOf({ active: wrong }));
    assertFails(() => activityOf({ active: wrong, status: 'active' }));
  }
  const active = Object.keys(STATUSES).filter((status) => activityOf({ status }));
  const inactive = Object.keys(STATUSES).filter((status) => !activityOf({ active: null, status }));
  assert.deepEqual(active, ['active', 'enabled']);
  assert.deepEqual(inactive, ['inactive', 'cancelled', 'canceled', 'expired', 'suspended', 'disabled']);
  assert.equal(activityOf({ active: true, status: 'enabled' }), true);
  assert.equal(activityOf({ active: false, status: 'expired' }), false);
  assertFails(() => activityOf({ active: false, status: 'active' }));
  assertFails(() => activityOf({ active: true, status: 'disabled' }));
  for (const status of ['Active', '', 7, 'constructor', true])
    assertFails(() => activityOf({ status }), 'UNKNOWN_STATUS');
});

test('the metadata of a body is optional, and a time must be an instant', () => {
  const none = { eventId: undefined, occurredAt: undefined };
  assert.deepEqual(envelopeOf({}), none);
  const occurredAt = '2026-11-02T00:00:00Z';
  assert.deepEqual(envelopeOf({ occurredAt, eventId: ' e1 ' }), {
    eventId: 'e1',
    occurredAt: new Date(occurredAt),
  });
  for (const wrong of ['yesterday', '2026-13-02T00:00:00Z', 5])
    assertNames('occurredAt', () => envelopeOf({ occurredAt: wrong }));
});
