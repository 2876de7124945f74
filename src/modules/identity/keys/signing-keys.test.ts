import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownDatabase } from '../../../../test/support/own-database.ts';
import { idMaker } from '../../../kernel/ids.ts';
import { secretsOf } from '../../../kernel/secrets.ts';
import { MINUTE_MS, systemClock, travellingClock } from '../../../kernel/time/time.ts';
import { signingKeyStore } from './signing-keys.store.ts';
import { signingKeys } from './signing-keys.ts';

const { database } = await ownDatabase();
const clock = travellingClock();

/** The keys as another process sees them. */
const keysOfProcess = () =>
  signingKeys({
    database,
    store: signingKeyStore(database),
    clock,
    newId: idMaker(systemClock),
    sealer: secretsOf(['a secret key for tests, long enough']).sealer('signing keys'),
  });

test('after one rotation the former key verifies for an hour, and no longer', async () => {
  const [one, other] = [keysOfProcess(), keysOfProcess()];
  const former = (await one.signing()).kid;
  await other.signing();
  const kid = await one.rotate();
  clock.advance(59 * MINUTE_MS);
  assert.equal(typeof (await other.verifying(former)), 'object');
  clock.advance(2 * MINUTE_MS);
  assert.equal(await other.verifying(former), 'former');
  assert.equal(typeof (await other.verifying(kid)), 'object');
  assert.equal((await other.signing()).kid, kid);
});

test('after a leak no former key verifies, in other processes from a minute later', async () => {
  const [one, other] = [keysOfProcess(), keysOfProcess()];
  const leaked = (await one.signing()).kid;
  await other.signing();
  const kid = await one.rotate({ isLeaked: true });
  assert.equal(await one.verifying(leaked), 'former');
  clock.advance(MINUTE_MS + 1);
  assert.equal(await other.verifying(leaked), 'former');
  assert.equal(typeof (await other.verifying(kid)), 'object');
});

test('before a token is replaced the keys are read, so that the newest signs where the rotation was not noticed yet', async () => {
  const [one, other] = [keysOfProcess(), keysOfProcess()];
  const leaked = (await one.signing()).kid;
  await other.signing();
  const kid = await one.rotate({ isLeaked: true });
  assert.equal((await other.signing()).kid, leaked);
  clock.advance(1);
  await other.prepare(0);
  assert.equal((await other.signing()).kid, kid);
  assert.deepEqual(await other.ended([leaked, kid, 'unknown']), new Set([leaked, 'unknown']));
});

test('of several rotations none ends the tokens that were signed within the last hour', async () => {
  const [one, other] = [keysOfProcess(), keysOfProcess()];
  const former = (await one.signing()).kid;
  await one.rotate();
  await one.rotate();
  await one.rotate();
  assert.equal(typeof (await one.verifying(former)), 'object');
  assert.equal(typeof (await other.verifying(former)), 'object');
});

test('a key is found at once after another process has created it, and what never was a key is not', async () => {
  const [one, other] = [keysOfProcess(), keysOfProcess()];
  await other.signing();
  const kid = await one.rotate();
  assert.equal(typeof (await other.verifying(kid)), 'object');
  assert.equal(await other.verifying('unknown'), undefined);
});

test('a key that another process has created is found also after the clock was set back', async () => {
  const [one, other] = [keysOfProcess(), keysOfProcess()];
  await other.signing();
  clock.advance(-10 * MINUTE_MS);
  const kid = await one.rotate();
  assert.ok(await other.verifying(kid));
});
