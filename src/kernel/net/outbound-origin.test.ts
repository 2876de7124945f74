import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { isPushEndpoint, vapidKeysOf, webPush } from '../../external/push/web-push.ts';
import { secretsOf } from '../secrets.ts';
import { systemClock } from '../time/time.ts';
import { ExternalFault, outboundClient } from './outbound.ts';

/** Starts a server that counts requests and redirects as configured. */
async function counting(redirectTo?: () => string) {
  let hits = 0;
  const server = createServer((_request, response) => {
    hits++;
    response.writeHead(redirectTo ? 307 : 200, redirectTo && { location: redirectTo() }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `http://127.0.0.1:${port}`, hits: () => hits };
}

const meant = await counting();
const victim = await counting();
const redirecting = await counting(() => `${victim.url}/stolen`);

const hosts = [`127.0.0.1:${victim.port}`, `localhost:${victim.port}`, `2130706433:${victim.port}`];
const piece = fc.constantFrom(
  ...['/', '//', '\\', '/\\', '\t', '\n', '\r', ' ', '@', ':', '?', '#', '%2f', '%5c', '..', '.', ';'],
  ...['http:', 'https:', 'hTTp:', 'blob:', 'ftp:', 'data:', 'user:password@', 'x', `:${victim.port}`],
  ...hosts,
  ...[`127.0.0.1:${meant.port}`, `http://127.0.0.1:${meant.port}`, `//127.0.0.1:${meant.port}@`],
);
const hostilePath = fc.array(piece, { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join(''));

test('no path makes a client call another origin', async () => {
  const call = outboundClient({ baseUrl: `${meant.url}/base/`, retries: 0, timeoutMs: 30_000 });
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(hostilePath, async (path) => {
      await call({ method: 'GET', path }).catch((error) => {
        assert.ok(error instanceof ExternalFault, String(error));
        refused++;
      });
      assert.equal(victim.hits(), 0, JSON.stringify(path));
    }),
    {
      numRuns: 3000,
      examples: [
        `//${hosts[0]}/x`,
        `/\\${hosts[0]}/x`,
        `\\\\${hosts[0]}/x`,
        `http://${hosts[0]}/x`,
        `/\t/${hosts[0]}/x`,
        `\n//${hosts[0]}/x`,
        `blob:http://${hosts[0]}/x`,
        `http:\\\\${hosts[0]}`,
      ].map((path): [string] => [path]),
    },
  );
  assert.ok(refused > 0 && meant.hits() > 0, 'some were refused, and some reached the host that was meant');
});

test('a redirect to another origin is not followed', async () => {
  const call = outboundClient({ baseUrl: redirecting.url, retries: 0, timeoutMs: 30_000 });
  await assert.rejects(call({ method: 'GET', path: '/' }), ExternalFault);
  await assert.rejects(call({ method: 'POST', path: '/', body: { secret: 1 } }), ExternalFault);
  assert.deepEqual([redirecting.hits(), victim.hits()], [2, 0]);
});

test('a client accepts absolute URLs of its own origin', async () => {
  const call = outboundClient({ baseUrl: meant.url, retries: 0, timeoutMs: 30_000 });
  const before = meant.hits();
  await call({ method: 'GET', path: `${meant.url}//x/../y?z` });
  assert.equal(meant.hits(), before + 1);
});

test('no push subscription makes the platform call another host', async () => {
  const services = [meant.url, 'push.example.com'];
  const push = webPush({
    keys: vapidKeysOf(secretsOf(['k'])),
    subject: 'mailto:a@b.test',
    services,
    clock: systemClock,
  });
  const p256dh = vapidKeysOf(secretsOf(['theirs'])).publicKey;
  const keys = { p256dh, auth: Buffer.alloc(16, 1).toString('base64url') };
  const message = { title: 't', body: 'b', data: {} };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('', meant.url), hostilePath, async (start, rest) => {
      const token = start + rest;
      const outcome = await push.send({ token, keys }, message).catch((error: Error) => error.name);
      if (!isPushEndpoint(token, services)) assert.equal(outcome, 'gone', 'never sent');
      assert.equal(victim.hits(), 0, JSON.stringify(token));
    }),
    { numRuns: 2000, examples: [[meant.url, `//${hosts[0]}/x`]] as [string, string][] },
  );
});

test('a client cannot be created for a URL that is not http(s)', () => {
  for (const baseUrl of ['ftp://a.test', 'file:///etc', 'nonsense'])
    assert.throws(() => outboundClient({ baseUrl }));
});
