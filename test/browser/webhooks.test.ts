import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { replayWebhooks, signIn, testWebhookEndpoint } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { startProgram } from '../support/programs.ts';

test('a newcomer registers the receiver of the sandbox by one click, and sees verified deliveries', {
  skip: executablePath ? false : 'no chromium here',
}, async () => {
  const { url: databaseUrl, drop } = await newDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-webhooks-'));
  const environment = { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PORT: '0' };
  const { readyValues, end } = await startProgram(['src/main.js', 'start'], environment);
  const browser = await launchBrowser();
  after(async () => {
    await browser.close();
    await end('SIGKILL');
    await drop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  const faults: string[] = [];
  const page = await newPage(browser, [520, 640]);
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${readyValues.sandbox}/`);
  await page.getByRole('listitem').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('Not registered yet.').waitFor();
  await page.getByRole('button', { name: 'Register this receiver' }).click();
  const state = page.getByText(/^Registered as [0-9a-f]{24}\. Nothing has been received yet\.$/);
  await state.waitFor();
  const [id = ''] = /[0-9a-f]{24}/.exec(await state.innerText()) ?? [];

  const client = new Client(readyValues.url as string, { 'x-api-key': readyValues.adminApiKey as string });
  const body = { email: readyValues.adminEmail as string, password: readyValues.adminPassword as string };
  const { data } = await client.call(signIn, { body: { ...body, platform: 'web' } });
  const admin = client.as(data.accessToken);
  const params = { id };
  await admin.call(testWebhookEndpoint, { params });
  const deliveries = page.getByRole('list', { name: 'Deliveries' }).getByRole('listitem');
  const first = deliveries.filter({ hasText: '#1 webhook.test' });
  await first.getByText('verified').waitFor();
  await first.locator('summary').click();
  await first.getByText('"type": "webhook.test"').waitFor();

  // Unsigned requests of others do not count as webhooks.
  await fetch(`${readyValues.sandbox}/webhooks/inbox`, { method: 'POST', body: '{"type":"webhook.test"}' });
  await deliveries.filter({ hasText: 'A header of the webhook is missing' }).waitFor();
  // The page's curl command registers the receiver again: the endpoint stays the same and gets a new secret.
  const command = await page.locator('code#curl').innerText();
  assert.equal(command, `curl -X POST ${readyValues.sandbox}/webhooks/register`);
  const again = await fetch(command.replace('curl -X POST ', ''), { method: 'POST' });
  assert.equal(((await again.json()) as { id: string }).id, id);
  await admin.call(replayWebhooks, { params, body: { fromSequence: 1 } });
  const replayed = deliveries.filter({ hasText: 'replayed' });
  await replayed.getByText('verified').waitFor();
  await replayed.getByText('seen before').waitFor();
  await page.reload();
  await page.getByText(`Registered as ${id}.`).waitFor();
  await first.first().getByText('verified').waitFor();
  assert.deepEqual(faults, []);
});
