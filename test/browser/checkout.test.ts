import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buyKeys, getBalance, setExchangeRate } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { startPlatform } from '../support/platform.ts';

test('in a browser a paid checkout brings Keys; a declined or cancelled one brings none', {
  skip: executablePath ? false : 'no chromium here',
}, async () => {
  const platform = await startPlatform();
  const ada = await platform.newMember();
  const balance = async () => (await ada.client.call(getBalance)).data.balance;
  const browser = await launchBrowser();
  const shot = async (name: string) => {
    if (process.env.SCREENSHOTS) await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
  };
  const page = await newPage(browser, [900, 700]);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  try {
    await admin(platform);
    const open = async (amount: number): Promise<void> => {
      const { data } = await ada.client.call(buyKeys, {
        body: {
          amount,
          successUrl: `${platform.sandboxUrl}/paid?from=app`,
        },
      });
      await page.goto(data.paymentLink);
    };
    await open(250);
    await page.getByRole('heading', { name: '250 Keys' }).waitFor();
    assert.equal(await page.locator('.price').textContent(), '$25.00');
    await shot('checkout');
    assert.equal(await balance(), 0);
    await page.getByRole('button', { name: 'Pay $25.00' }).click();
    await page.waitForURL('**/paid?from=app');
    await shot('paid');
    assert.equal(await balance(), 250);
    await page.goBack();
    await page.reload();
    await page.getByText('This checkout is paid').waitFor();

    await open(10);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL('**/not-paid');
    await open(10);
    await page.getByRole('button', { name: 'decline' }).click();
    await page.waitForURL('**/not-paid');
    await shot('not-paid');
    assert.equal(await balance(), 250);
    await page.goto(`${platform.sandboxUrl}/pay/cs_nobody`);
    await page.getByText('There is no such checkout').waitFor();
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});

const admin = ({ admin }: Awaited<ReturnType<typeof startPlatform>>) =>
  admin.attempt(setExchangeRate, { body: { rate: 0.1 } });
