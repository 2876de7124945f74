import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, test } from 'node:test';
import type { Report } from '../../conformance/src/run.ts';
import { ADMIN, startPlatform } from '../support/platform.ts';
import { runProgram } from '../support/programs.ts';

const platform = await startPlatform();
const folder = mkdtempSync(join(tmpdir(), 'platform-kit-'));
after(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}
/** Changes a response of the platform on its way to the kit. */
type Fault = (answer: Answer, request: { method: string; path: string }) => Answer;

let fault: Fault = (answer) => answer;
const proxy = createServer(async (request, response) => {
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
  const body = await textOf(request);
  const answer = await fetch(platform.url + request.url, {
    method: request.method as string,
    headers: headers as Record<string, string>,
    ...(body && { body }),
    redirect: 'manual',
  });
  const { 'content-encoding': _e, 'content-length': _l, ...kept } = Object.fromEntries(answer.headers);
  send(
    response,
    fault(
      { status: answer.status, headers: kept, text: await answer.text() },
      { method: request.method as string, path: request.url as string },
    ),
  );
});
const send = (response: ServerResponse, { status, headers, text }: Answer): void => {
  response.writeHead(status, headers).end(text);
};
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
after(() => proxy.closeAllConnections());
after(() => proxy.close());

/** Runs the kit's program against the proxy. */
async function kit(planted: Fault, ...more: string[]) {
  fault = planted;
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const key = platform.client.headers['x-api-key'] as string;
  const args = ['conformance/src/main.ts', '--url', url, '--admin-key', key, '--admin-email', ADMIN.email];
  return runProgram([...args, ...more], { CONFORMANCE_ADMIN_PASSWORD: ADMIN.password });
}

const replaced =
  (pattern: RegExp, by: string, path = /./): Fault =>
  (answer, request) =>
    path.test(request.path) ? { ...answer, text: answer.text.replace(pattern, by) } : answer;

