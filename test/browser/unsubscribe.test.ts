import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPreferences, sendNotification } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { startPlatform } from '../support/platform.ts';

test('in a browser the link of a mail asks for confirmation, and its button unsubscribes', {
  skip: executablePath ? false : 'no chromium here',
}, async () => {
  const platform = await startPlatform();
  const ada = await platform.newMember();
  await platform.admin.call(sendNotification, {
    body: {
      userId: ada.id,
      type: 'reminder',
      title: 'Soon',
      message: 'It begins.',
      channels: ['email'],
    },
  });
  const { text } = await platform.mailTo(ada.email, 'email.notification');
  const link = /Turn them off: (\S+)/.exec(text)?.[1] as string;
  const isOn = async (): Promise<boolean> =>
    (await ada.client.call(getPreferences)).data.preferences.email.enabled;
  const browser = await launchBrowser();
  const page = await newPage(browser, [400, 700]);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (said) => {
    if (said.type() === 'error') faults.push(said.text());
  });
  try {
    await page.goto(link);
    await page.getByRole('heading', { name: 'Stop notifications by e-mail?' }).waitFor();
    assert.equal(await isOn(), true);
    await page.getByRole('button', { name: 'Unsubscribe' }).click();
    await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    assert.equal(await isOn(), false);
    // But for the icon that browsers ask for by themselves.
    assert.deepEqual(
      faults.filter((fault) => !/favicon|404|401/.test(fault)),
      [],
    );
  } finally {
    await browser.close();
  }
});
