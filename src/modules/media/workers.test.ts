// Transcoding workers, each in its own process, are killed, stopped, or lose their video to another worker.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { newDatabase } from '../../../test/support/databases.ts';
import { SECRET_KEY } from '../../../test/support/platform.ts';
import { startProgram } from '../../../test/support/programs.ts';
import {
  ended,
  makeClip,
  needsFfmpeg,
  newFolder,
  until,
  uploadVideo,
  workFolder,
} from '../../../test/support/videos.ts';
import { readConfig } from '../../app/config.ts';
import { createPlatform } from '../../app/platform.ts';
import { openDatabase } from '../../kernel/database/database.ts';
import { idMaker } from '../../kernel/ids.ts';
import { systemClock } from '../../kernel/time/time.ts';
import { sandboxStorage, startSandbox } from '../../sandbox/index.ts';

const folder = newFolder();
const work = workFolder();
const { url: databaseUrl, drop } = await newDatabase();
const sandbox = await startSandbox({
  ...{ port: 0, paymentWebhookSecret: 'whsec', payoutDelay: 3600, objectsFolder: join(folder, 'objects') },
});
const storage = sandboxStorage(sandbox);
const environment = {
  ...{ PORT: '0', DATABASE_URL: databaseUrl, SECRET_KEY, LOG_LEVEL: 'error' },
  ...{ VIDEO_WORK_DIR: work, VIDEO_STRETCH_SECONDS: '6', TRANSCODE_NICENESS: '0', TRANSCODE_THREADS: '1' },
  ...{ STORAGE_ENDPOINT: storage.endpoint, STORAGE_BUCKET: storage.bucket },
  ...{ STORAGE_ACCESS_KEY_ID: storage.accessKeyId, STORAGE_SECRET_ACCESS_KEY: storage.secretAccessKey },
};
const database = openDatabase({ url: databaseUrl, connections: 3, onBackgroundError: () => undefined });
// It takes uploads, and works on nothing.
const platform = await createPlatform({
  config: { ...readConfig(environment), databaseUrl, secretKey: SECRET_KEY },
  log: pino({ level: 'silent' }),
});
const url = await platform.listen();
const { media } = platform;
after(async () => {
  await platform.close();
  await sandbox.close();
  await database.close();
  await drop();
});

const newId = idMaker(systemClock);
let workers = 0;
const startWorker = () =>
  startProgram(['src/main.js', 'start'], {
    ...environment,
    ...{ ROLE: 'worker', DATA_DIR: join(folder, `worker-${++workers}`), PUBLIC_URL: url },
  });
/** Long enough to be found at work, in three stretches. */
let made: string | undefined;
const clip = (): string => {
  made ??= makeClip(join(folder, 'long.mp4'), { size: '854x480', seconds: 18 });
  return made;
};

const videoOf = async (subjectId: string) =>
  (await database.first<{ id: string; attempt: number; spent: number; status: string }>(
    'select id, attempt, spent, status from media.video where subject_id = $1',
    [subjectId],
  )) ?? assert.fail('there is no video');

const partsOf = (id: string) => database.count('select count(*) from media.part where video_id = $1', [id]);

/** The programs that work in the folder of the tests. */
const programsAtWork = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      } catch {
        return '';
      }
    })
    .filter((command) => command.includes(work) && command.includes('ffmpeg'));

const transcoding = (subjectId: string, parts: number) =>
  until(`${parts} parts and a program at work`, async () => {
    const { id } = await videoOf(subjectId);
    return (await partsOf(id)) >= parts && programsAtWork().length > 0;
  });

const playlist = async (subjectId: string): Promise<string> => {
  const { videoUrl } = await media.videoStatus(subjectId, subjectId);
  return (await fetch(String(videoUrl).replace('master.m3u8', '480p/index.m3u8'))).text();
};

