// The three programs of docs/client-guide.md run as they are written, against a platform that `start` started.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { createContext, runInContext } from 'node:vm';
import { createClient } from '../../sdk/src/index.ts';
import { executablePath, launchBrowser, newPage } from '../support/browser.ts';
import { newEmail, PASSWORD } from '../support/client.ts';
import { newDatabase } from '../support/databases.ts';
import { until } from '../support/live.ts';
import { startProgram } from '../support/programs.ts';

const root = resolve(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/client-guide.md'), 'utf8');
const { url: databaseUrl, drop } = await newDatabase();
const folder = mkdtempSync(join(tmpdir(), 'platform-first-client-'));
const clone = join(folder, 'platform');
const project = join(folder, 'first-client');

/** Returns the first block of a chapter in a language. */
function blockOf(chapter: string, language: string): string {
  const [, text = ''] = guide.split(`\n## ${chapter}\n`);
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(text.split('\n## ')[0] as string);
  assert.ok(block, `${chapter} has a program`);
  return block[1] as string;
}

// What the set-up needs of a clone; the package is built in it.
mkdirSync(clone);
for (const name of ['package.json', 'node_modules']) symlinkSync(join(root, name), join(clone, name));
cpSync(join(root, 'tsconfig.json'), join(clone, 'tsconfig.json'));
cpSync(join(root, 'sdk'), join(clone, 'sdk'), { recursive: true });
const server = await startProgram(['src/main.js', 'start'], {
  DATABASE_URL: databaseUrl,
  DATA_DIR: join(clone, '.data'),
  PORT: '0',
  SANDBOX_PORT: '0',
});
const baseUrl = server.readyValues.url as string;
const api = createClient({ baseUrl, apiKey: server.readyValues.apiKey as string });
after(async () => {
  api.live().close();
  await server.end('SIGKILL');
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

const bash = (script: string): string =>
  execFileSync('bash', ['-ec', script], { cwd: clone, encoding: 'utf8' });
const setUp = blockOf('Set up', 'sh');
bash(setUp);
await api.auth.signUp({
  email: newEmail(),
  password: PASSWORD,
  firstName: 'Eve',
  lastName: 'N',
  platform: 'web',
});
const { id: lobby } = await api.chatrooms.create({ name: 'Lobby', type: 'public' });
const heard: string[] = [];
api
  .live()
  .room(lobby)
  .on('message', ({ message }) => heard.push(message));

/** Serves the project to a browser, as `npx serve` does. */
async function serveProject(): Promise<string> {
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.json': 'application/json',
  };
  const files = createServer(({ url = '/' }, response) => {
    const file = join(project, url === '/' ? 'index.html' : url);
    if (!existsSync(file)) response.writeHead(404).end();
    else response.setHeader('content-type', types[extname(file)] ?? 'text/plain').end(readFileSync(file));
  });
  after(() => files.close());
  await new Promise<void>((listening) => files.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(files.address() as { port: number }).port}`;
}

test('the page signs a member up and in again, chats, and remembers who is signed in', {
  skip: executablePath ? false : 'SKIPPED: no chromium here',
}, async () => {
  writeFileSync(join(project, 'index.html'), blockOf('A page in a browser', 'html'));
  const origin = await serveProject();
  const browser = await launchBrowser();
  after(() => browser.close());
  const email = newEmail();
  const faults: string[] = [];
  const open = async () => {
    const page = await newPage(browser, [600, 400]);
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(origin);
    return page;
  };
  // The second window is another browser of the same member, for whom the form signs in.
  for (const window of ['first', 'second']) {
    const page = await open();
    await page.getByPlaceholder('E-mail').fill(email);
    await page.getByPlaceholder('Password').fill(PASSWORD);
    await page.getByRole('button').click();
    await page.getByText('Hello, Ada').waitFor();
    await page.getByPlaceholder('Say something').fill(`from the ${window} window`);
    await page.getByPlaceholder('Say something').press('Enter');
    await page.getByText(`from the ${window} window`).waitFor();
    await until(() => heard.includes(`from the ${window} window`), 'the message');
    await page.reload();
    await page.getByText('Hello, Ada').waitFor();
    await api.chatrooms.sendMessage(lobby, { message: `hello ${window}` });
    await page.getByText(`hello ${window}`).waitFor();
  }
  assert.deepEqual(faults, []);
});

/** What the app uses of a phone: its system, its store, its pushes. */
function newPhone() {
  const stored = new Map<string, string>();
  const sockets: WebSocket[] = [];
  const listeners: ((state: string) => void)[] = [];
  class PhoneSocket extends WebSocket {
    constructor(url: string) {
      super(url);
      sockets.push(this);
    }
  }
  const modules = {
    'react-native': {
      AppState: {
        addEventListener: (_event: 'change', listener: (state: string) => void) => listeners.push(listener),
      },
    },
    'expo-secure-store': {
      getItemAsync: async (key: string) => stored.get(named(key)) ?? null,
      setItemAsync: async (key: string, value: string) => void stored.set(named(key), value),
      deleteItemAsync: async (key: string) => void stored.delete(named(key)),
    },
    'expo-notifications': {
      getDevicePushTokenAsync: async () => ({ type: 'android', data: 'token-of-the-phone' }),
    },
  };
  return { modules, stored, sockets, listeners, PhoneSocket };
}

/** As the secure store, which refuses other names. */
function named(key: string): string {
  assert.match(key, /^[\w.-]+$/);
  return key;
}

/** Runs the app with nothing but the language and what React Native has; returns what it exports. */
async function runApp(phone: ReturnType<typeof newPhone>): Promise<App> {
  writeFileSync(join(project, 'app.js'), blockOf('React Native', 'js'));
  const { build } = (await import('esbuild' as string)) as { build(options: object): Promise<Built> };
  for (const [name, exports] of Object.entries(phone.modules)) {
    mkdirSync(join(project, 'node_modules', name), { recursive: true });
    const lines = Object.keys(exports).map((one) => `export const ${one} = phone['${name}'].${one};`);
    writeFileSync(join(project, 'node_modules', name, 'index.js'), lines.join('\n'));
  }
  const { outputFiles } = await build({
    entryPoints: [join(project, 'app.js')],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'app',
  });
  const { PhoneSocket, modules } = phone;
  // Neither DOM nor URL, crypto, TextEncoder, AbortSignal.any or atob.
  const context = createContext({
    fetch,
    WebSocket: PhoneSocket,
    AbortController: class {
      #own = new AbortController();
      signal = Object.assign(this.#own.signal, { throwIfAborted: undefined });
      abort = () => this.#own.abort();
    },
    setTimeout,
    clearTimeout,
    console,
    phone: modules,
  });
  runInContext((outputFiles[0] as { text: string }).text, context);
  return runInContext('app', context) as App;
}

interface Built {
  outputFiles: { text: string }[];
}

interface App {
  api: typeof api;
  isSignedIn(): Promise<boolean>;
  join(email: string, password: string): Promise<{ id: string }>;
  chat(show: (text: string) => void): Promise<(text: string) => Promise<unknown>>;
}

test('the app runs on a phone: tokens in the secure store, pushes, and a chat that outlives a cut connection', {
  skip: existsSync(join(root, 'node_modules/esbuild'))
    ? false
    : 'SKIPPED: esbuild is not installed, run npm ci',
}, async () => {
  const phone = newPhone();
  const app = await runApp(phone);
  assert.equal(await app.isSignedIn(), false);
  const { id } = await app.join(newEmail(), PASSWORD);
  assert.match(id, /^[0-9a-f]{24}$/);
  assert.ok(phone.stored.has('tokens'));
  await until(async () => {
    const [device] = (await app.api.push.listDevices()).items;
    return device?.platform === 'android' && device.token === 'token-of-the-phone';
  }, 'the registration for pushes');

  const shown: string[] = [];
  const send = await app.chat((text) => shown.push(text));
  await send('from the phone');
  await until(() => shown.includes('from the phone') && heard.includes('from the phone'), 'the message');
  phone.sockets.at(-1)?.close();
  await api.chatrooms.sendMessage(lobby, { message: 'while it slept' });
  for (const listener of phone.listeners) listener('active');
  await until(() => shown.includes('while it slept'), 'what was missed');
  assert.deepEqual(shown.slice(-2), ['from the phone', 'while it slept']);
  assert.equal(new Set(shown).size, shown.length);
  app.api.live().close();

  // The system ended the app; it starts again on the same phone.
  const again = await runApp(phone);
  assert.equal(await again.isSignedIn(), true);
  assert.equal((await again.api.profile.get()).id, id);
});

test('the job greets, and gives everybody Keys once, however often it runs', async () => {
  writeFileSync(join(project, 'job.mjs'), blockOf('A job on a server', 'js'));
  const run = blockOf('A job on a server', 'sh');
  // In the same terminal, where nothing has to be installed again.
  const printed = bash(`${setUp.replaceAll(/^(mkdir|npm) .*\n/gm, '')}\n${run}\n${run}`);
  assert.equal(printed.match(/@\S+ completed$/gm)?.length, printed.split('\n').length - 1);
  await until(() => heard.filter((text) => text === 'The server says hello').length === 2, 'both greetings');
  assert.equal((await api.wallet.getBalance()).balance, 50);
});