/** Planted faults, with the area that must find each and a part of the report's text. */
const FAULTS: Record<string, { area: string; planted: Fault; says: RegExp }> = {
  'errors without an errorId': {
    area: 'envelope',
    planted: replaced(/"errorId":"[^"]*"/g, '"errorId":"none"'),
    says: /"errorId" is not a UUID\n {2}specification: .*\n {2}request: GET http.*\n {2}answer: {2}4\d\d \{/,
  },
  'no header of the rate limit': {
    area: 'limits',
    planted: (answer) => {
      const { 'x-ratelimit-limit': _, ...headers } = answer.headers;
      return { ...answer, headers };
    },
    says: /x-ratelimit-limit/,
  },
  'a number of pages that does not follow from the total': {
    area: 'wallet',
    planted: replaced(/"pages":\d+/, '"pages":7', /transactions/),
    says: /"pagination.pages"/,
  },
  'a balance that is a text': {
    area: 'wallet',
    planted: replaced(/"balance":(\d+)/, '"balance":"$1"'),
    says: /balance/,
  },
  'a transfer that is answered with 200': {
    area: 'wallet',
    planted: (answer, { path }) =>
      path.endsWith('/transfer') && answer.status === 201
        ? { ...answer, status: 200, text: answer.text.replace('"status":201', '"status":200') }
        : answer,
    says: /expected 201, but it is 200/,
  },
  'an operation of administrators that lets members in': {
    area: 'access',
    planted: (answer, { path }) =>
      path.startsWith('/v1/wallets/all') && answer.status === 403
        ? {
            ...answer,
            status: 200,
            text: '{"success":true,"status":200,"message":"OK","data":[],"meta":{"timestamp":"2026-01-01T00:00:00.000Z","version":"v1"}}',
          }
        : answer,
    says: /FAILED {3}access\/members-are-no-administrators-at-v1-wallets/,
  },
  'a replayed answer that does not say so': {
    area: 'wallet',
    planted: (answer) => {
      const { 'idempotent-replayed': _, ...headers } = answer.headers;
      return { ...answer, headers };
    },
    says: /idempotent-replayed is null, expected "true"/,
  },
  'another message for a wrong password': {
    area: 'sign-in',
    planted: replaced(/External Backoffice authentication failed/, 'Wrong password', /signin/),
    says: /"message" is "Wrong password"/,
  },
  'an event of an unknown type': {
    area: 'events',
    planted: replaced(/"type":"user.created"/g, '"type":"user.created2"', /events/),
    says: /FAILED {3}events\//,
  },
  'a room that strangers see': {
    area: 'chat',
    planted: (answer, { method, path }) =>
      method === 'GET' && /chatrooms\/\w{24}$/.test(path) && answer.status >= 400
        ? {
            ...answer,
            status: 200,
            text: '{"success":true,"status":200,"message":"OK","data":{},"meta":{"timestamp":"2026-01-01T00:00:00.000Z","version":"v1"}}',
          }
        : answer,
    says: /a stranger is answered with 200/,
  },
};

for (const [name, { area, planted, says }] of Object.entries(FAULTS))
  test(`the kit finds ${name}`, async () => {
    const { code, output, complaints } = await kit(planted, '--only', area);
    assert.deepEqual([code, complaints], [1, ''], output);
    assert.match(output, says);
  });

test('the kit passes on a correct platform, writes a report, and prints the differences from another one', async () => {
  const [before, after] = [join(folder, 'before.json'), join(folder, 'after.json')];
  const right = await kit((answer) => answer, '--only', 'permissions', '--json', before);
  assert.deepEqual([right.code, right.complaints], [0, ''], right.output);
  const report = JSON.parse(readFileSync(before, 'utf8')) as Report;
  assert.equal(report.totals.failed, 0);
  assert.deepEqual(report.left, []);
  assert.ok(report.cases.every(({ id, section, outcome }) => id && section && outcome === 'passed'));
  const counted = replaced(/"educator":\d+/, '"educator":0', /distribution/);
  const wrong = await kit(counted, '--only', 'permissions', '--json', after, '--compare', before);
  assert.equal(wrong.code, 1);
  assert.match(wrong.output, /permissions\/permissions-are-counted: passed earlier, failed now/);
});

test('the kit deletes the records that it created, and names the cases that it skipped', async () => {
  const before = await platform.admin.raw('GET', '/v1/user?limit=1');
  const { code, output } = await kit((answer) => answer, '--only', 'everybody', '--only', 'chat');
  assert.equal(code, 0, output);
  assert.match(output, /^skipped {2}everybody\/\S+: its effects would be visible to every member/m);
  const after = await platform.admin.raw('GET', '/v1/user?limit=1');
  assert.equal(after.body.pagination?.total, before.body.pagination?.total);
});

test('a wrong command line and a wrong key are reported in a sentence, with the exit code 2', async () => {
  const none = await runProgram(['conformance/src/main.ts'], {});
  assert.deepEqual([none.code, none.complaints.split('\n')[0]], [2, '--url must be the base URL.']);
  const strange = await kit((answer) => answer, '--only', 'nothing');
  assert.match(strange.complaints, /^There is no area nothing: envelope, access,/);
  const other = await runProgram(
    ['conformance/src/main.ts', '--url', 'ftp://example.com', '--admin-key', 'a'],
    {},
  );
  assert.equal(other.complaints.split('\n')[0], '--url must be the base URL.');
  const noReport = join(folder, 'no-report.json');
  writeFileSync(noReport, '{}');
  for (const [option, file, says] of [
    ['--json', join(folder, 'missing', 'a.json'), /^The report cannot be written to --json: ENOENT/],
    ['--compare', join(folder, 'missing.json'), /^The report of --compare cannot be read: ENOENT/],
    ['--compare', noReport, /^The report of --compare cannot be read: .* has no cases/],
  ] as const) {
    const { code, output, complaints } = await kit((answer) => answer, '--only', 'permissions', option, file);
    assert.deepEqual([code, output], [2, ''], option);
    assert.match(complaints, says);
  }
  const args = ['conformance/src/main.ts', '--url', platform.url, '--admin-key', 'wrong'];
  const refused = await runProgram(args, {});
  assert.deepEqual([refused.code, refused.output], [2, '']);
  assert.match(refused.complaints, /^The API key is refused, or not of the Admin tier: /);
});
