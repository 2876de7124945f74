import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBalance } from '../../sdk/src/index.ts';
import { violationOfAnswer } from '../support/api-contract.ts';
import type { Answer } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const member = await platform.newMemberWith(5);
const PATH = '/v1/wallets/balance';
const balance = await member.client.call(getBalance);
const refused = await member.client.with({ authorization: undefined }).attempt(getBalance);

/** Sets the value at a path of property names, or deletes it if the value is undefined. */
function set(within: object, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let at = within as Record<string, unknown>;
  for (const name of names) at = at[name] as Record<string, unknown>;
  if (value === undefined) delete at[last];
  else at[last] = value;
}

/** Returns the violation that the tests' client finds in a response with a changed body, status or headers. */
function misfit(
  answer: Pick<Answer, 'status' | 'headers' | 'body'>,
  changes: Record<string, unknown> = {},
  { status = answer.status, headers = {} } = {},
) {
  const body = structuredClone(answer.body);
  for (const [path, value] of Object.entries(changes)) set(body, path, value);
  const merged = { ...Object.fromEntries(answer.headers), ...headers };
  return violationOfAnswer('GET', PATH, { status, headers: new Headers(merged), body, data: body.data });
}

test('responses that match their description are accepted', () => {
  for (const answer of [balance, refused]) assert.equal(misfit(answer), undefined);
});

test('undeclared statuses, codes, fields, types and content types are found, and missing ones as well', () => {
  const found: [string | undefined, RegExp][] = [
    [misfit(balance, {}, { status: 204 }), /does not declare/],
    [misfit(refused, {}, { status: 418 }), /does not declare/],
    [misfit(refused, { error: 'WALLET_LOCKED' }), /error/],
    [misfit(refused, { status: 403 }), /status/],
    [misfit(refused, { status: 429, error: 'RATE_LIMIT_EXCEEDED' }), /status/],
    [misfit(refused, { status: 503, error: 'RATE_LIMIT_EXCEEDED' }, { status: 429 }), /status|retry/i],
    [misfit(refused, { errorId: undefined }), /errorId/],
    [misfit(refused, { hint: 'x' }), /additional properties/],
    [misfit(balance, { 'data.secret': 1 }), /additional properties/],
    [misfit(balance, { 'data.balance': 1.5 }), /balance/],
    [misfit(balance, { 'data.locked': undefined }), /locked/],
    [misfit(balance, { 'meta.timestamp': 'yesterday' }), /timestamp/],
    [misfit(balance, {}, { headers: { 'content-type': 'text/html' } }), /text\/html/],
  ];
  for (const [said, expected] of found) assert.match(said ?? 'nothing', expected);
});

test('a request that reaches no operation is answered with a complete failure', async () => {
  const { body } = await platform.client.raw('GET', '/v1/nothing');
  const answer = { status: 404, headers: new Headers(), data: undefined };
  assert.equal(violationOfAnswer('GET', '/v1/nothing', { ...answer, body }), undefined);
  assert.ok(violationOfAnswer('GET', '/v1/nothing', { ...answer, body: { ...body, errorId: 'x' } }));
});
