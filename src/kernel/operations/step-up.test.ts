import assert from 'node:assert/strict';
import { test } from 'node:test';
import { USER } from '../../../test/support/callers.ts';
import type { Failure } from '../failures.ts';
import type { Caller } from './callers.ts';
import { hasSteppedUp, stepUpRuleOf } from './step-up.ts';
import { emailNotVerified, mustHaveVerifiedEmail } from './verified-email.ts';

// What an operation asks of a caller besides the access: a session with a second factor, and a verified address.

const CLIENT: Caller = { kind: 'client' };
const SERVICE: Caller = { kind: 'service' };

test('a member with a second factor needs an elevated session, and others do not', () => {
  assert.equal(hasSteppedUp(CLIENT), true);
  assert.equal(hasSteppedUp(USER), true);
  assert.equal(hasSteppedUp({ ...USER, hasFactor: true }), false);
  assert.equal(hasSteppedUp({ ...USER, hasFactor: true, isElevated: true }), true);
  assert.equal(stepUpRuleOf({}), false);
  assert.equal(stepUpRuleOf({ isSensitive: true }), true);
  assert.equal(stepUpRuleOf({ isSensitive: true, needsStepUp: false }), false);
  assert.equal(stepUpRuleOf({ needsStepUp: true }), true);
});

test('money does not move for a member who lacks a verified address', () => {
  assert.throws(
    () => mustHaveVerifiedEmail({ ...USER, lacksVerifiedEmail: true }),
    ({ status, code }: Failure) => status === 403 && code === emailNotVerified().code,
  );
  for (const caller of [USER, CLIENT, SERVICE]) assert.doesNotThrow(() => mustHaveVerifiedEmail(caller));
});
