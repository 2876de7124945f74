import assert from 'node:assert/strict';
import { test } from 'node:test';
import { updateWebhookEndpoint } from '../../../../sdk/src/index.ts';
import { holding } from '../../../../test/support/holding.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { endpointsOf } from '../../../../test/support/webhooks.ts';
import { SECOND_MS } from '../../../kernel/time/time.ts';

const platform = await startPlatform();
const { admin, database } = platform;
const registered = endpointsOf(() => admin);

test('an event counts by the types that an endpoint had when it happened, however late it is numbered', async () => {
  const { params, got, newest } = await registered({ types: ['user.created'] });
  const change = async (types: string[]) => {
    platform.clock.advance(SECOND_MS);
    await admin.call(updateWebhookEndpoint, { params, body: { types } });
    platform.clock.advance(SECOND_MS);
  };
  const joined = async () => (await platform.newMember()).id;
  const expected = await holding(database, async (tx) => {
    // No event is numbered meanwhile.
    await tx.execute('select position from webhooks.progress for update');
    const first = await joined();
    await change(['trade.*']);
    await joined();
    await change(['user.created', 'course.*']);
    const second = await joined();
    await change(['course.*']);
    await joined();
    await change(['user.created']);
    return [first, second, await joined()];
  });
  await until(async () => got.length >= expected.length, 'the deliveries');
  assert.deepEqual(
    got.map(({ event }) => event.data.userId),
    expected,
  );
  assert.equal((await newest()).sequence, expected.length);
});

test('of the former types of an endpoint the newest hundred are kept', async () => {
  const { id, params, remove } = await registered({ types: ['user.created'] });
  const kept = () =>
    database.count(
      `select count(*) from webhooks.former_types
       where endpoint = (select number from webhooks.endpoint where id = $1)`,
      [id],
    );
  for (let changes = 1; changes <= 102; changes++) {
    platform.clock.advance(1);
    const types = [changes % 2 ? 'trade.*' : 'user.created'];
    await admin.call(updateWebhookEndpoint, { params, body: { types } });
  }
  assert.equal(await kept(), 100);
  await admin.call(updateWebhookEndpoint, { params, body: { types: ['user.created'] } });
  assert.equal(await kept(), 100);
  await remove();
  assert.equal(await kept(), 0);
});
