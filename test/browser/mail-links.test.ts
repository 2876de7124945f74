import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getPreferences, getProfile, sendNotification, signIn } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const skip = executablePath ? false : 'no chromium here';
const platform = await startPlatform();

interface Link {
  url: string;
  /** The question on the page. */
  asks: string;
  button: string;
  /** The text on the page after its button was pressed. */
  says: string;
  /** Whether the button has taken effect. */
  isDone: () => Promise<boolean>;
}

/** Opens a link in a browser, which must change nothing, and presses the button of its page. */
async function follow({ url, asks, button, says, isDone }: Link): Promise<void> {
  const browser = await launchBrowser();
  const page = await newPage(browser, [400, 700]);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  try {
    await page.goto(url);
    await page.getByRole('heading', { name: asks }).waitFor();
    assert.equal(await isDone(), false);
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('heading', { name: says }).waitFor();
    assert.equal(await isDone(), true);
    // Except the icon, which browsers request by themselves.
    assert.deepEqual(
      faults.filter((fault) => !/favicon|404|401/.test(fault)),
      [],
    );
  } finally {
    await browser.close();
  }
}

test('in a browser the link of a notification asks for confirmation, and its button unsubscribes', {
  skip,
}, async () => {
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
  await follow({
    url: /Turn them off: (\S+)/.exec(text)?.[1] as string,
    asks: 'Stop notifications by e-mail?',
    button: 'Unsubscribe',
    says: 'You are unsubscribed',
    isDone: async () => !(await ada.client.call(getPreferences)).data.preferences.email.enabled,
  });
});

test('in a browser the link of the sign-up verifies the address once its button is pressed', {
  skip,
}, async () => {
  const ada = await platform.newMember();
  const { text } = await platform.mailTo(ada.email, 'email.verification');
  await follow({
    url: /Verify with one click: (\S+)/.exec(text)?.[1] as string,
    asks: 'Verify your e-mail address?',
    button: 'Verify',
    says: 'Your e-mail address is verified',
    isDone: async () => (await ada.client.call(getProfile)).data.emailVerified,
  });
});

test('in a browser the link about a new sign-in ends that session once its button is pressed', {
  skip,
}, async () => {
  const ada = await platform.newMember();
  const { data } = await platform.client.call(signIn, {
    body: { email: ada.email, password: PASSWORD, platform: 'web', device: 'of a thief' },
  });
  const thief = platform.client.as(data.accessToken);
  const { text } = await platform.mailTo(ada.email, 'email.new-sign-in');
  await follow({
    url: /End that session: (\S+)/.exec(text)?.[1] as string,
    asks: 'Was it not you who signed in?',
    button: 'End the session',
    says: 'The session has ended',
    isDone: async () => (await thief.attempt(getProfile)).status === 401,
  });
});
