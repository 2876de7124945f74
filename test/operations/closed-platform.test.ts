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

async function startAndClose(): Promise<WeakRef<object>> {
  const installation = await startInstallation(url);
  const platform = new WeakRef<object>(await installation.platform());
  await installation.close();
  return platform;
}

test('nothing keeps a closed platform in memory', async () => {
  const platform = await startAndClose();
  await until(async () => {
    collectGarbage();
    return platform.deref() === undefined;
  }, 'the platform to be collected');
});
