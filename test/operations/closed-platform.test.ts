import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startInstallation } from '../simulation/installation.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const { url, drop } = await newDatabase();
after(drop);

const untilCollected = (platform: WeakRef<object>): Promise<unknown> =>
  until(async () => {
    collectGarbage();
    return platform.deref() === undefined;
  }, 'the platform to be collected');

test('nothing keeps a closed platform in memory', async () => {
  const startAndClose = async () => {
    const installation = await startInstallation(url);
    const platform = new WeakRef<object>(await installation.platform());
    await installation.close();
    return platform;
  };
  await untilCollected(await startAndClose());
});

test('nothing keeps a platform in memory that lost its database before it was closed', async (t) => {
  const installation = await startInstallation(url);
  t.after(installation.close);
  const startAndKill = async () => {
    const platform = await installation.platform();
    platform.keys.countUse('0'.repeat(24), false);
    installation.arm('crash', 1, true);
    await installation.loseNow();
    return new WeakRef<object>(platform);
  };
  await untilCollected(await startAndKill());
});
