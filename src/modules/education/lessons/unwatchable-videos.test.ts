// Why a member cannot see a video: the reason in the lesson, and the reason that operators find for a refused link.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  enrollInCourse,
  getErrorAsAdmin,
  getLesson,
  getLessonVideo,
  listLessons,
} from '../../../../sdk/src/index.ts';
import { newCourse } from '../../../../test/support/courses.ts';
import { until } from '../../../../test/support/live.ts';
import { type Member, startPlatform } from '../../../../test/support/platform.ts';
import { read } from '../../../../test/support/playback.ts';
import { idMaker } from '../../../kernel/ids.ts';

const platform = await startPlatform({ LOG_LEVEL: 'info' });
const { admin, clock, database, url } = platform;
const newId = idMaker(clock);

/** Adds a video that no worker processes, so that its state lasts as long as the test. */
async function addVideo(lessonId: string): Promise<string> {
  const id = newId();
  await database.execute(
    `insert into media.video (id, subject_id, owner_id, source_key, source_etag, source_bytes, status, created_at)
     values ($1, $2, $2, 'uploads/x.mp4', '"x"', 1, 'processing', now())`,
    [id, lessonId],
  );
  return id;
}
const fail = (id: string) =>
  database.execute(`update media.video set status = 'failed', error_code = 'X' where id = $1`, [id]);
const complete = (id: string) =>
  database.execute(
    `update media.video set status = 'complete', duration_ms = 60000, renditions = '{360p}', poster = '1/poster.jpg',
       completed_at = now() where id = $1`,
    [id],
  );

async function newPricedCourse() {
  const made = await newCourse(platform, { course: { price: 5 }, lessons: 1 });
  const student = await platform.newMemberWith(5);
  assert.equal(
    (await student.client.call(enrollInCourse, { params: { courseId: made.course.id } })).status,
    201,
  );
  const [lesson] = made.lessons;
  return { ...made, lesson, student, params: { lessonId: lesson.id } };
}

/** Whether a member has a video, and the reason if not, in the lesson and in the list. */
async function toldTo(
  { client }: Member,
  { params, module }: Awaited<ReturnType<typeof newPricedCourse>>,
): Promise<[string | null, boolean]> {
  const one = (await client.call(getLesson, { params })).data;
  const [listed] = (await client.call(listLessons, { query: { moduleId: module.id } })).data;
  const { videoUrl, videoUnavailable } = one;
  assert.deepEqual([listed?.videoUrl, listed?.videoUnavailable], [videoUrl, videoUnavailable]);
  return [videoUnavailable, typeof videoUrl === 'string'];
}

test('a lesson without a videoUrl says why', async () => {
  const made = await newPricedCourse();
  const { owner, student, lesson } = made;
  const stranger = await platform.newMember();
  const reasons = async () => [await toldTo(student, made), await toldTo(owner, made)];
  const both = (...answer: [string | null, boolean]) => [answer, answer];

  assert.deepEqual(await reasons(), both('none', false));
  const first = await addVideo(lesson.id);
  assert.deepEqual(await reasons(), both('processing', false));
  await fail(first);
  assert.deepEqual(await reasons(), both('failed', false));
  const second = await addVideo(lesson.id);
  assert.deepEqual(await reasons(), both('processing', false));
  await complete(second);
  assert.deepEqual(await reasons(), both(null, true));
  // A video continues to play while another one replaces it, and when the replacement fails.
  const third = await addVideo(lesson.id);
  assert.deepEqual(await reasons(), both(null, true));
  await fail(third);
  assert.deepEqual(await reasons(), both(null, true));
  assert.deepEqual(await toldTo(stranger, made), ['not-entitled', false]);
});

test('who may not watch does not learn whether there is a video', async () => {
  const made = await newPricedCourse();
  const stranger = await platform.newMember();
  const seen = async () => (await stranger.client.call(getLesson, { params: made.params })).data;
  const status = async ({ client }: Member) =>
    (await client.call(getLessonVideo, { params: made.params })).data;
  const before = await seen();
  assert.equal(before.videoUnavailable, 'not-entitled');
  const none = await status(stranger);
  assert.equal(none.status, null);
  const unchanged = async (shown: string) => {
    assert.deepEqual([await seen(), await status(stranger)], [before, none]);
    assert.equal((await status(made.student)).status, shown);
  };
  const video = await addVideo(made.lesson.id);
  await unchanged('processing');
  await fail(video);
  await unchanged('failed');
  await complete(await addVideo(made.lesson.id));
  await unchanged('complete');
});

/** Returns the address of a video that a student may watch. */
async function videoUrlFor({ student, params }: Awaited<ReturnType<typeof newPricedCourse>>) {
  const { videoUrl } = (await student.client.call(getLesson, { params })).data;
  assert.ok(videoUrl);
  return videoUrl;
}

interface RequestLine {
  requestId: string;
  route: string;
  userId?: string;
  code?: string;
  reason?: string;
  errorId?: string;
}
const lines = (): RequestLine[] =>
  platform.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');

