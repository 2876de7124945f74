// `npm run bench:education`: a minute of 1080p through the whole job, a gibibyte through the local storage, and
// segments to viewers, each beside its limit in the same run. `BENCH_VIDEO_SECONDS` and `BENCH_MEBIBYTES` shorten it,
// and `BENCH_PARTS` selects parts.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '../src/embedded-postgres/cluster.ts';
import { s3Storage } from '../src/external/storage/s3.ts';
import { argumentsFor } from '../src/external/transcoder/arguments.ts';
import { ffmpegTranscoder } from '../src/external/transcoder/ffmpeg.ts';
import type { Part, Plan } from '../src/external/transcoder/port.ts';
import { secretsOf } from '../src/kernel/secrets.ts';
import { systemClock } from '../src/kernel/time/time.ts';
import { playbackTokens } from '../src/modules/media/tokens.ts';
import { type Child, startChild } from './children.ts';
import { type Cost, costOf, cpuUs } from './cpu.ts';
import { load, request } from './load.ts';

const VIDEO_SECONDS = Number(process.env.BENCH_VIDEO_SECONDS ?? 60);
const MEBIBYTES = Number(process.env.BENCH_MEBIBYTES ?? 1024);
const LOAD_SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const PARTS = (process.env.BENCH_PARTS ?? 'storage,ladder,rungs,playback').split(',');
const FFMPEG = process.env.FFMPEG_PATH ?? 'ffmpeg';
const STORAGE = {
  bucket: 'bench',
  accessKeyId: 'bench',
  secretAccessKey: 'a secret of the benchmark',
};
const SECRET_KEY = 'a secret key of the benchmark, long enough';
const VIEWERS = 5_000;
const PLAYED_SECONDS = 12;
const CONNECTIONS = 64;
const THREADS = Math.max(1, availableParallelism() - 1);
const IDLE_SECONDS = 10;

interface Row {
  what: string;
  ours: string;
  limit: string;
  ratio: string;
}
const rows: Row[] = [];
/** Adds a row to the table and prints it at once, because the next one may take minutes. */
function record(row: Row): void {
  rows.push(row);
  console.error(`${row.what}: ${row.ours}; ${row.limit}`);
}
const folder = mkdtempSync(join(tmpdir(), 'platform-bench-education-'));
const cluster = await startCluster({ folder: join(folder, 'postgres') });
await cluster.createDatabase('platform');
// The storage runs in a separate process, as in production, so that its cost is measured separately from the job's.
const servers = await startChild(['bench/static-server.ts'], { FOLDER: folder });
const environment = {
  ...{ DATABASE_URL: cluster.urlOf('platform'), DATA_DIR: folder, PORT: '0', SECRET_KEY },
  ...{ TRANSCODE_NICENESS: '0', TRANSCODE_THREADS: String(THREADS), FFMPEG_INSTALL: 'off' },
  STORAGE_ENDPOINT: `${servers.readyValues.ours}/storage`,
  STORAGE_BUCKET: STORAGE.bucket,
  STORAGE_ACCESS_KEY_ID: STORAGE.accessKeyId,
  STORAGE_SECRET_ACCESS_KEY: STORAGE.secretAccessKey,
};
const platform = await startChild(['src/main.js', 'start'], { ...environment, ROLE: 'api' });
const platformUrl = platform.readyValues.url as string;
const worker = await startChild(['src/main.js', 'start'], { ...environment, ROLE: 'worker' });

interface JobCost extends Cost {
  /** CPU of the storage's process, for the download of the source and the upload of the results. */
  storage: number;
}

