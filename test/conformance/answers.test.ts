import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getBalance } from '../../sdk/src/index.ts';
import { misfitOfAnswer } from '../support/api-contract.ts';
import type { Answer, Loose } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const member = await platform.newMemberWith(5);
const PATH = '/v1/wallets/balance';
const balance = await member.client.call(getBalance);
const refused = await member.client.with({ authorization: undefined }).get(PATH);

/** What the client of the tests finds in an answer that is like another but for something. */
function misfit(
  answer: Answer,
  change: (body: Loose) => void,
  { status = answer.status, headers = {} } = {},
) {
  const body = structuredClone(answer.body);
  change(body);
  const merged = { ...Object.fromEntries(answer.headers), ...headers };
  return misfitOfAnswer('GET', PATH, { status, headers: new Headers(merged), body, data: body.data });
}
const nothing = (): void => undefined;

test('answers as they are described are accepted', () => {
  for (const answer of [balance, refused]) assert.equal(misfit(answer, nothing), undefined);
});

test('undeclared statuses, codes, fields, types and content types are found, and what is missing', () => {
  const found: [string | undefined, RegExp][] = [
    [misfit(balance, nothing, { status: 204 }), /does not declare/],
    [misfit(refused, nothing, { status: 418 }), /does not declare/],
    [misfit(refused, (body) => (body.error = 'WALLET_LOCKED')), /error/],
    [misfit(refused, (body) => (body.status = 403)), /status/],
    [misfit(refused, (body) => delete body.errorId), /errorId/],
    [misfit(refused, (body) => (body.hint = 'x')), /additional properties/],
    [misfit(balance, (body) => (body.data.secret = 1)), /additional properties/],
    [misfit(balance, (body) => (body.data.balance = 1.5)), /balance/],
    [misfit(balance, (body) => delete body.data.locked), /locked/],
    [misfit(balance, (body) => (body.meta.timestamp = 'yesterday')), /timestamp/],
    [misfit(balance, nothing, { headers: { 'content-type': 'text/html' } }), /text\/html/],
  ];
  for (const [said, expected] of found) assert.match(said ?? 'nothing', expected);
});

test('a request that reaches no operation is answered with a whole failure', async () => {
  const { body } = await platform.client.get('/v1/nothing');
  const answer = { status: 404, headers: new Headers(), data: undefined };
  assert.equal(misfitOfAnswer('GET', '/v1/nothing', { ...answer, body }), undefined);
  assert.ok(misfitOfAnswer('GET', '/v1/nothing', { ...answer, body: { ...body, errorId: 'x' } }));
});
