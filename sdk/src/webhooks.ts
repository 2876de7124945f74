import type { PublicEvent } from './generated/wire.ts';
import { host } from './host.ts';

/** The body of a webhook: an event, whose `type` determines its `data`, and its number at this endpoint. */
export type Webhook = PublicEvent & { sequence: number };

/** The headers of a request: an object of Node, `Headers`, or a function that returns one by name. */
export type WebhookHeaders =
  | Record<string, string | string[] | undefined>
  | { get(name: string): string | null };

/** Maximum difference between the clocks of sender and receiver. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Checks the signature of a webhook (Standard Webhooks) and returns its parsed body. Throws if it is not genuine,
 * or more than five minutes old or ahead. `rawBody` is the body as received, before any parsing. Several secrets
 * may be given: while one is being replaced, both are valid. Throws a TypeError for a body that was parsed already, and
 * for a missing secret.
 */
export async function verifyWebhook<Event = Webhook>(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | string[],
  nowMs: number = Date.now(),
): Promise<Event> {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody))
    throw new TypeError('The body of a webhook must be given as it was received, as text or bytes');
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  if (!id || !timestamp || !signatures) throw new Error('A header of the webhook is missing');
  // Not Number(): it would take '', spaces, '1e9' and '0x1'.
  if (!/^\d{1,12}$/.test(timestamp)) throw new Error('The timestamp of the webhook is malformed');
  // A `nowMs` that is no number is refused, too.
  if (!(Math.abs(nowMs / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new Error('The webhook is too old, or from the future');
  const body = typeof rawBody === 'string' ? new host.TextEncoder().encode(rawBody) : rawBody;
  const head = new host.TextEncoder().encode(`${id}.${timestamp}.`);
  const signed = new Uint8Array(head.length + body.length);
  signed.set(head);
  signed.set(body, head.length);
  const given = signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .map((one) => bytesOf(one.slice(3)));
  let isGenuine = false;
  // All signatures are compared, so that the time does not reveal which one matches.
  for (const secret of [secrets].flat()) {
    if (typeof secret !== 'string') throw new TypeError('The secret of webhooks is missing');
    const key = bytesOf(secret.replace(/^whsec_/, ''));
    if (key.length === 0) throw new Error('A secret of webhooks is `whsec_` and base64');
    const expected = await hmac(key, signed);
    for (const one of given) isGenuine = isSame(expected, one) || isGenuine;
  }
  if (!isGenuine) throw new Error('The signature of the webhook is wrong');
  return JSON.parse(new host.TextDecoder().decode(body)) as Event;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  // A header that came twice: several signatures stand side by side, a second id or timestamp is malformed.
  return [found].flat().join(' ') || undefined;
}

async function hmac(key: Uint8Array, data: Uint8Array): Promise<Uint8Array> {
  const { subtle } = host.crypto ?? {};
  if (!subtle) throw new Error('There is no WebCrypto here to check signatures with');
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await subtle.sign('HMAC', imported, data));
}

/** Compares in a time that depends only on the length. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let place = 0; place < a.length; place++) difference |= (a[place] as number) ^ (b[place] ?? 0);
  return difference === 0;
}

/** Returns an empty array for invalid base64; it matches no signature. */
function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(host.atob?.(base64) ?? '', (letter) => letter.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