function run(command: string, args: string[], cwd = folder): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`);
}

/** Retried once, because a connection may have expired: waiting for child processes blocks this process. */
const get = (url: string): Promise<Response> => fetch(url).catch(() => fetch(url));

async function call(
  method: string,
  path: string,
  body?: object,
  token?: string,
): Promise<Record<string, string>> {
  const response = await fetch(`${platformUrl}${path}`, {
    method,
    headers: {
      'x-api-key': platform.readyValues.adminApiKey as string,
      'content-type': 'application/json',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await response.json()) as { success: boolean; data: Record<string, string> };
  if (!answer.success) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer.data;
}

/** Uploads the clip as a lesson's video; returns its status once it is complete, and the cost of the job. */
async function throughTheJob(clip: string): Promise<{ status: Record<string, string>; cost: JobCost }> {
  const { adminEmail: email, adminPassword: password } = platform.readyValues;
  const { accessToken } = await call('POST', '/v1/auth/signin', { email, password, platform: 'web' });
  const ask = (method: string, path: string, body?: object) => call(method, path, body, accessToken);
  const { id: courseId } = await ask('POST', '/v1/courses', { title: 'Bench', description: 'Bench' });
  const { id: moduleId } = await ask('POST', `/v1/courses/${courseId}/modules`, { title: 'Bench' });
  const { id } = await ask('POST', '/v1/lessons', { moduleId, title: 'Bench', status: 'published' });
  const contentType = 'video/mp4';
  const upload = { fileName: 'clip.mp4', fileSize: statSync(clip).size, contentType };
  const { uploadUrl, fileKey } = await ask('POST', `/v1/lessons/${id}/request-upload-url`, upload);
  run('curl', ['-sf', '-T', clip, '-H', `Content-Type: ${contentType}`, String(uploadUrl)]);
  let status: Record<string, string> = {};
  const storedBefore = cpuUs(servers.process.pid as number) / 1e6;
  const cost = await costOf(worker.process.pid as number, async () => {
    await ask('POST', `/v1/lessons/${id}/complete-upload`, { fileKey });
    do {
      await sleep(250);
      status = await ask('GET', `/v1/lessons/${id}/video-status`);
    } while (status.status === 'processing');
  });
  if (status.status !== 'complete') throw new Error(JSON.stringify(status));
  const storage = cpuUs(servers.process.pid as number) / 1e6 - storedBefore;
  return { status, cost: { ...cost, storage } };
}

const settings = {
  ...{ ffmpegPath: undefined, workFolder: undefined, threads: THREADS, preset: 'veryfast' as const },
  ...{ niceness: 0, stretchThresholdSeconds: 1200, stretchSeconds: 600 },
};

/** Runs ffmpeg with the arguments of these parts, and nothing else. */
async function bareCost(plan: Plan, parts: [Part, Plan][], source: string): Promise<Cost> {
  const output = join(folder, 'bare');
  return costOf(process.pid, () => {
    for (const [part, partPlan] of parts) {
      rmSync(output, { recursive: true, force: true });
      for (const { name } of [...plan.rungs, { name: 'audio' }])
        mkdirSync(join(output, name), { recursive: true });
      run(FFMPEG, argumentsFor(part, partPlan, source, settings), output);
    }
  });
}

function makeClip(seconds: number): string {
  const clip = join(folder, `clip-${seconds}.mp4`);
  run(FFMPEG, [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=size=1920x1080:rate=30', '-f', 'lavfi', '-i', 'sine'],
    ...['-t', String(seconds), '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-b:v', '8M', '-y', clip],
  ]);
  return clip;
}

/** Compares the job with one run of ffmpeg for all renditions, or with a run for each. */
async function transcoding(limits: string[]): Promise<void> {
  const clip = makeClip(VIDEO_SECONDS);
  const transcoder = ffmpegTranscoder(settings);
  // The programs run as another user, who may read this folder.
  const readable = await transcoder.openFolder();
  const source = join(readable.path, 'source');
  copyFileSync(clip, source);
  const plan = transcoder.planFor(await transcoder.probe(source, new AbortController().signal));
  await readable.remove();
  const whole = plan.parts.find(({ kind }) => kind === 'whole') as Part;
  // An idle worker uses some CPU too: it polls all queues.
  await sleep(IDLE_SECONDS * 1000);
  const idle = await costOf(worker.process.pid as number, () => sleep(IDLE_SECONDS * 1000));
  const { cost } = await throughTheJob(clip);
  const idleCpu = Math.min(cost.own, (idle.own / idle.wall) * cost.wall);
  const all = cost.own + cost.children;
  const cpu = all - idleCpu;
  const row = (limit: Cost, name: string) =>
    record({
      what: `${VIDEO_SECONDS} s of 1080p30, from complete-upload to complete, ${plan.rungs.length} renditions`,
      ours: `${cpu.toFixed(1)} s of CPU (ffmpeg ${cost.children.toFixed(1)}, worker ${(cost.own - idleCpu).toFixed(1)} more than the ${idleCpu.toFixed(1)} when idle; storage apart ${cost.storage.toFixed(1)}), ${cost.wall.toFixed(1)} s`,
      limit: `${name}: ${limit.children.toFixed(1)} s of CPU, ${limit.wall.toFixed(1)} s`,
      ratio: `${(limit.children / cpu).toFixed(2)} of CPU (${(limit.children / all).toFixed(2)} with the idle worker's), ${(limit.wall / cost.wall).toFixed(2)} of time`,
    });
  if (limits.includes('ladder'))
    row(await bareCost(plan, [[whole, plan]], clip), 'bare ffmpeg, the same ladder');
  if (!limits.includes('rungs')) return;
  const stretch: Part = { ...whole, kind: 'stretch' };
  const sound: Part = { ...whole, kind: 'sound' };
  const each = plan.rungs.map((rung): [Part, Plan] => [stretch, { ...plan, rungs: [rung] }]);
  row(await bareCost(plan, [...each, [sound, plan]], clip), 'an ffmpeg for each rendition');
}

