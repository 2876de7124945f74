// The snippets of README.md, sdk/README.md and docs/client-guide.md run as they are written.
import assert from 'node:assert/strict';
import { createECDH, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import * as adminEntry from '../../sdk/src/admin.ts';
import * as sdk from '../../sdk/src/index.ts';
import { createChatroom, enrollInCourse, getBalance, getProfile, listDevices } from '../../sdk/src/index.ts';
import { PASSWORD } from '../support/client.ts';
import { newCourse } from '../support/courses.ts';
import { until } from '../support/live.ts';
import { SAMPLES } from '../support/pictures.ts';
import { startPlatform } from '../support/platform.ts';
import { makeClip, needsFfmpeg, newFolder, SMALL } from '../support/videos.ts';

const platform = await startPlatform();
const AsyncFunction = (async () => undefined).constructor as new (
  ...parts: string[]
) => (...values: unknown[]) => Promise<void>;

/** One function of all snippets, which go on with what the ones before them have made. */
function programOf(markdown: string): string {
  const blocks = [...markdown.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code as string);
  assert.ok(blocks.length > 0);
  return (
    blocks
      .join('\n')
      // A name may be imported again by a later snippet.
      .replaceAll(/^import \{(.*?)\} from '(.*?)';$/gms, "var {$1} = await imported('$2');")
  );
}

const imported = async (name: string): Promise<object> =>
  ({ '@platform-api/sdk': sdk, '@platform-api/sdk/admin': adminEntry })[name] ?? import(name);

/** Runs all snippets of a text with these names given, then more code that looks at what they have made. */
async function runSnippets(markdown: string, given: object, more = ''): Promise<void> {
  const names = { imported, ...given };
  const text = `${programOf(markdown)}\n${more}\napi.live().close();`;
  await new AsyncFunction(...Object.keys(names), text)(...Object.values(names));
}

/** A webhook as the platform will send it. */
function newWebhook() {
  const key = randomBytes(32);
  const rawBody = JSON.stringify({ type: 'wallet.funded' });
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', key).update(`evt_1.${at}.${rawBody}`).digest('base64');
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(at),
    'webhook-signature': `v1,${signature}`,
  };
  return { rawBody, headers, secret: `whsec_${key.toString('base64')}` };
}

/** A course with a lesson, a room of its owner, and a member with 100 Keys who is enrolled, with what the programs show to the member. */
async function newScene() {
  const { course, lessons, owner } = await newCourse(platform);
  const member = await platform.newMemberWith(100);
  const room = (await owner.client.call(createChatroom, { body: { name: 'Gold', type: 'public' } })).data;
  await member.client.call(enrollInCourse, { params: { courseId: course.id } });
  const shown: string[] = [];
  const given = {
    email: member.email,
    toUserId: owner.id,
    roomId: room.id,
    lessonId: lessons[0].id,
    show: (text: unknown) => shown.push(String(text)),
    // The member pays on the page that opens.
    open: (link: string) => fetch(link, { method: 'POST', body: new URLSearchParams({ outcome: 'pay' }) }),
    tokenOfTheDevice: async () => 'token-of-the-phone',
    ...newWebhook(),
  };
  return { course, owner, member, shown, given };
}

const apiKey = (await platform.newKey('admin')).key;

async function signedIn({ email }: { email: string }): Promise<sdk.Client> {
  const api = sdk.createClient({ baseUrl: platform.url, apiKey });
  await api.auth.signIn({ email, password: PASSWORD, platform: 'web' });
  return api;
}

test('README.md shows six lines of the SDK on its first screen, and they work as described', async () => {
  const readme = readFileSync('README.md', 'utf8');
  const lines = readme.split('\n');
  assert.ok(lines.length <= 131, 'it has at most 130 lines');
  const [first, last] = [lines.indexOf('```js'), lines.indexOf('```')];
  assert.deepEqual([last - first, last < 20], [7, true]);
  const { course, member, shown, given } = await newScene();
  const more = { baseUrl: platform.url, apiKey, password: PASSWORD };
  await runSnippets(readme, { ...given, ...more });
  assert.ok(shown.includes(course.title));
  assert.equal((await member.client.call(getBalance)).data.balance, 75);
});

test('sdk/README.md works as described', async () => {
  const { course, member, shown, given } = await newScene();
  const more = { baseUrl: platform.url, apiKey, password: PASSWORD };
  await runSnippets(readFileSync('sdk/README.md', 'utf8'), { ...given, ...more });
  for (const text of [course.title, 'completed', '50 Keys arrived', 'live', 'wallet.funded'])
    assert.ok(shown.includes(text), text);
  const { data } = await member.client.call(getBalance);
  assert.equal(data.balance, 100 - 25 - 5 + 50);
  const devices = async () => (await member.client.call(listDevices)).data;
  await until(
    async () => (await devices()).some(({ token }) => token === 'token-of-the-phone'),
    'the device',
  );
});

/** The registration of a browser's service worker, which keys of a real subscription come from. */
function newRegistration() {
  const keys = createECDH('prime256v1');
  const p256dh = keys.generateKeys('base64url');
  const auth = randomBytes(16).toString('base64url');
  const subscription = { endpoint: `${platform.sandboxUrl}/web-push/1`, keys: { p256dh, auth } };
  return { pushManager: { subscribe: async () => ({ toJSON: () => subscription }) } };
}

test('the snippets of docs/client-guide.md work as described', needsFfmpeg, async () => {
  const { course, owner, member, shown, given } = await newScene();
  await platform.mailTo(member.email, 'email.welcome');
  const clip = readFileSync(makeClip(join(newFolder(), 'clip.mp4'), SMALL));
  const guide = readFileSync('docs/client-guide.md', 'utf8');
  const [, snippets = ''] = guide.split('\n---\n');
  const more = {
    api: await signedIn(member),
    educator: await signedIn(owner),
    file: new File([clip], 'clip.mp4', { type: 'video/mp4' }),
    picture: new File([new Uint8Array(SAMPLES.png)], 'face.png', { type: 'image/png' }),
    registration: newRegistration(),
    sandbox: platform.sandboxUrl,
    until,
    send: async (server: Server) => {
      server.listen(0);
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { headers, rawBody } = given;
      const genuine = await fetch(url, { method: 'POST', headers, body: rawBody });
      const forged = await fetch(url, { method: 'POST', headers, body: `${rawBody} ` });
      assert.deepEqual([genuine.status, forged.status], [204, 400]);
      server.close();
    },
    heard: () => shown.includes('BTCUSD 100000'),
  };
  await runSnippets(snippets, { ...given, ...more }, "await send(server); await until(heard, 'the price');");
  for (const text of [
    'You do not have that many Keys',
    'By now it says: Gold and silver',
    course.title,
    '10 Keys have arrived',
    '110 Keys',
    'completed',
    'live',
    'this lesson has no video for you',
    'sending 100 %',
    'wallet.funded',
  ])
    assert.ok(shown.includes(text), text);
  const { data } = await member.client.call(getBalance);
  assert.equal(data.balance, 100 - 5 + 10);
  const { data: profile } = await member.client.call(getProfile);
  assert.match(profile.avatar ?? '', /^http/);
});