/** Returns the records that operators find about a response: its line in the log, and its report. */
async function foundAbout({ headers, body }: Awaited<ReturnType<typeof read>>) {
  const { error, errorId } = JSON.parse(body.toString());
  const line = lines().find(({ requestId }) => requestId === headers.get('x-request-id'));
  assert.ok(line);
  assert.deepEqual([line.code, line.errorId], [error, errorId]);
  const report = (await admin.call(getErrorAsAdmin, { params: { errorId: errorId as string } })).data;
  assert.deepEqual([report.errorCode, report.reason], [error, line.reason]);
  assert.equal(report.operation, `GET ${line.route}`);
  return { line, report };
}

test('a link that is refused has a reason and an errorId, which operators find', async () => {
  const made = await newPricedCourse();
  await complete(await addVideo(made.lesson.id));
  const videoUrl = await videoUrlFor(made);
  const [, token = ''] = /\/v\/([^/]+)\//.exec(videoUrl) ?? [];
  const at = (path: string) => `${url}/media/v/${token}/${path}`;
  const forged = videoUrl.replace(token, `${token.slice(0, -3)}abc`);
  const refusals: [string, number, string, string, string | undefined][] = [
    [forged, 403, 'LINK_NOT_VALID', 'forged', undefined],
    [videoUrl, 404, 'NOT_FOUND', 'missing', made.student.id],
    [at('1/360p/0.m4s'), 404, 'NOT_FOUND', 'missing', made.student.id],
    [at('captions/de.vtt'), 404, 'NOT_FOUND', 'no captions in this language', made.student.id],
    [at('elsewhere.txt'), 404, 'NOT_FOUND', 'no such path', made.student.id],
  ];
  for (const [address, status, code, reason, userId] of refusals) {
    const answer = await read(address, { origin: 'https://app.example.com' });
    assert.equal(answer.status, status, address);
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const { line, report } = await foundAbout(answer);
    assert.deepEqual([line.code, line.reason, line.userId], [code, reason, userId], address);
    for (const text of [answer.body.toString(), JSON.stringify(line), JSON.stringify(report)])
      assert.ok(!text.includes(token.slice(-20)), text);
  }
  assert.equal((await fetch(videoUrl, { method: 'HEAD' })).status, 404);

  clock.advance(7 * 3_600_000);
  try {
    const expired = await read(videoUrl);
    assert.equal(expired.status, 403);
    const { error, errorId } = JSON.parse(expired.body.toString());
    const line = lines().find((one) => one.errorId === errorId);
    assert.deepEqual([error, line?.reason, line?.userId], ['LINK_EXPIRED', 'expired', made.student.id]);
  } finally {
    clock.advance(-7 * 3_600_000);
  }
});

test('who fetches too fast, and an outage of the storage, have a reason, too', async () => {
  const made = await newPricedCourse();
  await complete(await addVideo(made.lesson.id));
  const videoUrl = await videoUrlFor(made);
  await platform.standIn('storage', { mode: 'fail' });
  try {
    const answer = await read(videoUrl);
    assert.equal(answer.status, 503);
    const { line } = await foundAbout(answer);
    assert.deepEqual([line.code, line.reason], ['SERVICE_UNAVAILABLE', 'storage unavailable']);
  } finally {
    await platform.standIn('storage', { mode: 'ok' });
  }
  let refused: Awaited<ReturnType<typeof read>> | undefined;
  const start = clock.now();
  await until(async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(videoUrl)));
    // The clock stands still, so that requests count as too fast even on a slow machine.
    clock.set(start);
    // Only the first ones of a flood are stored.
    refused = answers.find(({ status }) => status === 429);
    return refused !== undefined;
  }, 'a refusal of the pace');
  assert.ok(refused);
  const { line } = await foundAbout(refused);
  assert.deepEqual([line.code, line.reason], ['PLAYBACK_TOO_FAST', 'too fast']);
});

test('files and certificates that are not there have a reason and an errorId', async () => {
  const content = '<!doctype html>';
  const upload = { fileName: 'x.png', fileSize: content.length, contentType: 'image/png' };
  const ticket = () => platform.platform.media.requestPublicUpload('image', newId(), upload);
  const [missing, page] = [await ticket(), await ticket()];
  const { method, headers } = page.instructions;
  assert.equal((await fetch(page.uploadUrl, { method, headers, body: content })).status, 200);
  for (const [address, reason] of [
    [missing.publicUrl, 'missing'],
    [`${missing.publicUrl}/small`, 'missing'],
    [page.publicUrl, 'content that cannot be read as its type'],
    [`${page.publicUrl}/small`, 'content that cannot be read as its type'],
    [`${url}/media/files/nothing`, 'no such path'],
  ] as const) {
    const answer = await read(address);
    assert.equal(answer.status, 404, address);
    assert.equal((await foundAbout(answer)).line.reason, reason, address);
  }
  const certificate = await read(`${url}/certificates/${newId()}`);
  assert.equal(certificate.status, 404);
  assert.match(certificate.headers.get('content-type') ?? '', /^text\/html/);
  const html = certificate.body.toString();
  assert.match(html, /There is no such certificate/);
  const [errorId] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(html) ?? [];
  const line = lines().find(({ requestId }) => requestId === certificate.headers.get('x-request-id'));
  assert.deepEqual([line?.errorId, line?.reason], [errorId, 'missing']);
  assert.equal((await admin.call(getErrorAsAdmin, { params: { errorId: errorId as string } })).status, 200);
});
