import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { assemblePlatform } from '../../src/app/assembly.ts';
import { readConfig } from '../../src/app/config.ts';
import { FORMER_QUEUES } from '../../src/app/former-queues.ts';
import { closedInfrastructure } from '../../src/app/infrastructure.ts';

// UPDATE_DOCS=1 adds new queues to the list.
const LIST = new URL('queues.txt', import.meta.url);

/** The queues of this release, whatever is configured. */
function queuesInUse(): string[] {
  const config = { ...readConfig({}), databaseUrl: '', secretKey: '' };
  const { jobs, absentJobs } = assemblePlatform(config, closedInfrastructure(config), {
    publicUrl: () => '/',
  });
  return [...jobs.map(({ kind }) => kind), ...absentJobs].map(({ name }) => name).toSorted();
}

test('queues that no longer have a worker are listed as former ones, so that nothing waits in them for ever', () => {
  const inUse = queuesInUse();
  assert.ok(inUse.length > 100);
  const listed = readFileSync(LIST, 'utf8').trim().split('\n');
  const former = FORMER_QUEUES.map(({ name }) => name);
  const lost = listed.filter((name) => !inUse.includes(name) && !former.includes(name));
  assert.deepEqual(lost, [], 'add them to FORMER_QUEUES in src/app/former-queues.ts');
  const back = former.filter((name) => inUse.includes(name));
  assert.deepEqual(back, [], 'they are in use, so that they are no former ones');
  const targets = FORMER_QUEUES.flatMap(({ renamedTo = [] }) => renamedTo);
  assert.deepEqual(
    targets.filter((name) => !inUse.includes(name)),
    [],
    'what is moved there nobody would take',
  );
  if (process.env.UPDATE_DOCS) writeFileSync(LIST, `${inUse.join('\n')}\n`);
  else assert.deepEqual(listed, inUse, 'run it with UPDATE_DOCS=1');
});
