// A sleeping tab: Chromium freezes it, so that neither timers nor messages reach the SDK until it wakes up.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { build } from 'esbuild';
import { createClient, joinChatroom, sendChatMessage } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { faultyNetwork } from '../support/faulty-network.ts';
import { until } from '../support/live.ts';
import { type Member, startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const network = await faultyNetwork(platform.url);
const { key: apiKey } = await platform.newKey('admin');
const options = { baseUrl: platform.url, apiKey };
const MESSAGES = 1_000;
const SPEAKERS = 20;
const LONGER_THAN_A_TOKEN_MS = 20 * 60_000;

/** A page that collects the messages of a room, and whose clock can be set forward as after a sleep. */
const PROGRAM = `
import { browserStorage, createClient } from './sdk/src/index.ts';
const { now } = Date;
window.sleptMs = 0;
Date.now = () => now() + window.sleptMs;
const api = createClient({ ...window.options, storage: browserStorage() });
window.heard = [];
window.states = [];
window.enter = async (who, roomId) => {
  await api.auth.signUp(who);
  api.live().onState(({ name }) => window.states.push(name));
  const room = api.live().room(roomId);
  room.on('message', ({ seq, message }) => window.heard.push([seq, message]));
  await new Promise((resolve) => room.on('entered', resolve));
};
`;

async function servePage(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: '.' },
    bundle: true,
    format: 'iife',
    write: false,
  });
  const script = `window.options = ${JSON.stringify({ ...options, baseUrl: network.url })};\n${outputFiles[0]?.text}`;
  const html = `<!doctype html><meta charset="utf-8"><script>${script.replaceAll('</script', '<\\/script')}</script>`;
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const newcomer = () => ({
  email: newEmail(),
  password: PASSWORD,
  firstName: 'Ada',
  lastName: 'L',
  platform: 'web' as const,
});

test('a tab that slept through a thousand messages and the expiry of its token gets each message once, in order', {
  skip: executablePath ? false : 'no chromium here',
}, async () => {
  const browser = await launchBrowser();
  after(() => browser.close());
  const speaker = createClient(options);
  after(() => speaker.live().close());
  await speaker.auth.signUp(newcomer());
  const { id } = await speaker.chatrooms.create({ name: 'Gold', type: 'public' });

  const page = await newPage(browser, [400, 300]);
  await page.goto(await servePage());
  // biome-ignore lint/suspicious/noExplicitAny: the page's own globals
  const inPage = <Result>(work: (page: any, given: any) => Result, given?: unknown): Promise<Result> =>
    page.evaluate(`(${work})(window, ${JSON.stringify(given)})`) as Promise<Result>;
  await inPage((own, [who, roomId]) => own.enter(who, roomId), [newcomer(), id]);
  const room = speaker.live().room(id);
  const say = (text: string) => room.send(text);
  await say('before');
  await until(async () => (await inPage(({ heard }) => heard.length)) === 1, 'the message before');

  const tab = await page.context().newCDPSession(page);
  await inPage((own, ms) => (own.sleptMs = ms), LONGER_THAN_A_TOKEN_MS);
  await tab.send('Page.setWebLifecycleState', { state: 'frozen' });
  network.setAway(true);
  // Several speakers, since a member may send a hundred messages a minute.
  const speakers = await Promise.all(Array.from({ length: SPEAKERS }, () => platform.newMember()));
  const texts = speakers.map(({ id: who }) =>
    Array.from({ length: MESSAGES / SPEAKERS }, (_, number) => `${who} ${number}`),
  );
  const sayAll = async ({ client }: Member, own: string[]): Promise<void> => {
    await client.call(joinChatroom, { params: { chatroomId: id } });
    for (const message of own)
      await client.call(sendChatMessage, { params: { chatroomId: id }, body: { message } });
  };
  await Promise.all(speakers.map((one, place) => sayAll(one, texts[place] as string[])));
  platform.clock.advance(LONGER_THAN_A_TOKEN_MS);
  network.setAway(false);
  await tab.send('Page.setWebLifecycleState', { state: 'active' });

  await until(async () => (await inPage(({ heard }) => heard.length)) > MESSAGES, 'all messages');
  await say('after');
  await until(async () => (await inPage(({ heard }) => heard.length)) > MESSAGES + 1, 'the message after');
  const messages: [number, string][] = await inPage(({ heard: all }) => all);
  assert.deepEqual(
    messages.map(([seq]) => seq),
    messages.map((_one, place) => place + 1),
  );
  const receivedTexts = messages.map(([, text]) => text);
  assert.deepEqual([...receivedTexts].sort(), ['before', ...texts.flat(), 'after'].sort());
  for (const own of texts)
    assert.deepEqual(
      receivedTexts.filter((text) => own.includes(text)),
      own,
    );
  const states: string[] = await inPage(({ states }) => states);
  assert.ok(states.lastIndexOf('connecting') > states.indexOf('live'), `it has reconnected: ${states}`);
  assert.equal(states.at(-1), 'live');
});
