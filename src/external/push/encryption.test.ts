import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secretsOf } from '../../kernel/secrets.ts';
import { encryptPush } from './encryption.ts';
import { areKeysOfABrowser, isPushEndpoint, vapidKeysOf } from './web-push.ts';

const p256dh = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4';
const auth = 'BTBZMqHH6r4Tts7J_aSIgg';
const bytes = (text: string): Buffer => Buffer.from(text, 'base64url');

test('push encryption reproduces the example of RFC 8291, appendix A', () => {
  const message = encryptPush(
    Buffer.from('When I grow up, I want to be a watermelon'),
    { p256dh, auth },
    {
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    },
  );
  assert.equal(
    message.toString('base64url'),
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('malformed subscription keys are distinguished from those of a browser', () => {
  assert.equal(areKeysOfABrowser({ p256dh, auth }), true);
  assert.equal(areKeysOfABrowser({ p256dh, auth: 'c2hvcnQ' }), false);
  assert.equal(areKeysOfABrowser({ p256dh: p256dh.slice(0, -2), auth }), false);
  assert.equal(areKeysOfABrowser({ p256dh: Buffer.alloc(65, 4).toString('base64url'), auth }), false);
  assert.equal(areKeysOfABrowser({ p256dh: '', auth: '' }), false);
});

test('only known push services are called', () => {
  const services = ['web.push.apple.com', '*.notify.windows.com', 'http://127.0.0.1:3001'];
  const isOne = (endpoint: string) => isPushEndpoint(endpoint, services);
  for (const endpoint of [
    'https://web.push.apple.com/QGuQ',
    'https://db5p.notify.windows.com/w/?token=x',
    'http://127.0.0.1:3001/web-push/1',
  ])
    assert.equal(isOne(endpoint), true, endpoint);
  for (const endpoint of [
    'http://web.push.apple.com/QGuQ',
    'https://web.push.apple.com:8443/',
    'https://web.push.apple.com.example.com/',
    'https://web.push.apple.com@169.254.169.254/latest',
    'https://user:pass@web.push.apple.com/',
    'https://notify.windows.com/',
    'https://evilnotify.windows.com/',
    'http://127.0.0.1:3002/web-push/1',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    'nonsense',
    'https://web.push.apple.com//169.254.169.254/latest',
    'https://web.push.apple.com/\\169.254.169.254/latest',
    'https:/\\web.push.apple.com/x',
    'https:web.push.apple.com/x',
    'HTTPS://WEB.PUSH.APPLE.COM/x',
    'https://web.push.apple.com:443/x',
    'https://web.push.apple.com./x',
    'https://web.push.apple.com/x#fragment',
    'https://web.push.apple.com/a/../b',
    ' https://web.push.apple.com/x',
    'https://web.push.apple.com/x\n',
    'https://web.push.\tapple.com/x',
    'https://@web.push.apple.com/x',
    'https://.notify.windows.com/x',
    'https://x.notify.windows.com:444/x',
    'blob:http://127.0.0.1:3001/x',
    'http://127.0.0.1:3001@169.254.169.254/',
    `https://web.push.apple.com/${'x'.repeat(2048)}`,
  ])
    assert.equal(isOne(endpoint), false, endpoint);
});

test('the VAPID key pair is derived from the secret key', () => {
  assert.deepEqual(vapidKeysOf(secretsOf(['a secret'])), vapidKeysOf(secretsOf(['a secret'])));
  assert.notDeepEqual(vapidKeysOf(secretsOf(['a secret'])), vapidKeysOf(secretsOf(['another'])));
  assert.equal(bytes(vapidKeysOf(secretsOf(['a secret'])).publicKey).length, 65);
});
