import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import {
  convertKeysToMoney,
  createAnnouncement,
  createChatroom,
  createCommunity,
  createIndicator,
  createLivestream,
  createPost,
  createProduct,
  createWebhookEndpoint,
  getProfile,
  listTransactions,
  setPreferences,
  transferKeys,
} from '../../sdk/src/index.ts';
import { newCourse, newEducator } from '../support/courses.ts';
import type { JsonSchema } from '../support/descriptions.ts';
import { SHOWN_LINKS } from '../support/mail-links.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const ada = await platform.newMemberWith(100);
const ben = await platform.newMember();
const OBJECT_ID = '^[0-9a-f]{24}$';

/** Returns the paths of the platform's ids in a shape. */
function idsIn(shape: JsonSchema | undefined, path: string[] = []): string[][] {
  if (shape?.pattern === OBJECT_ID) return [path];
  const fields = Object.entries(shape?.properties ?? {}).flatMap(([name, one]) =>
    idsIn(one, [...path, name]),
  );
  return shape?.items ? [...fields, ...idsIn(shape.items, [...path, '0'])] : fields;
}

/** Returns the smallest valid value of a shape. */
function leastOf(shape: JsonSchema): unknown {
  if (shape.examples) return shape.examples[0];
  if (shape.enum) return shape.enum[0];
  const type = Array.isArray(shape.type) ? shape.type[0] : shape.type;
  if (type === 'object') {
    const { required = [], properties = {} } = shape;
    return Object.fromEntries(required.map((name) => [name, leastOf(properties[name] ?? {})]));
  }
  if (type === 'array') return [leastOf(shape.items ?? {})];
  if (type === 'integer' || type === 'number') return shape.minimum ?? 1;
  return type === 'boolean' ? true : 'x'.repeat(shape.minLength ?? 1);
}

/** Returns a copy of a value with another value at a path, where `0` is the first item of a list. */
function put(value: unknown, [name, ...rest]: string[], to: unknown): unknown {
  if (name === undefined) return to;
  const copy: Record<string, unknown> = { ...(value as object | undefined) };
  copy[name] = put(copy[name], rest, to);
  return name === '0' ? Object.values(copy) : copy;
}

for (const { id, method, path, query, body } of platform.platform.operations) {
  for (const place of idsIn(query as JsonSchema | undefined)) {
    test(`${id}: a malformed ${place} in the query is 400`, async () => {
      const target = await urlOf(path);
      for (const bad of ['x', 'F'.repeat(24), 'f'.repeat(23)]) {
        const answer = await admin.raw(method, `${target}?platform=web&${place}=${bad}`);
        assert.deepEqual([answer.status, answer.body.error], [400, 'INVALID_ID'], bad);
      }
      assert.equal((await admin.raw(method, `${target}?platform=web&${place}=`)).status, 400);
    });
  }
  for (const place of idsIn(body as JsonSchema | undefined)) {
    test(`${id}: a malformed ${place.join('.')} in the body is 400`, async () => {
      const target = await urlOf(path);
      for (const bad of ['x', 'F'.repeat(24), 5, '']) {
        const answer = await admin.raw(method, target, put(leastOf(body as JsonSchema), place, bad));
        assert.deepEqual(
          [answer.status, answer.body.error],
          [400, 'INVALID_ID'],
          JSON.stringify(answer.body),
        );
      }
    });
  }
}

/** Fills a path with the ids of existing records, since 404 takes precedence. */
async function urlOf(path: string): Promise<string> {
  const parameter = /:(\w+)/.exec(path)?.[1];
  if (parameter === undefined) return path;
  if (parameter === 'userId') return path.replace(':userId', ben.id);
  if (parameter === 'educatorId') return path.replace(':educatorId', (await newEducator(platform)).id);
  if (parameter === 'communityId' || parameter === 'postId') {
    const { client } = await newEducator(platform);
    const community = (await client.call(createCommunity, { body: { name: 'Metals' } })).data;
    const params = { communityId: community.id };
    const post = (await client.call(createPost, { params, body: { content: 'Gold' } })).data;
    return path.replace(':communityId', community.id).replace(':postId', post.id);
  }
  if (parameter === 'announcementId') {
    const { id, client } = await newEducator(platform);
    const draft = { title: 'News', content: 'Today.' };
    const { data } = await client.call(createAnnouncement, { params: { educatorId: id }, body: draft });
    return path.replace(':announcementId', data.id);
  }
  if (parameter === 'lessonId') return path.replace(':lessonId', (await newCourse(platform)).lessons[0].id);
  if (parameter === 'courseId') return path.replace(':courseId', (await newCourse(platform)).course.id);
  if (parameter === 'id' && path.includes('webhook-endpoints')) {
    const { data } = await admin.call(createWebhookEndpoint, { body: { url: 'https://example.com/hook' } });
    return path.replace(':id', data.id);
  }
  if (parameter === 'id') {
    const created = path.includes('/products/')
      ? await admin.call(createProduct, { body: { name: 'Gold', productType: 'misc' } })
      : await admin.call(createIndicator, { body: { name: 'Gold' } });
    return path.replace(':id', created.data.id);
  }
  const created =
    parameter === 'livestreamId'
      ? await admin.call(createLivestream, {
          body: {
            title: 'Gold',
            scheduledStart: '2030-01-01T10:00Z',
            scheduledEnd: '2030-01-01T11:00Z',
          },
        })
      : await admin.call(createChatroom, { body: { name: 'Gold', type: 'group' } });
  return path.replace(`:${parameter}`, created.data.id);
}

