// What a client must not do with money, whatever the network does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Client,
  createChatroom,
  createClient,
  fundWalletAsAdmin,
  getBalance,
  isPlatformError,
  memoryStorage,
  once,
} from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { type Fault, faultyNetwork } from '../support/faulty-network.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const network = await faultyNetwork(platform.url);
const { key: apiKey } = await platform.newKey('admin');
const storage = memoryStorage();
const options = { apiKey, baseUrl: network.url, storage, timeoutMs: 30_000 };
const api = createClient(options);
const sender = await platform.newMemberWith(1_000);
const receiver = await platform.newMemberWith(0);
/** For calls with a stalled answer; whatever else is asked for may take longer on a busy machine. */
const impatient = { timeoutMs: 2_000 };
await api.auth.signIn({ email: sender.email, password: PASSWORD, platform: 'web' });
const balance = async () => (await receiver.client.call(getBalance)).data.balance as number;
const transfer = { toUserId: receiver.id, amount: 1 };

const FAULTS: Fault[] = ['reset', 'stall', 'html', 'cut', 'away'];

for (const fault of FAULTS)
  test(`a transfer whose answer is lost by "${fault}" is made once and answered`, async () => {
    const before = await balance();
    network.next(fault, fault);
    const { transaction } = await api.wallet.transfer(transfer, fault === 'stall' ? impatient : {});
    assert.match(transaction.transactionId, /^txn_/);
    assert.equal(await balance(), before + 1);
  });

test('a transfer without any answer says that it may have happened, and is made once with its key', async () => {
  const before = await balance();
  const persistent = createClient({ ...options, retries: 1 });
  network.next('reset', 'stall');
  const call = persistent.wallet.transfer(transfer, impatient);
  const error = await call.then(
    () => assert.fail('there was an answer'),
    (failure: unknown) => failure,
  );
  assert.ok(isPlatformError(error, 'transferKeys'));
  assert.deepEqual([error.kind, error.code, error.status], ['timeout', 'TIMEOUT', 0]);
  assert.equal(error.isOutcomeUnknown, true);
  assert.equal(error.idempotencyKey, call.idempotencyKey);
  await persistent.wallet.transfer(transfer, { idempotencyKey: call.idempotencyKey });
  assert.equal(await balance(), before + 1);
});

test('a request without a key is not repeated when its response is lost, and the failure says so', async () => {
  const idea = { symbol: 'XAUUSD', direction: 'long', entryPrice: 2_300 } as const;
  const { id } = await api.trades.create(idea);
  network.next('reset');
  const error = await api.trades.close(id, { exitPrice: 2_400 }).catch((failure: unknown) => failure);
  assert.ok(isPlatformError(error));
  assert.deepEqual([error.kind, error.isOutcomeUnknown], ['offline', true]);
  assert.equal((await api.trades.get(id)).status, 'won', 'it had arrived');
});

test('a message whose response is lost is sent again and stored once', async () => {
  const { id } = (await sender.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data;
  network.next('reset');
  await api.chatrooms.sendMessage(id, { message: 'hello' });
  assert.equal((await api.chatrooms.listMessages(id)).total, 1);
});

test('reading is repeated', async () => {
  network.next('reset', 'html', 'cut');
  assert.equal(typeof (await api.wallet.getBalance()).balance, 'number');
});

test('an intent is carried out once, also by a program that was started again', async () => {
  const before = await balance();
  network.next('reset', 'reset');
  const pay = (client: Client) => once(client, 'invoice-42', (key) => client.wallet.transfer(transfer, key));
  await assert.rejects(pay(createClient({ ...options, retries: 1 })));
  const restarted = createClient(options);
  await pay(restarted);
  await pay(restarted);
  assert.equal(await balance(), before + 1);
});

test('an intent that was refused can be carried out later', async () => {
  const poor = await platform.newMemberWith(0);
  const client = createClient({ ...options, storage: memoryStorage() });
  await client.auth.signIn({ email: poor.email, password: PASSWORD, platform: 'web' });
  const tries = () => once(client, 'rent', (key) => client.wallet.transfer({ ...transfer, amount: 5 }, key));
  const refusal = await tries().catch((failure: unknown) => failure);
  assert.ok(isPlatformError(refusal, 'transferKeys') && refusal.code === 'INSUFFICIENT_BALANCE');
  assert.match(refusal.errorId ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(refusal.isOutcomeUnknown, false);
  await platform.admin.call(fundWalletAsAdmin, { body: { userId: poor.id, amount: 5 } });
  await tries();
});

test('a call ends when it is aborted, also without AbortSignal.any and crypto.randomUUID', async (t) => {
  const missing = [
    [AbortSignal, 'any'],
    [AbortSignal, 'timeout'],
    [Crypto.prototype, 'randomUUID'],
    [URL, 'canParse'],
  ] as const;
  for (const [place, name] of missing) {
    const own = Object.getOwnPropertyDescriptor(place, name);
    Object.defineProperty(place, name, { value: undefined, configurable: true });
    t.after(() => own && Object.defineProperty(place, name, own));
  }
  network.next('stall');
  const controller = new AbortController();
  const call = api.wallet.getBalance({}, { signal: controller.signal, timeoutMs: 60_000 });
  controller.abort(new Error('changed my mind'));
  await assert.rejects(call, /changed my mind/);
  await assert.rejects(api.wallet.getBalance({}, { signal: controller.signal }), /changed my mind/);
  network.next();
  await api.wallet.transfer(transfer);
});
