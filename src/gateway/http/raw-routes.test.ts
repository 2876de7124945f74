import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import type { RawRoute } from '../../kernel/operations/raw-routes.ts';
import { addPage } from './pages.ts';
import { rawPage } from './raw-routes.ts';

/** Serves a route at `/raw` until the test ends. */
async function serving(handle: RawRoute['handle'], context: TestContext) {
  const app = Fastify();
  addPage(app, rawPage({ path: '/raw', handle }));
  context.after(() => app.close());
  return app.listen({ port: 0, host: '127.0.0.1' }).then(() => (app.server.address() as AddressInfo).port);
}

test('a response reports its end once', async (context) => {
  const methods = ['GET', 'HEAD', 'GET'];
  const sent: string[] = [];
  const all = Promise.withResolvers<void>();
  const port = await serving(
    async ({ method }) => ({
      status: 200,
      headers: { 'content-length': '4' },
      body: Buffer.from('body'),
      onSent: () => {
        sent.push(method);
        if (sent.length === methods.length) all.resolve();
      },
    }),
    context,
  );
  for (const method of methods) {
    const response = await fetch(`http://127.0.0.1:${port}/raw`, { method });
    assert.equal(await response.text(), method === 'GET' ? 'body' : '');
  }
  await all.promise;
  assert.deepEqual(sent, methods);
});

test('a response to a disconnected client counts as ended', async (context) => {
  for (const isReady of [false, true]) {
    const asked = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const sent = Promise.withResolvers<void>();
    const port = await serving(async () => {
      asked.resolve();
      if (!isReady) await gone.promise;
      return {
        status: 200,
        headers: {},
        body: Buffer.alloc(64 * 1024 * 1024),
        onSent: sent.resolve,
      };
    }, context);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /raw HTTP/1.1\r\nhost: test\r\n\r\n');
    await asked.promise;
    if (isReady) await once(socket, 'readable');
    socket.destroy();
    await once(socket, 'close');
    // By now the server knows, as another exchange over a later connection shows.
    const other = connect(port, '127.0.0.1');
    other.write('GET /nothing HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n');
    await once(other.resume(), 'close');
    gone.resolve();
    await sent.promise;
  }
});
