import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { listWithdrawals } from '../../sdk/src/index.ts';
import { CONTROLS } from '../../src/sandbox/controls.ts';
import { PAGES } from '../../src/sandbox/page.ts';
import { PATIENCE_MS } from '../support/live.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform({ STALLED_CLIENT_SECONDS: '5' });
const PROGRAM = '/reference/js/scalar.js';

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(platform.url + path, { headers: { 'accept-encoding': 'identity', ...headers } });

/** Returns the bytes as they are sent; `fetch` would decompress them. */
async function sent(path: string, coding: string): Promise<{ head: string; body: Buffer }> {
  const { hostname, port } = new URL(platform.url);
  const chunks: Buffer[] = [];
  const socket = connect(Number(port), hostname);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${coding}\r\nConnection: close\r\n\r\n`);
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks);
  const end = whole.indexOf('\r\n\r\n');
  return { head: whole.subarray(0, end).toString(), body: whole.subarray(end + 4) };
}

test('the script of the reference has the same content in every coding, each with its own strong ETag', async () => {
  const plain = await get(PROGRAM);
  const text = await plain.text();
  assert.ok(text.length > 1_000_000);
  assert.ok(!text.includes('QUxMIFlPVVIgQkFT'), 'no placeholder that reads like a key');
  assert.match(plain.headers.get('content-type') ?? '', /^text\/javascript/);
  const tags = new Set([plain.headers.get('etag')]);
  for (const [coding, decode] of [
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ] as const) {
    const { head, body } = await sent(PROGRAM, coding);
    assert.match(head, new RegExp(`^content-encoding: ${coding}$`, 'im'));
    assert.match(head, new RegExp(`^content-length: ${body.length}$`, 'im'));
    assert.match(head, /^vary: .*accept-encoding/im);
    assert.ok(decode(body).equals(Buffer.from(text)));
    tags.add(/^etag: (.*)$/im.exec(head)?.[1] ?? '');
  }
  assert.equal(tags.size, 3);
  for (const tag of tags) {
    assert.match(tag ?? '', /^"[\w-]+"$/);
    for (const condition of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(PROGRAM, { 'if-none-match': condition ?? '' });
      assert.deepEqual([again.status, await again.text()], [304, ''], condition ?? '');
    }
  }
  assert.equal((await get(PROGRAM, { 'if-none-match': '"other"' })).status, 200);
});

test('the script may be cached for a day, and for a year at the address that the reference uses', async () => {
  const html = await (await get('/reference/interactive')).text();
  const [, address = ''] = /<script src="([^"]+)">/.exec(html) ?? [];
  assert.ok(address.startsWith(`${PROGRAM}?`));
  assert.equal((await get(address)).headers.get('cache-control'), 'public, max-age=31536000, immutable');
  for (const other of [PROGRAM, `${PROGRAM}?v=older`])
    assert.equal((await get(other)).headers.get('cache-control'), 'public, max-age=86400, immutable');
  // The page itself is revalidated at each use, so that it links the newest script.
  assert.equal((await get('/reference/interactive')).headers.get('cache-control'), 'no-cache');
});

test('a client that reads none of its responses is disconnected', async () => {
  const { hostname, port } = new URL(platform.url);
  const socket = connect(Number(port), hostname).pause();
  const isOver = new Promise<string>((resolve) => {
    socket.once('error', () => resolve('cut off'));
    socket.once('close', () => resolve('cut off'));
    setTimeout(() => resolve('still open'), PATIENCE_MS).unref();
  });
  // Several responses of four megabytes exceed the buffers of the operating system.
  socket.write(`GET ${PROGRAM} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(4));
  // A client that does not read notices the end of its connection only by writing.
  const knocking = setInterval(() => socket.write('\r\n'), 100);
  try {
    assert.equal(await isOver, 'cut off');
  } finally {
    clearInterval(knocking);
    socket.destroy();
  }
});

test('every page has a language, a title, a viewport and one main element, and browsers find an icon', async () => {
  const sandbox = [...PAGES.map(({ path }) => path), '/live', '/paid'];
  const addresses = [
    ...['/', '/reference', '/reference/live', `/certificates/${'f'.repeat(24)}`].map(
      (path) => platform.url + path,
    ),
    ...sandbox.map((path) => platform.sandboxUrl + path),
  ];
  for (const address of addresses) {
    const html = await (await fetch(address)).text();
    assert.match(html, /^<!doctype html>\s*<html lang="en">/i, address);
    assert.match(html, /<title>[^<]+<\/title>/, address);
    assert.match(html, /<meta name="viewport" content="width=device-width, initial-scale=1">/, address);
    assert.equal(html.match(/<main\b/g)?.length, 1, address);
    if (!address.includes('/certificates/')) assert.match(html, /<link rel="icon" href="[^"]+">/, address);
  }
  const icon = await fetch(`${platform.sandboxUrl}/favicon.ico`);
  assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml']);
});

