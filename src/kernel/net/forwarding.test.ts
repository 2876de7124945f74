import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { forwarding } from './forwarding.ts';

const requestFrom = (remoteAddress: string | undefined, forwarded?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage;

test('the client address is the nearest one that is not a trusted proxy', () => {
  const { addressOf } = forwarding(['10.0.0.0/8', '192.0.2.7', 'fd00::/8', '::1'], () => undefined);
  const cases: [peer: string | undefined, forwarded: string | undefined, client: string][] = [
    ['203.0.113.1', undefined, '203.0.113.1'],
    ['203.0.113.1', '198.51.100.1', '203.0.113.1'],
    ['10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
    ['10.1.2.3', 'made-up, 198.51.100.1 ,192.0.2.7', '198.51.100.1'],
    ['::1', '198.51.100.9, 2001:db8::1, fd00::2', '2001:db8::1'],
    ['10.1.2.3', '198.51.100.1, nonsense', 'nonsense'],
    ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
    ['10.1.2.3', '', '10.1.2.3'],
    ['10.1.2.3', ',', ''],
    [undefined, '198.51.100.1', ''],
  ];
  for (const [peer, forwarded, client] of cases)
    assert.equal(addressOf(requestFrom(peer, forwarded)), client, `${peer} ${forwarded}`);
});

test('an untrusted proxy that sends X-Forwarded-For is reported once', () => {
  const addresses: string[] = [];
  const { addressOf, note } = forwarding(['10.0.0.0/8'], (address) => addresses.push(address));
  note(requestFrom('10.1.2.3', '198.51.100.1'));
  note(requestFrom('203.0.113.1'));
  addressOf(requestFrom(undefined, '198.51.100.1'));
  assert.deepEqual(addresses, []);
  note(requestFrom('203.0.113.1', '198.51.100.1'));
  addressOf(requestFrom('203.0.113.2', '198.51.100.1'));
  assert.deepEqual(addresses, ['203.0.113.1']);
});
