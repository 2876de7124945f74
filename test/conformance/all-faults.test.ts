// What only an operation finds wrong, such as a contradiction of two fields, is named with what its shapes refuse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assignPermissions, createCourse, createLivestream, updateCourse } from '../../sdk/src/index.ts';
import { newEmail } from '../support/client.ts';
import { newCourse } from '../support/courses.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform();
const { admin } = platform;
const HOUR_MS = 3_600_000;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

/** Sends a request, as an administrator unless a client is given; returns its status and the fields that it names, in order. */
async function faultsOf(
  method: string,
  path: string,
  body?: object,
  headers = {},
  client = admin,
): Promise<unknown[]> {
  const answer = await client.with(headers).raw(method, path, body);
  return [answer.status, ...(answer.body.errors ?? []).map(({ field }) => field).sort()];
}

test('faults between fields are named with those of single fields, also under an Idempotency-Key', async () => {
  const times = { scheduledStart: at(2 * HOUR_MS), scheduledEnd: at(HOUR_MS) };
  for (const [path, body, ...fields] of [
    ['/v1/courses', { level: 'x', price: 1.005, currency: 'zz' }, 'currency', 'level', 'price', 'title'],
    ['/v1/courses', { price: 1.5 }, 'price', 'title'],
    ['/v1/livestreams', times, 'scheduledEnd', 'title'],
    [
      '/v1/streams/marketplace/products',
      { productType: 'scanner', ctaType: 'link' },
      'ctaType',
      'ctaUrl',
      'name',
    ],
    ['/push-notifications/register', {}, 'platform', 'token'],
  ] as [string, object, ...string[]][])
    for (const headers of [{}, { 'idempotency-key': `faults of ${path} ${fields}`.replaceAll(' ', '-') }])
      assert.deepEqual(await faultsOf('POST', path, body, headers), [422, ...fields], path);
});

test('each of these faults is also refused alone', async () => {
  for (const [path, body, field] of [
    ['/v1/courses', { title: 'Gold', price: 1.5 }, 'price'],
    ['/v1/courses', { title: 'Gold', currency: 'zz' }, 'currency'],
    ['/v1/courses', { title: 'Gold', currency: 'USD', price: 1.005 }, 'price'],
    [
      '/v1/livestreams',
      { title: 'Gold', scheduledStart: at(2 * HOUR_MS), scheduledEnd: at(HOUR_MS) },
      'scheduledEnd',
    ],
    ['/push-notifications/register', { platform: 'web' }, 'token'],
  ] as [string, object, string][])
    assert.deepEqual(await faultsOf('POST', path, body), [422, field], path);
  const made = await admin.call(createCourse, { body: { title: 'Gold', price: 5 } });
  const streams = { title: 'Gold', scheduledStart: at(HOUR_MS), scheduledEnd: at(2 * HOUR_MS) };
  assert.equal((await admin.call(createLivestream, { body: streams })).status, 201);
  const path = `/v1/courses/${made.data.id}`;
  assert.deepEqual(await faultsOf('PUT', path, { price: 1.5, level: 'x' }), [422, 'level', 'price']);
  const inDollars = { params: { courseId: made.data.id }, body: { currency: 'USD' } };
  await admin.call(updateCourse, inDollars);
  assert.deepEqual(
    await faultsOf('PUT', path, { price: 1.5, level: 'x' }),
    [422, 'level'],
    'it costs dollars',
  );
});

test('a period that ends before it begins is named with other faults of a query', async () => {
  for (const [path, from, to] of [
    ['/v1/wallets/transactions', 'startDate', 'endDate'],
    ['/v1/wallets/admin/transactions', 'from', 'to'],
    ['/v1/admin/auth/users', 'createdFrom', 'createdTo'],
  ]) {
    const period = `${from}=2026-02-02&${to}=2026-02-01`;
    assert.deepEqual(await faultsOf('GET', `${path}?${period}`), [422, from], path);
    assert.deepEqual(
      await faultsOf('GET', `${path}?${period}&limit=0`),
      [422, ...[from, 'limit'].sort()],
      path,
    );
    assert.deepEqual(await faultsOf('GET', `${path}?${from}=2026-02-02&${to}=2026-02-02`), [200], 'one day');
    assert.deepEqual(await faultsOf('GET', `${path}?${from}=soon&${to}=2026-02-02`), [422, from]);
  }
});

test('an invalid profile of an educator is 400, as the specification says, and names what is wrong', async () => {
  const ada = await platform.newMember();
  await admin.call(assignPermissions, { params: { userId: ada.id }, body: { permissions: ['educator'] } });
  const path = `/v1/educators/${ada.id}/profile`;
  const patch = (to: string, body: object) => faultsOf('PATCH', to, body, {}, ada.client);
  for (const [body, ...fields] of [
    [{ specialty: 5, skills: 'x' }, 'skills', 'specialty'],
    [{ specialty: 'Gold', skills: 'x' }, 'skills'],
    [{}],
  ] as [object, ...string[]][])
    assert.deepEqual(await patch(path, body), [400, ...fields], JSON.stringify(body));
  assert.deepEqual(await patch(`${path}?x=1`, { specialty: 'Gold' }), [422, 'x']);
});