test(
  'chunks of a killed worker are kept, and the next worker continues from there',
  needsFfmpeg,
  async () => {
    const subjectId = newId();
    await uploadVideo(media, subjectId, clip());
    const first = await startWorker();
    await transcoding(subjectId, 1);
    await first.end('SIGKILL');
    await until('the end of its programs', async () => programsAtWork().length === 0);
    const { id } = await videoOf(subjectId);
    const kept = await partsOf(id);
    assert.ok(kept > 0);
    assert.equal((await media.videoStatus(subjectId, subjectId)).status, 'processing');
    const second = await startWorker();
    assert.equal((await ended(media, subjectId)).status, 'complete');
    const text = await playlist(subjectId);
    const attempts = [...text.matchAll(/^\.\.\/\.\.\/(\d)\/stretch-\d+\/480p\/s00000\.m4s/gm)].map(
      ([, attempt]) => attempt,
    );
    assert.equal(attempts.filter((attempt) => attempt === '1').length, kept);
    assert.ok(attempts.includes('2'));
    for (const [address] of text.matchAll(/^\.\..*$/gm)) {
      const { videoUrl } = await media.videoStatus(subjectId, subjectId);
      const base = String(videoUrl).replace('master.m3u8', '480p/index.m3u8');
      assert.equal((await fetch(new URL(address, base))).status, 200, address);
    }
    await second.end('SIGTERM');
  },
);

test('a stopping worker returns its video without using an attempt', needsFfmpeg, async () => {
  const subjectId = newId();
  await uploadVideo(media, subjectId, clip());
  const first = await startWorker();
  await transcoding(subjectId, 0);
  assert.equal(await first.end('SIGTERM'), 0);
  assert.deepEqual(programsAtWork(), []);
  const { spent, status, attempt } = await videoOf(subjectId);
  assert.deepEqual({ spent, status, attempt }, { spent: 0, status: 'processing', attempt: 1 });
  const second = await startWorker();
  assert.equal((await ended(media, subjectId)).status, 'complete');
  await second.end('SIGTERM');
});

test('cancelling a video stops its program and removes its files', needsFfmpeg, async () => {
  const subjectId = newId();
  await uploadVideo(media, subjectId, clip());
  const worker = await startWorker();
  await transcoding(subjectId, 0);
  await media.cancelVideo(subjectId);
  const { status, error } = await media.videoStatus(subjectId, subjectId);
  assert.deepEqual([status, error?.code], ['failed', 'CANCELLED']);
  await until('the end of its programs', async () => programsAtWork().length === 0);
  const leftovers = () => readdirSync(work).filter((name) => name.startsWith(`${worker.process.pid}-`));
  await until('an empty folder', async () => leftovers().length === 0);
  await assert.rejects(media.cancelVideo(subjectId), { code: 'VIDEO_NOT_PROCESSING' });
  await worker.end('SIGTERM');
});

test(
  'a file that is no video fails with a reason, and a replaced upload is noticed',
  needsFfmpeg,
  async () => {
    const [scripted, changed] = [newId(), newId()];
    await uploadVideo(media, scripted, Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'));
    const content = Buffer.from(readFileSync(clip()));
    const ticket = await media.requestVideoUpload(changed, changed, {
      ...{ fileName: 'x', fileSize: content.length, contentType: 'video/mp4' },
    });
    const put = (body: Buffer) =>
      fetch(ticket.uploadUrl, {
        method: 'PUT',
        headers: ticket.instructions.headers,
        body: body as unknown as string,
      });
    await put(content);
    await media.completeVideoUpload(changed, ticket.fileKey);
    content.writeUInt8(1, content.length - 1);
    await put(content);
    const worker = await startWorker();
    assert.equal((await ended(media, scripted)).error?.code, 'NOT_A_VIDEO');
    assert.equal((await ended(media, changed)).error?.code, 'UPLOAD_CHANGED');
    await worker.end('SIGTERM');
  },
);

test('without ffmpeg uploads are accepted, videos wait, and readiness reports it', async () => {
  const subjectId = newId();
  const worker = await startProgram(['src/main.js', 'start'], {
    ...environment,
    ...{ ROLE: 'all', DATA_DIR: join(folder, 'without'), FFMPEG_PATH: '/nowhere/ffmpeg', LOG_LEVEL: 'warn' },
  });
  const ready = await fetch(`${worker.readyValues.url}/health/ready`);
  assert.equal(ready.status, 200);
  assert.deepEqual(((await ready.json()) as { degraded: string[] }).degraded, ['transcoder']);
  await uploadVideo(media, subjectId, Buffer.from('anything'));
  const untouched =
    "select count(*) from jobs.job where name = 'media.process-video' and state = 'created' and started_on is null";
  await until('the video to wait', async () => (await database.count(untouched)) === 1);
  // Longer than a worker takes to fetch a job that it is notified of.
  await sleep(1_000);
  assert.equal(await database.count(untouched), 1);
  assert.equal((await media.videoStatus(subjectId, subjectId)).status, 'processing');
  assert.match(worker.complaints(), /apt-get install ffmpeg/);
  await worker.end('SIGTERM');
});
