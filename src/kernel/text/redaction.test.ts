import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSecretName, type Privacy, redact, redactText, redactUrl } from './redaction.ts';

const CANARY = 'canary-4711-never-stored';
const JWT = `eyJhbGciOiJFZERTQSJ9.${Buffer.from(CANARY).toString('base64url')}.c2lnbmF0dXJl`;
const API_KEY = 'pk_development_6740f1c2a9b3e4d5f6a7b8c9_q3Zl0l7sq3Zl0l7sq3Zl0l7sq3Zl0l7sq3Z';

/** The names that the specification lists, and the platform's additions. */
const NAMED = [
  'password',
  'token',
  'accessToken',
  'refreshToken',
  'apiKey',
  'secret',
  'clientSecret',
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'x-internal-api-key',
  'x-webhook-secret',
  'stripe-signature',
  'newPassword',
  'currentPassword',
  'oldPassword',
  'confirmPassword',
  'code',
  'resetCode',
  'mfaCode',
  'recoveryCodes',
  'otp',
  'fundingKey',
  'key',
  'idToken',
  'ticket',
  'signature',
  'x-amz-signature',
  'auth',
  'deviceToken',
  'endpoint',
  'pass',
  'pwd',
];

/** Generates spellings of a name: any letter case, any punctuation between its letters. */
const spelled = fc
  .tuple(
    fc.constantFrom(...NAMED),
    fc.infiniteStream(fc.tuple(fc.boolean(), fc.constantFrom('', '', '', '_', '-'))),
  )
  .map(([name, stream]) =>
    [...name]
      .map((letter) => {
        const [upper, between] = stream.next().value as [boolean, string];
        return (upper ? letter.toUpperCase() : letter) + between;
      })
      .join(''),
  );

/** Generates values with the canary under a secret name at any depth. */
const nested: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  secret: fc
    .tuple(spelled, fc.constantFrom<unknown>(CANARY, [CANARY], { deep: [CANARY, { more: CANARY }] }))
    .map(([name, value]) => ({ [name]: value })),
  node: fc.oneof(
    { maxDepth: 8, withCrossShrink: true },
    tie('secret'),
    fc
      .tuple(fc.string(), tie('node'))
      .map(([name, value]) => ({ before: 1, [`x${name}`]: value, after: 'x' })),
    fc.tuple(fc.jsonValue(), tie('node')).map(([other, value]) => [other, value]),
  ),
})).node;

test('secrets are redacted by field name, in any spelling and at any depth', () => {
  fc.assert(
    fc.property(nested, (value) => {
      assert.ok(!JSON.stringify(redact(value)).includes('canary'));
    }),
    { numRuns: 3_000 },
  );
});

test('keys and tokens are redacted anywhere in a text, also when the text is cut', () => {
  const around = fc.string({ unit: fc.constantFrom('e', 'y', 'J', '.', '-', '_', 'p', 'k', ' ', '"', 'ł') });
  fc.assert(
    fc.property(
      around,
      fc.constantFrom(JWT, API_KEY, 'whsec_0123456789abcdef', 'sk_live_0123456789abcdef'),
      around,
      fc.integer({ min: 1, max: 400 }),
      (before, secret, after, most) => {
        for (const text of [`${before}${secret}${after}`, `${before} ${secret} ${after}`]) {
          for (const kept of [redactText(text), redactText(text, most)]) {
            // Not even a few consecutive characters of the secret remain.
            const tail = secret.slice(15);
            for (let at = 0; at + 8 <= tail.length; at++) {
              assert.ok(!kept.includes(tail.slice(at, at + 8)), `${kept} of ${text}`);
            }
          }
        }
      },
    ),
    { numRuns: 2_000 },
  );
});

/** A reference implementation of redaction, regardless of speed: it checks every run of key characters separately. */
function naive(text: string): string {
  const beginnings = ['eyJ', 'pk_development_', 'pk_production_', 'plbk_', 'sk_live_', 'sk_test_', 'whsec_'];
  let out = '';
  let run = '';
  for (const character of [...text, '\0']) {
    if (/[A-Za-z0-9_.-]/.test(character)) {
      run += character;
      continue;
    }
    const cuts = beginnings
      .map((beginning) => ({ beginning, at: run.indexOf(beginning) }))
      .filter(({ beginning, at }) => at >= 0 && run.length - at - beginning.length >= 8)
      .map(({ at }) => at);
    out += cuts.length > 0 ? `${run.slice(0, Math.min(...cuts))}[REDACTED]` : run;
    run = '';
    if (character !== '\0') out += character;
  }
  return out;
}

