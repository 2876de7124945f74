// The SDK runs where our own Node does not: in older ones, and in hosts that lack much of what browsers offer.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { newEmail, PASSWORD } from '../support/client.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { key: apiKey } = await platform.newKey('admin');
const folder = mkdtempSync(join(tmpdir(), 'platform-sdk-runtimes-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const sdk = join(folder, 'sdk.mjs');
await build({
  entryPoints: ['sdk/src/index.ts'],
  bundle: true,
  format: 'esm',
  target: 'es2022',
  outfile: sdk,
});
const ws = pathToFileURL(join(import.meta.dirname, '../../node_modules/ws/wrapper.mjs')).href;

/** Signs up, refreshes, reads pages, and says and hears something, without what React Native lacks. */
const program = join(folder, 'program.mjs');
writeFileSync(
  program,
  `const [baseUrl, apiKey, email, password] = process.argv.slice(2);
for (const [place, name] of [[AbortSignal, 'any'], [AbortSignal, 'timeout'], [crypto, 'randomUUID'], [URL, 'canParse']])
  Object.defineProperty(place, name, { value: undefined, configurable: true });
const { createClient } = await import('./sdk.mjs');
// Node 20 has no WebSocket of its own.
const WebSocket = globalThis.WebSocket ?? (await import('${ws}')).WebSocket;
const api = createClient({ baseUrl, apiKey, WebSocket });
await api.auth.signUp({ email, password, platform: 'web', firstName: 'Ada', lastName: 'L' });
const before = await api.session.read();
await api.session.renew(before.accessToken);
if ((await api.session.read()).refreshToken === before.refreshToken) throw new Error('not refreshed');
await api.wallet.create();
const { id } = await api.chatrooms.create({ name: 'Gold', type: 'public' });
const room = api.live().room(id);
room.on('entered', () => void Promise.all(['one', 'two'].map((message) => room.send(message))));
const heard = [];
for await (const { type, message } of room) if (type === 'message' && heard.push(message) === 2) break;
api.live().close();
for await (const { message } of api.chatrooms.listMessages(id, { limit: 1 })) heard.push(message);
console.log(process.version, heard.join());
await api.signOut();
`,
);

/** Returns a Node of this major version: the one in the PATH, or else one that npm fetches where it can. */
function nodeOf(major: number): string | undefined {
  const isOne = (command: string): boolean => {
    try {
      return execFileSync(command, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`);
    } catch {
      return false;
    }
  };
  const found = [process.execPath, '/usr/bin/node', '/usr/local/bin/node'].find(isOne);
  if (found) return found;
  try {
    const name = ['exec', '--yes', '--offline=false', `--package=node@${major}`, '--'];
    const print = ['node', '-p', 'process.execPath'];
    const fetched = execFileSync('npm', [...name, ...print], {
      encoding: 'utf8',
      stdio: 'pipe',
      cwd: folder,
    });
    return isOne(fetched.trim()) ? fetched.trim() : undefined;
  } catch {
    return undefined;
  }
}

for (const major of [20, 22, 24])
  test(`the SDK runs in Node ${major}, also without AbortSignal.any, randomUUID and URL.canParse`, async (t) => {
    const node = nodeOf(major);
    if (!node) return t.skip(`SKIPPED: there is no Node ${major} here, and npm cannot fetch one`);
    const child = spawn(node, [program, platform.url, apiKey, newEmail(), PASSWORD]);
    const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
    assert.match(said, new RegExp(`^v${major}\\.\\S+ one,two,two,one\n$`), complaints);
  });
