import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authenticationFailed, type Customer } from '../../../external/directory/port.ts';
import type { Failure } from '../../../kernel/failures.ts';
import type { User } from '../users/users.model.ts';
import { localDirectory } from './local-directory.ts';
import { passwordSignIn } from './password-sign-in.ts';

// Signing in by password, without a platform around the rules: what is checked, how often, and in which order.

const ADA = { id: 'a'.repeat(24), email: 'ada@example.com', firstName: 'Ada', isActive: true } as User;
const codeOf = ({ code, message }: Failure) => code ?? message;

interface State {
  account?: Partial<User> | undefined;
  /** How many times the customer is verified. */
  verifications?: number;
  missing?: boolean;
  isKnownAddress?: boolean;
  /** Becomes the account of the customer before the second verification. */
  second?: Partial<User>;
}
async function signIn({ account = {}, verifications = 1, second, ...state }: State = {}) {
  const [codes, guarded]: [unknown[][], object[]] = [[], []];
  let current: Partial<User> | undefined = 'account' in state ? undefined : account;
  const enter = passwordSignIn({
    users: {
      accountOf: async () => current && { ...ADA, ...current },
      admit: async (
        _platform: string,
        before: User,
        { verify, check }: { verify: () => Promise<object>; check: (user: User) => Promise<void> },
      ) => {
        for (let times = 0; times < verifications; times++) {
          if (times > 0 && second) current = second;
          await verify();
        }
        await check(before);
        return { user: before };
      },
    } as never,
    store: { findByEmail: async (email: string) => ({ ...ADA, email }) } as never,
    directory: { authenticate: async () => ({}) as Customer },
    codes: {
      isMissing: async (...asked: unknown[]) => {
        codes.push(asked);
        return state.missing === true;
      },
    } as never,
    throttle: {
      guard: async (subjects: object[], attempt: () => Promise<unknown>) => {
        guarded.push(...subjects);
        return attempt();
      },
    } as never,
    verification: { mustBeVerifiedToSignIn: async () => undefined },
    hasSignedInFrom: async () => state.isKnownAddress === true,
  });
  const credentials = {
    email: ' ADA@example.com',
    password: 'p',
    platform: 'web',
    mfaCode: '123456',
  } as const;
  const outcome = await enter({ ...credentials, from: 'net' }).then(({ email }) => email, codeOf);
  return { outcome, codes, guarded };
}

test('a code is looked at once, although the customer may be verified twice', async () => {
  assert.deepEqual((await signIn()).codes, [[ADA.id, '123456', false]]);
  assert.equal((await signIn({ verifications: 2 })).codes.length, 1);
  const other = await signIn({ verifications: 2, second: { id: 'b'.repeat(24) } });
  assert.deepEqual(
    other.codes.map(([id]) => id),
    [ADA.id, 'b'.repeat(24)],
    'each account for itself',
  );
  assert.deepEqual((await signIn({ account: { isActive: false } })).codes, []);
});

test('a code that is missing refuses the sign-in after the check of the password', async () => {
  const { outcome } = await signIn({ missing: true });
  assert.equal(outcome, 'MFA_REQUIRED');
  assert.equal((await signIn()).outcome, ADA.email);
});

test('attempts count by address and account, and for strangers together', async () => {
  const known = [
    { limit: 'signInFromAddress', name: 'net' },
    { limit: 'accountFromAddress', name: 'ada@example.com net' },
  ];
  assert.deepEqual((await signIn({ isKnownAddress: true })).guarded, known);
  const strangers = { limit: 'accountFromStrangers', name: 'ada@example.com' };
  assert.deepEqual((await signIn()).guarded, [...known, strangers]);
});

/** The directory of the platform itself, with one customer whose hash is `hash`. */
function directory(hash: string | null) {
  const done: unknown[][] = [];
  const { authenticate } = localDirectory({
    users: {
      findWithHash: async (email: string) => (email === ADA.email ? { ...ADA, hash } : undefined),
      replaceHash: async (...values: unknown[]) => done.push(['replace', ...values]),
    } as never,
    purchases: { productsOf: async () => [] } as never,
    hasher: {
      verify: async (stored: string | null, password: string) => {
        done.push(['verify', stored ?? null]);
        return stored?.split(' ')[1] === password;
      },
      isOutdated: (stored: string) => stored.startsWith('old'),
      hash: async (password: string) => `new ${password}`,
    } as never,
    clock: {} as never,
    sessionOf: async () => undefined,
  });
  const enter = (email: string, password: string) =>
    authenticate(email, password).then(({ email }) => email, codeOf);
  return { done, enter };
}
const REFUSED = codeOf(authenticationFailed());

test('an outdated hash is replaced as its owner signs in, and no other is', async () => {
  const old = directory('old p');
  assert.equal(await old.enter(ADA.email, 'p'), ADA.email);
  assert.deepEqual(old.done, [
    ['verify', 'old p'],
    ['replace', ADA.id, 'old p', 'new p'],
  ]);
  const current = directory('new p');
  assert.equal(await current.enter(ADA.email, 'p'), ADA.email);
  assert.equal(current.done.length, 1);
  const wrong = directory('old p');
  assert.equal(await wrong.enter(ADA.email, 'q'), REFUSED);
  assert.equal(wrong.done.length, 1);
});

test('unknown addresses, and accounts without a password, take as long to refuse as wrong passwords', async () => {
  for (const [hash, email] of [
    ['new p', 'nobody@example.com'],
    [null, ADA.email],
  ] as const) {
    const { enter, done } = directory(hash);
    assert.equal(await enter(email, 'p'), REFUSED);
    assert.deepEqual(done, [['verify', null]]);
  }
});
