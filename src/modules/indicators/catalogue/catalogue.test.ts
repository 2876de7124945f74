import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteIndicator,
  getIndicator,
  listAudit,
  listIndicators,
  search,
  updateIndicator,
} from '../../../../sdk/src/index.ts';
import { ANSWERED, indicatorTools } from '../../../../test/support/indicators.ts';
import { startPlatform } from '../../../../test/support/platform.ts';

const platform = await startPlatform({ ...ANSWERED, LOG_LEVEL: 'silent' });
const { admin, newMember } = platform;
const { newIndicator, grant, untilStatus } = indicatorTools(platform);

test('an indicator can be found by its name while it is offered', async () => {
  const [ada, scanner] = [await newMember(), await newIndicator()];
  const name = 'Zweizack Momentum';
  const found = async (q: string): Promise<string[]> => {
    const { data } = await ada.client.call(search, { query: { q, type: 'indicator' } });
    return data.results.map(({ id }) => id);
  };
  await admin.call(updateIndicator, { params: { id: scanner.id }, body: { name } });
  assert.deepEqual(await found('zweizak'), [scanner.id]);
  await admin.call(updateIndicator, { params: { id: scanner.id }, body: { isActive: false } });
  assert.deepEqual(await found(name), []);
  await admin.call(updateIndicator, { params: { id: scanner.id }, body: { isActive: true } });
  assert.deepEqual(await found(name), [scanner.id]);
  assert.equal((await admin.call(deleteIndicator, { params: { id: scanner.id } })).status, 200);
  assert.deepEqual(await found(name), []);
});

test('retired indicators are visible only to administrators and holders', async () => {
  const [ada, ben, scanner] = [await newMember(), await newMember(), await newIndicator()];
  await grant(scanner, ada, 'ada_r');
  await admin.call(updateIndicator, { params: { id: scanner.id }, body: { isActive: false } });
  assert.deepEqual(
    [
      (await ada.client.call(getIndicator, { params: { id: scanner.id } })).status,
      (await ben.client.attempt(getIndicator, { params: { id: scanner.id } })).status,
      (await admin.call(getIndicator, { params: { id: scanner.id } })).status,
    ],
    [200, 404, 200],
  );
  const listed = async (client: typeof admin) =>
    (await client.call(listIndicators, { query: { includeInactive: true } })).data.some(
      ({ id }) => id === scanner.id,
    );
  assert.deepEqual([await listed(admin), await listed(ben.client)], [true, false]);
  await untilStatus(ada, scanner, 'active');
});

test('a change of an indicator that changes nothing writes nothing', async () => {
  const { id } = await newIndicator();
  const params = { id };
  const { name, pineId, updatedAt } = (await admin.call(getIndicator, { params })).data;
  platform.clock.advance(60_000);
  for (const body of [{}, { name }, { name, pineId }])
    assert.equal((await admin.call(updateIndicator, { params, body })).data.updatedAt, updatedAt);
  const { data: log } = await admin.call(listAudit, { query: { target: id } });
  assert.deepEqual(
    log.map(({ action }) => action),
    ['indicator.created'],
  );
});
