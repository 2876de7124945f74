import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startPlatform } from '../../../test/support/platform.ts';

const platform = await startPlatform({ CORS_ORIGINS: 'https://app.example.com' });

test('browsers connect from allowed origins, and apps without an origin always', async () => {
  const { hostname, port, host } = new URL(platform.url);
  const statusFrom = async (origin: string | undefined): Promise<string | undefined> => {
    const socket = connect(Number(port), hostname);
    const header = origin === undefined ? '' : `Origin: ${origin}\r\n`;
    socket.write(
      `GET /v1/live HTTP/1.1\r\nHost: ${host}\r\n${header}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    const [chunk] = await once(socket, 'data');
    socket.destroy();
    return String(chunk).split(' ', 2)[1];
  };
  for (const origin of [undefined, 'https://app.example.com', platform.url])
    assert.equal(await statusFrom(origin), '101', origin);
  for (const origin of [
    'https://evil.example.com',
    'null',
    'https://app.example.com.evil.com',
    'http://app.example.com',
  ])
    assert.equal(await statusFrom(origin), '403', origin);
});
