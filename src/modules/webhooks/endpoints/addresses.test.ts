import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiver } from '../../../../test/support/webhooks.ts';
import { publicResolver } from '../../../kernel/net/public-addresses.ts';
import { poster } from '../sending/posting.ts';
import { addressCheck } from './addresses.ts';

/** Returns a resolver that answers with one list of addresses after the other, and repeats the last one. */
function resolverOf(...answers: string[][]) {
  let lookUps = 0;
  const lookup = async () =>
    (answers[Math.min(lookUps++, answers.length - 1)] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
  return { resolver: publicResolver({ allowsLoopback: false, lookup }), asked: () => lookUps };
}
const PUBLIC = '93.184.215.14';
const posterOf = (resolver: ReturnType<typeof publicResolver>) =>
  poster({ resolver, userAgent: 'test', nowMs: Date.now });
const parcel = { id: 'evt_1', body: '{}', secrets: [Buffer.alloc(32)], isReplay: false };

test('a name that was public when it was saved is refused at the connection once it is private', async () => {
  for (const [protocol, rebound] of [
    ['http', ['127.0.0.1']],
    ['https', ['10.0.0.5']],
    ['http', ['169.254.169.254']],
    ['https', [PUBLIC, '::1']],
    ['http', []],
  ] as const) {
    const { got, url } = await receiver();
    const { resolver, asked: lookUps } = resolverOf([PUBLIC], [...rebound]);
    const address = `${protocol}://rebinding.example:${new URL(url).port}/hooks`;
    assert.equal(await addressCheck(resolver, false)(address), address);
    const sender = posterOf(resolver);
    const received = await sender.send({ ...parcel, url: address });
    assert.deepEqual([received.status, got.length, lookUps()], [null, 0, 2], rebound.join());
    assert.match(String(received.error), /not a public address/);
    sender.close();
  }
});

test('the connection goes to the very address that was judged, and look-ups that run at once are one', async () => {
  const { got, url } = await receiver();
  const answers = [['127.0.0.1'], ['10.0.0.5']];
  let lookUps = 0;
  const lookup = async () => (answers[lookUps++] as string[]).map((address) => ({ address, family: 4 }));
  const sender = posterOf(publicResolver({ allowsLoopback: true, lookup }));
  const address = `http://receiver.example:${new URL(url).port}/hooks`;
  const all = await Promise.all([1, 2, 3].map(() => sender.send({ ...parcel, url: address })));
  assert.deepEqual(
    all.map(({ status }) => status),
    [204, 204, 204],
  );
  assert.deepEqual([got.length, lookUps], [3, 1]);
  sender.close();
});

test('an address of a private network is refused at each attempt, also one without a name', async () => {
  const sender = posterOf(publicResolver({ allowsLoopback: false }));
  for (const host of ['127.0.0.1', '[::1]', '10.1.2.3', '[fd00::1]', '2130706433'])
    assert.match(
      String((await sender.send({ ...parcel, url: `http://${host}/` })).error),
      /not public/,
      host,
    );
  sender.close();
});

test('production takes https addresses of public hosts alone', async () => {
  const check = addressCheck(resolverOf([PUBLIC]).resolver, true);
  assert.equal(await check('https://hooks.example.com/x'), 'https://hooks.example.com/x');
  for (const url of [
    'http://hooks.example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://0x7f.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://user@hooks.example.com/',
  ])
    await assert.rejects(check(url), { status: 422 }, url);
  for (const found of [['127.0.0.1'], ['::1'], ['192.168.0.1'], [PUBLIC, '10.0.0.1']])
    await assert.rejects(addressCheck(resolverOf(found).resolver, true)('https://hooks.example.com/'), {
      status: 422,
    });
});
