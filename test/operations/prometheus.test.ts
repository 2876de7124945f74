import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { after, test } from 'node:test';
import { queriesOf } from '../../deploy/generator/dashboards.ts';
import { allMetrics } from '../../deploy/generator/monitoring-files.ts';
import { alertsOf } from '../../deploy/generator/rules.ts';
import { changePassword, getBalance, signIn, transferKeys } from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { startCollector } from '../support/collector.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';
import { noPrometheus, startPrometheus } from '../support/prometheus.ts';
import { startRedis } from '../support/redis.ts';

const redis = noPrometheus ? undefined : await startRedis();
const skip = noPrometheus || (redis ? false : 'no redis here');

test('each query of alerts and dashboards finds a series of a platform with a little traffic', {
  skip,
}, async () => {
  const list = createServer((_request, response) => response.end('')).listen(0, '127.0.0.1');
  await once(list, 'listening');
  after(() => list.close());
  const { url: readUrl, drop } = await newDatabase();
  after(drop);
  const platform = await startPlatform({
    REDIS_URL: redis?.url as string,
    DATABASE_READ_URL: readUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: (await startCollector()).url,
    BREACHED_PASSWORDS_URL: `http://127.0.0.1:${(list.address() as AddressInfo).port}/range`,
  });
  const rules = resolve('deploy/prometheus/alerts.yaml');
  const prometheus = await startPrometheus([platform.url], rules);

  async function traffic(): Promise<void> {
    const [ada, ben] = await Promise.all([platform.newMemberWith(10), platform.newMember()]);
    await ada.client.call(getBalance, {});
    await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1 } });
    await platform.client.attempt(signIn, {
      body: { email: ada.email, password: 'a wrong password', platform: 'web' },
    });
    await ada.client.attempt(changePassword, {
      body: { currentPassword: PASSWORD, newPassword: `${PASSWORD} and more` },
    });
  }
  const boards = ['overview', 'all-metrics'].map((name) =>
    JSON.parse(readFileSync(resolve(`deploy/grafana/dashboards/${name}.json`), 'utf8')),
  );
  let missing = [
    ...alertsOf(allMetrics()).map(({ query }) => query),
    ...boards.flatMap((board) => queriesOf(board, '1m')),
  ];
  assert.ok(missing.length > 100);
  await until(async () => {
    await traffic();
    const found = await Promise.all(missing.map((query) => prometheus.query(query)));
    missing = missing.filter((_query, place) => found[place]?.length === 0);
    return missing.length === 0;
  }, 'a series of each query').catch(() => assert.deepEqual(missing, [], 'these find nothing'));
  for (const { name, health, lastError } of await prometheus.rules())
    assert.equal(health, 'ok', `${name}: ${lastError}`);
});
