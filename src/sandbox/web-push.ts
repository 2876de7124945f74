import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { importJWK, jwtVerify } from 'jose';
import { Type } from 'typebox';
import { type Clock, DAY_MS, SECOND_MS } from '../kernel/time/time.ts';
import type { Pushes } from './push.ts';
import { taking } from './taking.ts';

const CURVE = 'prime256v1';

interface Subscription {
  pair: ReturnType<typeof createECDH>;
  auth: Buffer;
}

interface WebPushParts extends Pushes {
  ownUrl: () => string;
  clock: Clock;
}

/**
 * Adds a browser and its push service in one (RFC 8030, 8291, 8292). `POST /control/web-push` subscribes as a browser
 * would and returns the JSON of the subscription. Received pushes are checked, decrypted and shown at `/push`.
 */
export function addWebPush(app: FastifyInstance, { ownUrl, clock, mode, take }: WebPushParts): void {
  const subscriptions = new Map<string, Subscription>();

  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
  const subscribe = taking(Type.Object({}), () => {
    const id = randomBytes(12).toString('hex');
    const pair = createECDH(CURVE);
    const p256dh = pair.generateKeys('base64url');
    const auth = randomBytes(16);
    subscriptions.set(id, { pair, auth });
    const endpoint = `${ownUrl()}/web-push/${id}`;
    return { endpoint, expirationTime: null, keys: { p256dh, auth: auth.toString('base64url') } };
  });
  app.post('/control/web-push', subscribe);
  app.delete<{ Params: { id: string } }>('/control/web-push/:id', async ({ params }) => ({
    gone: subscriptions.delete(params.id),
  }));

  app.post<{ Params: { id: string }; Body: Buffer }>('/web-push/:id', async (request, reply) => {
    if (mode() === 'fail') return reply.code(503).type('text/plain').send('failing on request');
    if (mode() === 'hang') return new Promise(() => undefined);
    const { headers, params, body } = request;
    const identified = await isIdentified(headers.authorization ?? '', ownUrl(), clock);
    if (!identified) return reply.code(403).type('text/plain').send('VAPID is wrong');
    const subscription = subscriptions.get(params.id);
    if (!subscription) return reply.code(410).type('text/plain').send('gone');
    if (headers['content-encoding'] !== 'aes128gcm' || !headers.ttl)
      return reply.code(400).type('text/plain').send('no encryption, or no TTL');
    if (body.length > 4096) return reply.code(413).type('text/plain').send('too long');
    const { title, body: text, data, ...web } = JSON.parse(decrypt(body, subscription).toString('utf8'));
    take({
      token: `${ownUrl()}${request.url}`,
      notification: { title, body: text },
      data,
      webpush: { notification: web },
    });
    return reply.code(201).send();
  });
}

/** Whether the request has a signed token for this origin, by the key that it presents (RFC 8292). */
async function isIdentified(authorization: string, origin: string, clock: Clock): Promise<boolean> {
  const [, token, key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? [];
  if (!token || !key) return false;
  const point = Buffer.from(key, 'base64url');
  try {
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'));
    const publicKey = await importJWK(
      { kty: 'EC', crv: 'P-256', x: x as string, y: y as string, alg: 'ES256' },
      'ES256',
    );
    const { payload } = await jwtVerify(token, publicKey, { audience: origin, currentDate: clock.date() });
    return payload.sub !== undefined && (payload.exp ?? 0) * SECOND_MS < clock.now() + DAY_MS;
  } catch {
    return false;
  }
}

/** Decrypts a message as its receiver (RFC 8291). */
function decrypt(message: Buffer, { pair, auth }: Subscription): Buffer {
  const salt = message.subarray(0, 16);
  const length = message[20] as number;
  const theirs = message.subarray(21, 21 + length);
  const sealed = message.subarray(21 + length);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs]);
  const shared = Buffer.from(hkdfSync('sha256', pair.computeSecret(theirs), auth, info, 32));
  const key = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: aes128gcm\0', 16));
  const nonce = Buffer.from(hkdfSync('sha256', shared, salt, 'Content-Encoding: nonce\0', 12));
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2));
}