test('empty query values are refused by every operation', async () => {
  for (const { id, method, path, query } of platform.platform.operations) {
    if (method !== 'GET' || path.includes(':') || SHOWN_LINKS.includes(id)) continue;
    for (const name of Object.keys(query?.properties ?? {})) {
      const { status, body } = await admin.raw('GET', `${path}?${name}=`);
      assert.ok(status === 422 || status === 400, `${id} ${name} ${status}`);
      if (status === 422)
        assert.ok(
          body.errors?.some(({ field }) => field === name),
          `${id} ${name}`,
        );
    }
  }
  const ending = await admin.raw('DELETE', `/v1/admin/auth/users/${ben.id}/sessions?platform=`);
  assert.ok(ending.status >= 400);
  assert.equal((await ben.client.call(getProfile)).status, 200, 'no session was ended');
});

test('null counts as absent for optional fields and as a fault for required ones', async () => {
  const nulls: object = { description: null, metadata: null };
  const { data } = await ada.client.call(transferKeys, { body: { toUserId: ben.id, amount: 1, ...nulls } });
  const [stored] = (await ada.client.call(listTransactions)).data;
  assert.deepEqual([stored?.transactionId, stored?.metadata], [data.transaction.transactionId, {}]);
  const currency: object = { currency: null };
  const converted = await ada.client.call(convertKeysToMoney, { body: { keys: 5, ...currency } });
  assert.equal(converted.data.currency, 'USD', 'a field with a default is optional, too');
  const missing = await admin.raw('POST', '/v1/admin/api-keys', { name: null, tier: 'crm' });
  assert.deepEqual([missing.status, missing.body.errors?.[0]?.field], [422, 'name']);
  const transfer = { toUserId: ben.id, amount: 1, metadata: { campaign: null } };
  await ada.client.call(transferKeys, { body: transfer });
  const [storedTransfer] = (await ada.client.call(listTransactions)).data;
  assert.deepEqual(
    storedTransfer?.metadata,
    { campaign: null },
    'null within the metadata of clients is kept',
  );
  const more: object = { types: null };
  const nested = await ben.client.call(setPreferences, {
    body: { preferences: { email: { enabled: false, ...more }, ...({ push: null } as object) } },
  });
  assert.equal(nested.data.preferences.email.enabled, false);
});

test('an Idempotency-Key is 400 with a space inside, and when it is sent twice', async () => {
  const body = { toUserId: ben.id, amount: 1 };
  for (const key of ['a b', 'a, b', '"a b"', '""', 'a\tb']) {
    const answer = await ada.client.with({ 'idempotency-key': key }).attempt(transferKeys, { body });
    assert.deepEqual([answer.status, answer.body.error], [400, 'INVALID_IDEMPOTENCY_KEY'], key);
  }
  const text = JSON.stringify(body);
  const headers = {
    ...ada.client.headers,
    'content-type': 'application/json',
    'content-length': text.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const twice = 'idempotency-key: k1\r\nidempotency-key: k1\r\n';
  const answer = await exchange(
    `POST /v1/wallets/transfer HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${twice}${lines.join('')}\r\n${text}`,
  );
  assert.match(answer, /^HTTP\/1\.1 400 /);
  assert.match(answer, /INVALID_IDEMPOTENCY_KEY/);
});

function exchange(text: string): Promise<string> {
  const { hostname, port } = new URL(platform.url);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => socket.write(text));
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(received));
  });
}

test('unknown fields do not affect the comparison of idempotent requests', async () => {
  const client = ada.client.with({ 'idempotency-key': `unknown-${Date.now()}` });
  const body = { toUserId: ben.id, amount: 1 };
  const first = await client.call(transferKeys, { body });
  const additions: object[] = [{ clientVersion: '2.1' }, { description: null }, { nonsense: { deep: [1] } }];
  for (const more of additions) {
    const again = await client.call(transferKeys, { body: { ...more, ...body } });
    assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [201, 'true']);
    assert.equal(again.data.transaction.transactionId, first.data.transaction.transactionId);
  }
  assert.equal((await client.attempt(transferKeys, { query: { x: '1' }, body })).status, 422);
  const other = await client.attempt(transferKeys, { body: { ...body, metadata: { clientVersion: '2.1' } } });
  assert.deepEqual([other.status, other.body.error], [422, 'IDEMPOTENCY_KEY_REUSED']);
});
