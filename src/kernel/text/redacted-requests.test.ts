// What of a request's address and headers is stored in the report of its failure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactHeaders, redactUrl } from './redaction.ts';

const JWT = `eyJhbGciOiJFZERTQSJ9.${Buffer.from('a claim of somebody').toString('base64url')}.c2lnbmF0dXJl`;
/** A token without a known beginning, as of a refresh; and the longest id. */
const [OPAQUE, UUID] = [
  'j1x8VWtMDpHPfm03aGaDokM3T4IRJp0Ty0LgTdZpQjE',
  '5c7bbf1e-6f3d-4f4e-9a35-0d1f5e6a7b8c',
];
/** 48 bytes in base64, whose runs of letters and digits are short. */
const BASE64 = 'q3Zl0l7sq3Zl/l7sq3Zl0l7+q3Zl0l7sq3Zl0l7/q3Zl0l7sq3Zl0l7/q3Zl0l7s';

test('secrets in paths and query strings are redacted, however their names are encoded, and other parameters are kept', () => {
  for (const [url, kept] of [
    ['/v1/x?access_token=abc&page=2', '/v1/x?access_token=[REDACTED]&page=2'],
    ['/v1/x?access%5Ftoken=abc', '/v1/x?access%5Ftoken=[REDACTED]'],
    ['/v1/x?%74oken=abc', '/v1/x?%74oken=[REDACTED]'],
    ['/v1/x?a=1?token=2&token=abc', '/v1/x?a=1?token=2&token=[REDACTED]'],
    [`/v1/x/${JWT}?y=${JWT}`, '/v1/x/[REDACTED]?y=[REDACTED]'],
    [`/v1/x?y=${JWT.replaceAll('.', '%2E')}`, '/v1/x?[REDACTED]'],
    ['/v1/x?search=100%', '/v1/x?search=100%'],
    ['/v1/x?tok%65n=abc%', '/v1/x?tok%65n=[REDACTED]'],
    ['/v1/x', '/v1/x'],
    [`/v1/refresh/${OPAQUE}/x`, '/v1/refresh/[REDACTED]/x'],
    [`/v1/refresh/${OPAQUE}?search=${OPAQUE}&page=2`, `/v1/refresh/[REDACTED]?search=[REDACTED]&page=2`],
    [`/v1/x?${OPAQUE}`, '/v1/x?[REDACTED]'],
    [`/v1/x?y=${OPAQUE.replace('T', '%54')}`, '/v1/x?y=[REDACTED]'],
    [
      `/v1/x?search=a%20long%20search+for+gold-and-silver-and-copper`,
      '/v1/x?search=a%20long%20search+for+gold-and-silver-and-copper',
    ],
    [`/v1/x?y=${encodeURIComponent(BASE64)}&z=1`, '/v1/x?y=[REDACTED]&z=1'],
    [`/v1/x?y=${BASE64}&z=1`, '/v1/x?y=[REDACTED]&z=1'],
    [`/v1/x?before=2026-11-21T09:30:00.000Z_${UUID}`, `/v1/x?before=2026-11-21T09:30:00.000Z_${UUID}`],
    [`/v1/errors/${UUID}`, `/v1/errors/${UUID}`],
  ] as const) {
    assert.equal(redactUrl(url), kept);
  }
});

test('headers lose secrets by name, and what looks like a token unless its name says what it is', () => {
  const kept = {
    traceparent: `00-${'4bf92f3577b34da6a3ce929d0e0e4736'}-00f067aa0ba902b7-01`,
    'idempotency-key': OPAQUE,
    'x-request-id': OPAQUE,
    'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15',
    accept: ['application/json', 'text/html'],
    referer: 'https://app.example.com/console/members/6740f1c2a9b3e4d5f6a7b8c9/sessions',
  };
  assert.deepEqual(
    redactHeaders({
      ...kept,
      authorization: `Bearer ${OPAQUE}`,
      'x-session': `a=${OPAQUE}; b`,
      x: [OPAQUE],
      y: BASE64,
    }),
    {
      ...kept,
      authorization: '[REDACTED]',
      'x-session': 'a=[REDACTED]; b',
      x: ['[REDACTED]'],
      y: '[REDACTED]',
    },
  );
  assert.deepEqual(redactHeaders({ [OPAQUE]: 'x' }), { '[REDACTED]': 'x' });
});
