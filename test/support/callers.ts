import type { UserCaller } from '../../src/kernel/operations/callers.ts';

/** A member without a second factor, for tests of rules about callers. */
export const USER: UserCaller = {
  kind: 'user',
  userId: 'a'.repeat(24),
  email: 'ada@example.com',
  permissions: [],
  sessionId: 'b'.repeat(24),
  hasFactor: false,
  isElevated: false,
  lacksVerifiedEmail: false,
};