/** Returns the path of a rendition's first segment. */
async function segmentOf(videoUrl: string, rendition: string): Promise<string> {
  const list = new URL(`${rendition}/index.m3u8`, videoUrl).href;
  const [segment = ''] = (/^\.\..*m4s$/m.exec(await (await get(list)).text()) ?? []) as string[];
  return new URL(segment, list).pathname;
}

interface Requested {
  what: string;
  path: string;
  /** Base URL of a server without the cache, for comparison. */
  server?: string;
}

async function playback(servers: Child): Promise<void> {
  const { status } = await throughTheJob(makeClip(PLAYED_SECONDS));
  const videoUrl = String(status.videoUrl);
  const [, token = '', video = ''] = /\/v\/([^/.]+([0-9a-f]{24})[^/]+)\//.exec(videoUrl) ?? [];
  const tokens = playbackTokens({ secrets: secretsOf([SECRET_KEY]), clock: systemClock });
  const linkOf = (viewer: number) =>
    tokens.issue(video, viewer.toString(16).padStart(24, '0'), PLAYED_SECONDS * 1000).token;
  const links = Array.from({ length: VIEWERS }, (_, viewer) => linkOf(viewer));
  const pathOf = (name: string) => new URL(name, videoUrl).pathname;

  async function compare({ what, path, server = platformUrl }: Requested): Promise<void> {
    const content = Buffer.from(await (await get(`${server}${path}`)).arrayBuffer());
    writeFileSync(join(folder, 'served'), content);
    let next = 0;
    const measured = (url: string, all: Buffer[]) =>
      load({
        ...{ url, connections: CONNECTIONS, seconds: LOAD_SECONDS },
        next: () => all[next++ % all.length] as Buffer,
      });
    const ours = await measured(
      server,
      links.map((link) => request('GET', path.replace(token, link), {})),
    );
    const limit = await measured(servers.readyValues.bare as string, [request('GET', '/served', {})]);
    if (Object.keys(ours.statuses).join() !== '200') throw new Error(JSON.stringify(ours.statuses));
    record({
      what: `${what} of ${Math.ceil(content.length / 1024)} KiB, ${CONNECTIONS} connections`,
      ours: `${Math.round(ours.perSecond)}/s, p99 ${ours.p99Ms.toFixed(0)} ms`,
      limit: `bare node:http, the same file: ${Math.round(limit.perSecond)}/s`,
      ratio: (ours.perSecond / limit.perSecond).toFixed(2),
    });
  }

  await compare({ what: 'Segments', path: await segmentOf(videoUrl, '360p') });
  await compare({ what: 'Segments', path: await segmentOf(videoUrl, '1080p') });
  await compare({ what: 'Playlists', path: pathOf('360p/index.m3u8') });
  await compare({ what: 'Master playlists', path: pathOf('master.m3u8') });
}