test('each page of the sandbox links to all others, and one lists every control', async () => {
  for (const { path } of PAGES) {
    const html = await (await fetch(platform.sandboxUrl + path)).text();
    for (const other of PAGES)
      assert.ok(html.includes(`<a href="${other.path}"`), `${path} to ${other.path}`);
    assert.ok(html.includes(`<a href="${path}" aria-current="page">`), path);
  }
  const sources = globSync('src/sandbox/**/*.ts').map((file) => readFileSync(file, 'utf8'));
  const routes = sources.flatMap((source) =>
    [...source.matchAll(/\bapp\s*\.(get|post|put|delete)(?:<[^(]*>)?\(\s*'(\/control\/[^']+)'/g)].map(
      ([, method, path]) => `${method?.toUpperCase()} ${path}`,
    ),
  );
  assert.deepEqual(routes.sort(), Object.keys(CONTROLS).sort());
});

test('the contents of the reference lead to each of their parts, whose ids and names are unique', async () => {
  const html = await (await get('/reference')).text();
  const found = (pattern: RegExp) => [...html.matchAll(pattern)].map(([, text]) => text);
  const ids = found(/ id="([^"]+)"/g);
  const regions = found(/ aria-label="([^"]+)"/g);
  for (const names of [ids, regions]) assert.deepEqual(names, [...new Set(names)]);
  for (const link of found(/ href="#([^"]+)"/g)) assert.ok(ids.includes(link), link);
  for (const id of ['getting-started', 'conventions', 'wallet'])
    assert.ok(html.includes(`href="#${id}"`), id);
  assert.match(html, /<meta name="description" content="[^"]+">/);
  const viewer = await (await get('/reference/interactive')).text();
  assert.notEqual(/<title>[^<]+/.exec(viewer)?.[0], /<title>[^<]+/.exec(html)?.[0]);
});

test('addresses that people and browsers often guess lead to a page', async () => {
  const docs = await fetch(`${platform.url}/docs`, { redirect: 'manual' });
  assert.deepEqual([docs.status, docs.headers.get('location')], [302, '/reference']);
  assert.equal((await get('/favicon.ico')).headers.get('content-type'), 'image/svg+xml');
  const home = await (await get('/')).text();
  for (const link of ['/reference', '/reference/live', platform.sandboxUrl])
    assert.ok(home.includes(`<a href="${link}">`), link);
});

test('pages count against the allowance of their address, files against a larger one, probes against none', async () => {
  const ms = Date.parse('2030-01-01T00:00:20.000Z');
  platform.clock.now = () => ms;
  const leftAfter = async (path: string) => {
    const { headers, body } = await get(path);
    await body?.cancel();
    return [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')];
  };
  const pages = [
    '/',
    '/reference',
    '/reference/interactive',
    PROGRAM,
    '/reference/live',
    '/openapi.json',
    '/asyncapi.json',
    '/metrics',
    '/v1/live',
    `/certificates/${'f'.repeat(24)}`,
    '/media/v/a-forged-link/0/master.m3u8',
  ];
  for (const [place, path] of pages.entries())
    assert.deepEqual(await leftAfter(path), ['600', String(599 - place)], path);
  assert.deepEqual(await leftAfter('/media/files/image/x'), ['12000', '11999']);
  assert.deepEqual(await leftAfter('/health/live'), ['2147483647', '2147483647']);

  for (let left = 600 - pages.length; left > 0; left--) await (await get('/', {})).body?.cancel();
  for (const path of pages) {
    const { status, headers, body } = await get(path);
    await body?.cancel();
    assert.deepEqual([status, headers.get('retry-after')], [429, '40'], path);
  }
  // An address that has used up its allowance can still request probes and pictures, and use a key.
  for (const path of ['/health/live', '/health/ready']) assert.equal((await get(path)).status, 200, path);
  assert.equal((await get('/media/files/image/x')).status, 404);
  const { status } = await (await platform.signInAdmin()).call(listWithdrawals);
  assert.equal(status, 200);
});