test('a fault that has a failure of its own is named with every other fault', async () => {
  const names = { firstName: '', lastName: 7 };
  for (const [path, body, ...fields] of [
    ['/v1/auth/signin', {}, 'email', 'password', 'platform'],
    [
      '/v1/auth/signup',
      { ...names, platform: 'z' },
      'email',
      'firstName',
      'lastName',
      'password',
      'platform',
    ],
    ['/v1/auth/signup', names, 'email', 'firstName', 'lastName', 'password', 'platform'],
  ] as [string, object, ...string[]][])
    assert.deepEqual(await faultsOf('POST', path, body), [400, ...fields], path);
  const product = { name: '', productType: 'misc', scannerId: 'zz', ctaType: 'link' };
  assert.deepEqual(
    await faultsOf('POST', '/v1/streams/marketplace/products', product, {}, admin),
    [400, 'ctaUrl', 'name', 'scannerId'],
    'also with those that only the operation finds',
  );
  const query = '/v1/notifications?before=x&read=perhaps';
  assert.deepEqual(await faultsOf('GET', query), [400, 'before', 'read']);
});

test('faults within one field are all named, each once', async () => {
  const { owner, lessons } = await newCourse(platform);
  const question = { text: 'Up?', options: ['Yes', 'No'], correct: [0] };
  const { text: _, ...untitled } = question;
  const quiz = {
    passingScore: 50,
    questions: [
      { ...untitled, correct: [7] },
      { ...question, correct: [9, 'x'] },
      { ...question, options: [''], correct: [5] },
      'no question',
      { ...question, correct: [3] },
    ],
  };
  const path = `/v1/lessons/${lessons[0].id}/quiz`;
  assert.deepEqual(await faultsOf('PUT', path, quiz, {}, owner.client), [
    422,
    'questions.0.correct',
    'questions.0.text',
    'questions.1.correct',
    'questions.1.correct.1',
    'questions.2.options',
    'questions.2.options.0',
    'questions.3',
    'questions.4.correct',
  ]);
  const announcements = `/v1/educators/${owner.id}/announcements`;
  const one = { title: 'Gold', content: 'Up.' };
  const multimedia = [
    { type: 'painting', url: 'http://a.example/1' },
    { type: 'image', url: 'http://a.example/2' },
    { type: 'image', url: 7 },
  ];
  assert.deepEqual(await faultsOf('POST', announcements, { ...one, multimedia }, {}, owner.client), [
    422,
    'multimedia.0.type',
    'multimedia.0.url',
    'multimedia.1.url',
    'multimedia.2.url',
  ]);
  const requestFields = [{ label: '', type: 'select' }, { label: 'Why?', type: 'select' }, { label: 'How?' }];
  const product = { name: 'A talk', productType: 'scanner', ctaType: 'form', requestFields };
  assert.deepEqual(await faultsOf('POST', '/v1/streams/marketplace/products', product), [
    422,
    'requestFields.0.label',
    'requestFields.0.options',
    'requestFields.1.options',
  ]);
  const old = '2020-01-01T00:00:00Z';
  const events = [{ eventName: 'a.b', eventType: 'x', timestamp: old }, { timestamp: old }];
  const tracked = await faultsOf('POST', '/v1/analytics/track/bulk', { events });
  assert.deepEqual(tracked, [
    422,
    'events.0.timestamp',
    'events.1.eventName',
    'events.1.eventType',
    'events.1.timestamp',
  ]);
});

test('a body with more faults than are named is refused like any other', async () => {
  const { owner, lessons } = await newCourse(platform, { lessons: 1 });
  const events = [...Array(60).fill({}), { timestamp: 5 }];
  const wrong = { text: '', options: Array(10).fill(''), correct: Array(10).fill(-1) };
  const questions = [...Array(12).fill(wrong), { text: 'x', options: ['a', 'b'], correct: 5 }];
  for (const [method, path, body] of [
    ['POST', '/v1/analytics/track/bulk', { events }],
    ['PUT', `/v1/lessons/${lessons[0].id}/quiz`, { passingScore: 50, questions }],
  ] as [string, string, object][]) {
    const [status, ...fields] = await faultsOf(method, path, body, {}, owner.client);
    assert.deepEqual([status, fields.length], [422, 100], path);
  }
});

test('a file that is announced is refused with everything that is wrong with it', async () => {
  const { owner, lessons } = await newCourse(platform);
  for (const path of [
    `/v1/lessons/${lessons[0].id}/request-upload-url`,
    `/v1/educators/${owner.id}/uploads/presign`,
    '/v1/streams/marketplace/products/uploads/presign',
    '/v1/user/uploads/presign',
  ]) {
    const client = path.includes('marketplace') ? admin : owner.client;
    const presign = (body: object) => faultsOf('POST', path, { fileSize: 1e15, ...body }, {}, client);
    assert.deepEqual(await presign({ fileName: '' }), [422, 'contentType', 'fileName', 'fileSize'], path);
    const typed = { contentType: path.includes('request') ? 'video/mp4' : 'image/png' };
    assert.deepEqual(await presign({ fileName: '', ...typed }), [422, 'fileName', 'fileSize'], path);
    assert.deepEqual(await presign({ fileName: 'a', contentType: 'x/y' }), [422, 'contentType', 'fileSize']);
    assert.deepEqual(await presign({ fileName: 'a', ...typed }), [422, 'fileSize'], path);
  }
});

test('a value beyond a limit is told the limit in plain words', async () => {
  const body = {
    email: newEmail(),
    firstName: 'A'.repeat(101),
    lastName: 'L',
    platform: 'web',
    password: 'x',
  };
  const { errors = [] } = (await platform.client.raw('POST', '/v1/auth/signup', body)).body;
  assert.deepEqual(errors.map(({ field, message }) => `${field} ${message}`).sort(), [
    'firstName must have at most 100 characters',
    'password must have at least 8 characters',
  ]);
  const page = (await admin.raw('GET', '/v1/courses?page=0')).body.errors;
  assert.deepEqual(page, [{ field: 'page', message: 'must be at least 1' }]);
});
