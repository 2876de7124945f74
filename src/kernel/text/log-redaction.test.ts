import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Logger, pino } from 'pino';
import { logRedaction } from './log-redaction.ts';

const CANARY = 'canary-4711';

/** Logs into memory and returns the single line written. */
function lineOf(hidesValues: boolean, write: (log: Logger) => void): Record<string, unknown> {
  let text = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  write(pino({ ...logRedaction(hidesValues), level: 'debug' }, stream));
  return JSON.parse(text);
}

test('log lines contain no secrets in fields, texts or error messages', () => {
  const names = fc.constantFrom(
    'password',
    'accessToken',
    'x-api-key',
    'refresh_token',
    'Authorization',
    'clientSecret',
  );
  const places: ((name: string) => [object, string])[] = [
    (name) => [{ [name]: CANARY }, 'a field'],
    (name) => [{ a: { b: [{ [name]: [CANARY] }] } }, 'a field within'],
    (name) => [{ link: `https://x.example/y?a=1&${name}=${CANARY}&b=2` }, 'a query'],
    (name) => [{ referer: `/v1/auth/signin-sso?${encodeURIComponent(name)}=${CANARY}` }, 'a path'],
    (name) => [{ text: `answered {"a": 1, "${name}" : "${CANARY}"}` }, 'a text with JSON'],
    (name) => [new Error(`GET /x?${name}=${CANARY} failed`), 'an error'],
    (name) => [{ error: `{"${name}":"${CANARY}"}` }, 'the message of an error'],
    (name) => [{ why: new Error('x', { cause: new Error(`${name}=${CANARY}`) }) }, 'a cause'],
    () => [{ url: `postgres://someone:${CANARY}@db.example/x` }, 'a URL'],
  ];
  fc.assert(
    fc.property(names, fc.constantFrom(...places), fc.boolean(), (name, place, hidesValues) => {
      const [fields, where] = place(name);
      const line = JSON.stringify(lineOf(hidesValues, (log) => log.error(fields, 'it failed')));
      assert.ok(!line.includes(CANARY), `${where}: ${line}`);
    }),
    { numRuns: 500 },
  );
});

test('in production a logged error keeps its type and stack, but not the values in its message', () => {
  const cause = Object.assign(new TypeError(`invalid input syntax for type uuid: "${CANARY}"`), {
    code: '22P02',
    table: 'account',
    constraint: 'one-account-per-email',
    detail: `Key (email)=(${CANARY}@example.com) already exists.`,
    where: `unnamed portal parameter $1 = '${CANARY}'`,
  });
  const error = new Error(`saving of ${CANARY}@example.com failed`, { cause });
  for (const hidesValues of [true, false]) {
    const line = lineOf(hidesValues, (log) => log.error(error, 'it failed'));
    const err = line.err as { type: string; message: string; stack: string; cause: Record<string, string> };
    assert.deepEqual([line.msg, err.type], ['it failed', 'Error']);
    assert.match(err.stack, /^ {4}at .*log-redaction\.test\.ts:\d+/m);
    assert.match(err.cause.stack ?? '', /^ {4}at /);
    assert.ok(!err.stack.includes(CANARY), 'the first line of a stack repeats the message');
    assert.deepEqual(
      [err.cause.type, err.cause.code, err.cause.table, err.cause.constraint],
      ['TypeError', '22P02', 'account', 'one-account-per-email'],
    );
    assert.deepEqual([err.cause.detail, err.cause.where], [undefined, undefined]);
    assert.equal(JSON.stringify(line).includes(CANARY), !hidesValues);
    if (hidesValues) assert.equal(err.cause.message, 'invalid input syntax for type uuid: [...]');
  }
  const { error: told } = lineOf(true, (log) =>
    log.warn({ error: `no mailbox <${CANARY}@example.com> here` }),
  );
  assert.equal(told, 'no mailbox <[...]> here');
});

test('log lines without secrets are unchanged', () => {
  const fields = {
    code: 'NOT_FOUND',
    route: '/v1/x/:id',
    ms: 1.25,
    keyId: '6740f1c2a9b3e4d5f6a7b8c9',
    operation: 'transferKeys',
    faults: [{ invariant: 'sums', count: 2 }],
    gone: undefined,
  };
  const { level, time, pid, hostname, msg, ...line } = lineOf(true, (log) => log.info(fields, 'request'));
  const { gone, ...written } = fields;
  assert.deepEqual(line, written);
  assert.equal(lineOf(true, (log) => log.error({ code: 137 })).code, 137);
  assert.equal(lineOf(true, (log) => log.error({ code: '123456' })).code, '[REDACTED]');
});
