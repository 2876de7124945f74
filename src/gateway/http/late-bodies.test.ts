import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assignPermissions, getBalance, signOut, unassignPermissions } from '../../../sdk/src/index.ts';
import { until } from '../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform();
const { key } = await platform.newKey('admin');
const { hostname, port } = new URL(platform.url);

/** Sends a request but for the last byte of its body; returns a function that sends that byte and returns the status. */
async function begun(
  path: string,
  { accessToken }: Pick<Member, 'accessToken'>,
  body: object,
  method = 'POST',
) {
  const text = JSON.stringify(body);
  const socket: Socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    `X-API-Key: ${key}`,
    `Authorization: Bearer ${accessToken}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, -1)}`);
  // Longer than credentials are believed, from when a busy machine has read the headers.
  await sleep(3_000);
  return async (): Promise<number> => {
    socket.write(text.slice(-1));
    await until(() => answer.includes('\r\n\r\n'), 'the answer');
    socket.destroy();
    return Number(answer.split(' ')[1]);
  };
}

const balanceOf = async ({ client, id }: Member): Promise<number> =>
  (await client.call(getBalance, { params: { userId: id } })).data.balance;

test('a body that arrives after its caller has signed out moves nothing', async () => {
  const [ada, ben] = [await platform.newMemberWith(100), await platform.newMemberWith(0)];
  const finish = await begun('/v1/wallets/transfer', ada, { toUserId: ben.id, amount: 40 });
  await ada.client.call(signOut);
  assert.equal(await finish(), 401);
  assert.equal(await balanceOf(ben), 0);
});

test('a late body of an operation that takes none does not help either', async () => {
  const [ada, ben] = [await platform.newMember(), await platform.newMember()];
  const finish = await begun(`/v1/blocks/${ben.id}`, ada, {}, 'PUT');
  await ada.client.call(signOut);
  assert.equal(await finish(), 401);
});

test('a body that arrives late is served with the rights that its caller has then', async () => {
  const ada = await platform.newMemberWith(0);
  const grant = (operation: typeof assignPermissions | typeof unassignPermissions) =>
    platform.admin.call(operation, { params: { userId: ada.id }, body: { permissions: ['admin'] } });
  await grant(assignPermissions);
  const fund = () => begun('/v1/wallets/admin/fund', ada, { userId: ada.id, amount: 1_000 });
  const finishAllowed = await fund();
  assert.equal(await finishAllowed(), 201);
  const finish = await fund();
  await grant(unassignPermissions);
  assert.equal(await finish(), 403);
  assert.equal(await balanceOf(ada), 1_000);
});