test('redaction agrees with a naive implementation', () => {
  const pieces = fc.constantFrom(
    ...[
      'eyJ',
      'pk_development_',
      'sk_test_',
      'whsec_',
      'abcdefgh',
      'x',
      '.',
      '-',
      ' ',
      '/',
      '=',
      '\n',
      '💥',
      'é',
    ],
  );
  fc.assert(
    fc.property(fc.string({ unit: pieces, maxLength: 60 }), (text) => {
      assert.equal(redactText(text), naive(text));
    }),
    { numRuns: 5_000 },
  );
});

test('redacting a megabyte of hostile input takes no longer than redacting its beginning', {
  timeout: 30_000,
}, () => {
  const MIB = 1024 * 1024;
  const parts = [
    'eyJ',
    'pk_development_',
    'eyJabcdefgh.',
    '%',
    '%65',
    '&',
    '?',
    '=',
    '&token=',
    'a',
    '-',
    '.',
    '/',
  ];
  const texts = parts.map((part) => part.repeat(MIB / part.length));
  for (let round = 0; round < 200; round++) {
    for (const text of texts) {
      assert.ok(redactText(text).length <= 2_500);
      assert.ok(redactUrl(`/v1/x?${text}`).length <= 25_000);
      assert.ok(JSON.stringify(redact({ text, [text]: text })).length <= 50_000);
    }
  }
  const wide = Array.from({ length: 500_000 }, (_, index) => index);
  assert.ok((redact(wide) as unknown[]).length <= 500);
  let deep: unknown = texts[0];
  for (let depth = 0; depth < 10_000; depth++) deep = [deep];
  assert.ok(JSON.stringify(redact(deep)).length < 200);
  const square = Array.from({ length: 700 }, () => Array.from({ length: 700 }, () => 'eyJ'.repeat(10)));
  assert.ok(JSON.stringify(redact(square)).length <= 50_000);
});

test('values that are not secret are kept', () => {
  const plain = {
    amount: 5,
    note: 'the monkey',
    keyboard: 'qwerty',
    codes: 3,
    'idempotency-key': 'k-1',
    list: [1, null],
  };
  assert.deepEqual(redact(plain), plain);
  for (const name of ['page', 'limit', 'userId', 'clientMessageId', 'currency', 'keysAmount', 'author']) {
    assert.ok(!isSecretName(name), name);
  }
});

test('what is private is replaced by its length, also in another form or under an unknown name', () => {
  const privacy: Privacy = {
    fields: new Map<string, Privacy | undefined>([
      ['message', 'all'],
      ['rules', { items: 'all' }],
      ['type', undefined],
      ['reply', { fields: new Map<string, Privacy>([['text', 'all']]) }],
    ]),
  };
  const read = (value: unknown) => redact(value, undefined, privacy);
  assert.deepEqual(
    read({
      message: CANARY,
      rules: [CANARY, ''],
      type: 'private',
      reply: { text: CANARY },
      password: CANARY,
    }),
    {
      message: '[REDACTED: 24 characters]',
      rules: ['[REDACTED: 24 characters]', '[REDACTED: 0 characters]'],
      type: 'private',
      reply: { text: '[REDACTED: 24 characters]' },
      '[REDACTED: 8 characters]': '[REDACTED]',
    },
  );
  const odd = {
    messages: CANARY,
    message: [CANARY],
    rules: CANARY,
    reply: [{ text: CANARY }],
    note: [[CANARY]],
    [CANARY]: 1,
    reply2: { [CANARY]: 1 },
  };
  for (const value of [odd, CANARY, [CANARY], [{ message: CANARY }], { deep: { message: CANARY } }])
    assert.ok(!JSON.stringify(read(value)).includes(CANARY), JSON.stringify(value));
  assert.deepEqual(read({ type: ['kept'], message: null }), { type: ['kept'], message: null });
});
