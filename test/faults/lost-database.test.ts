import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { startInstallation } from '../simulation/installation.ts';
import { newDatabase } from '../support/databases.ts';

const { url, drop } = await newDatabase();
after(drop);
const installation = await startInstallation(url);
after(installation.close);

/** Sends the first part of a request with an API key, and returns the code of its response. */
async function begin(key: string): Promise<string> {
  const started = request(`${installation.url}/v1/wallets/transfer`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': '1000' },
  });
  started.write('{');
  const answered = await new Promise<string>((resolve, reject) => {
    started.on('error', reject);
    started.on('response', (response) => void text(response).then(resolve, reject));
  });
  started.on('error', () => undefined).destroy();
  return JSON.parse(answered).error;
}

test('a client that is still sending its body when its credentials cannot be looked up is answered 503, not 499', async () => {
  // Repeated, since the database may refuse another statement first, so that the lookup of the key succeeds.
  let answered = 'INVALID_API_KEY';
  for (let tries = 0; answered === 'INVALID_API_KEY'; tries++) {
    installation.arm('cut', 1, true);
    answered = await begin(`unknown ${tries}`);
  }
  assert.equal(answered, 'SERVICE_UNAVAILABLE');
});