async function storing(servers: Child): Promise<void> {
  const source = join(folder, 'large');
  run('dd', ['if=/dev/urandom', `of=${source}`, 'bs=1M', `count=${MEBIBYTES}`, 'status=none']);
  const bytes = statSync(source).size;
  const endpoint = `${servers.readyValues.ours}/storage`;
  const storage = s3Storage({
    ...{ endpoint, publicEndpoint: endpoint, region: 'us-east-1', bucket: 'bench', clock: systemClock },
    ...{ accessKeyId: 'bench', secretAccessKey: 'a secret of the benchmark' },
  });
  const contentType = 'video/mp4';
  const { url } = await storage.presignUpload({ key: 'large', contentType, bytes, expiresInSeconds: 3600 });
  const header = ['-H', `Content-Type: ${contentType}`];
  const mebibytes = bytes / 1024 ** 2;
  /** Returns the speed and the CPU of the server; the speed of the disk depends on other writers. */
  const rate = (work: () => void): { speed: number; cpu: number } => {
    // Flushes earlier writes, which would slow this down.
    run('sync', []);
    const [cpu, startedAt] = [cpuUs(servers.process.pid as number) / 1e6, performance.now()];
    work();
    const seconds = (performance.now() - startedAt) / 1000;
    return { speed: mebibytes / seconds, cpu: cpuUs(servers.process.pid as number) / 1e6 - cpu };
  };
  const copy = rate(() => run('cp', [source, join(folder, 'copied')]));
  const bareUp = rate(() =>
    run('curl', ['-sf', '-T', source, ...header, `${servers.readyValues.bare}/stored`]),
  );
  const up = rate(() => run('curl', ['-sf', '-T', source, ...header, url]));
  const download = await storage.presignDownload({ key: 'large', expiresInSeconds: 3600 });
  const bareDown = rate(() =>
    run('curl', ['-sf', '-o', join(folder, 'down'), `${servers.readyValues.bare}/stored`]),
  );
  const down = rate(() => run('curl', ['-sf', '-o', join(folder, 'down'), download]));
  storage.close();
  const text = ({ speed, cpu }: ReturnType<typeof rate>) =>
    `${Math.round(speed)} MiB/s, ${cpu.toFixed(1)} s of CPU`;
  for (const [what, ours, bare] of [
    ['Upload', up, bareUp],
    ['Download', down, bareDown],
  ] as const)
    record({
      what: `${what} of ${MEBIBYTES} MiB through the local storage`,
      ours: text(ours),
      limit: `bare node:http: ${text(bare)}; cp: ${Math.round(copy.speed)} MiB/s`,
      ratio: `${(ours.speed / bare.speed).toFixed(2)}, of CPU ${(bare.cpu / ours.cpu).toFixed(2)}`,
    });
}

try {
  if (PARTS.includes('storage')) await storing(servers);
  if (PARTS.includes('ladder') || PARTS.includes('rungs')) await transcoding(PARTS);
  if (PARTS.includes('playback')) await playback(servers);
  console.log('| What | Ours | Limit | Ratio |\n|---|---|---|---|');
  for (const { what, ours, limit, ratio } of rows) console.log(`| ${what} | ${ours} | ${limit} | ${ratio} |`);
} finally {
  await worker.stop();
  await platform.stop();
  await servers.stop();
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}
