import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { AUDIO, argumentsFor, playlistOf, probeArguments } from './arguments.ts';
import { type Confinement, findConfinement, limitsPrefix } from './confinement.ts';
import { workFolders } from './folders.ts';
import {
  LENGTH_TOLERANCE_SECONDS,
  PATIENCE,
  SHORT_RUN_CPU_SECONDS,
  SHORT_RUN_TIMEOUT_MS,
  STALL_TIMEOUT_MS,
  type TranscodingOptions,
} from './limits.ts';
import { fileOfSize, pictureArguments } from './pictures.ts';
import { paddingOf, planFor } from './plan.ts';
import { AUDIO_CODEC, documentsFor, readMediaPlaylist, videoCodecOf } from './playlists.ts';
import {
  type MadePart,
  type Part,
  type PictureSize,
  type Plan,
  SourceRefused,
  type Track,
  TranscodeFault,
  type Transcoder,
} from './port.ts';
import { factsOf, isVideoContainer } from './probe.ts';
import { INTERRUPTED, runProgram } from './process.ts';

const LOOKED_AGAIN_AFTER_MS = 30_000;
/** Error output that indicates a fault of the machine, not of the file. */
const MACHINE_FAULT = /No space left|Cannot allocate memory|Permission denied|Resource temporarily/;
/** Exit codes of a wrapper that cannot start the next program. */
const NOT_STARTED = [126, 127];
/** An operator who interrupts the process, or the system that ends a service, says nothing of the file. */
const SAY_NOTHING = [...NOT_STARTED, ...INTERRUPTED];
const isMachineFault = (code: number | null, errorOutput: string): boolean =>
  code === null || SAY_NOTHING.includes(code) || (code !== 0 && MACHINE_FAULT.test(errorOutput));
/** An MP4 has its table of contents at its end, so an interrupted recording or copy lacks it. */
const INCOMPLETE = /moov atom not found/;
const TOO_MANY_PIXELS = /exceeds specified max pixel count/;

/** Returns a transcoder that runs the system's ffmpeg and ffprobe. */
export function ffmpegTranscoder(settings: TranscodingOptions): Transcoder {
  const threads = settings.threads || Math.max(1, availableParallelism() - 1);
  const { preset } = settings;
  const folders = workFolders(settings.workFolder);
  const programs = findingPrograms(settings.ffmpegPath);
  let confinement: Confinement | undefined;

  async function confined(program: string): Promise<Confinement> {
    confinement ??= findConfinement(program, await folders.root());
    return confinement;
  }

  const commandOf = async (program: string, args: string[], cpuSeconds: number): Promise<string[]> => {
    const { prefix, ...means } = await confined(program);
    const limits = { niceness: settings.niceness, threads, cpuSeconds };
    return [...limitsPrefix(limits, means), ...prefix, program, ...args];
  };

  async function probe(source: string, signal: AbortSignal) {
    const { ffprobe } = programs.found();
    const lines: string[] = [];
    const { code, ending, errorOutput, endedBy } = await runProgram({
      command: await commandOf(ffprobe, probeArguments(source), SHORT_RUN_CPU_SECONDS),
      folder: dirname(source),
      wallMs: SHORT_RUN_TIMEOUT_MS,
      cpuSeconds: SHORT_RUN_CPU_SECONDS,
      signal,
      onLine: (line) => lines.push(line) > 0,
    });
    if (endedBy === 'too much output') throw new SourceRefused('UNSUPPORTED_FORMAT');
    if (endedBy !== 'itself')
      throw new TranscodeFault('PROCESSING_TIMEOUT', `ffprobe ended by the ${endedBy}`);
    if (isMachineFault(code, errorOutput))
      throw new TranscodeFault('PROCESSING_FAILED', `ffprobe ${ending}: ${errorOutput}`);
    if (TOO_MANY_PIXELS.test(errorOutput)) throw new SourceRefused('DIMENSIONS');
    if (code !== 0) throw new SourceRefused(INCOMPLETE.test(errorOutput) ? 'DAMAGED' : 'NOT_A_VIDEO');
    return factsOf(JSON.parse(lines.join('\n')));
  }

  async function make(
    part: Part,
    { source, folder, plan, signal, onProgress }: Parameters<Transcoder['make']>[1],
  ) {
    const { ffmpeg } = programs.found();
    const threadSeconds = 30 + 20 * part.seconds;
    const cpuSeconds = threadSeconds * (threads + 1);
    const wallMs = PATIENCE * threadSeconds * 1000;
    let doneUs = 0;
    const { code, ending, errorOutput, endedBy } = await runProgram({
      command: await commandOf(ffmpeg, argumentsFor(part, plan, source, { threads, preset }), cpuSeconds),
      ...{ folder, wallMs, cpuSeconds, stallMs: tellsProgress(part) ? STALL_TIMEOUT_MS : wallMs, signal },
      onLine: (line) => {
        // `N/A` before the first frame; for sprite sheets it counts far beyond the end.
        const us = Number(/^out_time_us=(\d+)$/.exec(line)?.[1] ?? 0) - part.startSeconds * 1e6;
        if (us <= doneUs) return false;
        doneUs = us;
        onProgress(Math.min(us / 1e6, part.seconds));
        return true;
      },
    });
    if (endedBy !== 'itself')
      throw new TranscodeFault('PROCESSING_TIMEOUT', `ffmpeg ended by the ${endedBy}`);
    if (isMachineFault(code, errorOutput))
      throw new TranscodeFault('PROCESSING_FAILED', `ffmpeg ${ending}: ${errorOutput}`);
    if (code !== 0) throw new SourceRefused('DAMAGED');
    return readPart(part, plan, folder);
  }

  async function shrink({
    source,
    extension,
    folder,
    signal,
  }: Parameters<Transcoder['shrink']>[0]): ReturnType<Transcoder['shrink']> {
    const { ffmpeg } = programs.found();
    const { code, ending, errorOutput, endedBy } = await runProgram({
      command: await commandOf(ffmpeg, pictureArguments(source, extension), SHORT_RUN_CPU_SECONDS),
      folder,
      wallMs: SHORT_RUN_TIMEOUT_MS,
      cpuSeconds: SHORT_RUN_CPU_SECONDS,
      signal,
      onLine: () => false,
    });
    // A picture for which this is not enough was made to take long, and would the next time, too.
    if (endedBy === 'CPU limit') throw new SourceRefused('DAMAGED');
    if (endedBy !== 'itself')
      throw new TranscodeFault('PROCESSING_TIMEOUT', `ffmpeg ended by the ${endedBy}`);
    if (isMachineFault(code, errorOutput))
      throw new TranscodeFault('PROCESSING_FAILED', `ffmpeg ${ending}: ${errorOutput}`);
    if (code !== 0) throw new SourceRefused('DAMAGED');
    const pathOf = (size: PictureSize): string => join(folder, fileOfSize(size));
    return { small: pathOf('small'), medium: pathOf('medium'), large: pathOf('large') };
  }

  return {
    advice:
      'videos wait for ffmpeg: install it (Debian: apt-get install ffmpeg), or set FFMPEG_PATH to the program',
    isAvailable: programs.areThere,
    isVideo: isVideoContainer,
    openFolder: async () => folders.open(await confined(programs.found().ffmpeg)),
    probe,
    planFor: (facts) => planFor(facts, settings),
    make,
    shrink,
    documents: documentsFor,
    sweep: folders.sweep,
    hasRoomFor: folders.hasRoomFor,
  };
}

/** Whether ffmpeg reports progress; pictures and sprite sheets are reported only when written, at the end. */
const tellsProgress = ({ kind }: Part): boolean => kind !== 'sprites' && kind !== 'pictures';

/** Finds ffmpeg, and ffprobe beside it or on the PATH; looks again while either is missing. */
function findingPrograms(given: string | undefined) {
  const onPath = (name: string) =>
    (process.env.PATH ?? '')
      .split(':')
      .map((folder) => join(folder, name))
      .find((path) => existsSync(path));
  const look = () => {
    const ffmpeg = given ?? onPath('ffmpeg');
    if (ffmpeg === undefined || !existsSync(ffmpeg)) return undefined;
    const beside = join(dirname(ffmpeg), 'ffprobe');
    const ffprobe = existsSync(beside) ? beside : onPath('ffprobe');
    return ffprobe === undefined ? undefined : { ffmpeg, ffprobe };
  };
  let located = look();
  let lookedAtMs = performance.now();
  const current = () => {
    if (!located && performance.now() - lookedAtMs > LOOKED_AGAIN_AFTER_MS) {
      located = look();
      lookedAtMs = performance.now();
    }
    return located;
  };
  return {
    areThere: () => current() !== undefined,
    found() {
      const programs = current();
      if (!programs) throw new TranscodeFault('PROCESSING_FAILED', 'ffmpeg is not installed');
      return programs;
    },
  };
}

/**
 * Reads ffmpeg's output from the folder.
 * @throws SourceRefused when the picture ends early
 */
async function readPart(part: Part, plan: Plan, folder: string): Promise<MadePart> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((file) => !file.endsWith('.m3u8'))
    .sort();
  const hasPicture = part.kind === 'whole' || part.kind === 'stretch';
  const hasSound = part.kind === 'whole' || part.kind === 'sound';
  const names = [
    ...(hasPicture ? plan.rungs.map(({ name }) => name) : []),
    ...(hasSound && plan.facts.audioStream !== undefined ? [AUDIO] : []),
  ];
  const tracks = await Promise.all(names.map((name) => readTrack(folder, name)));
  const expected = expectedSeconds(part, plan);
  for (const { name, segments } of tracks) {
    if (name === AUDIO || expected === undefined) continue;
    const seconds = segments.reduce((total, segment) => total + segment.seconds, 0);
    if (seconds < expected) throw new SourceRefused('DAMAGED', `it ends after ${Math.floor(seconds)} s`);
  }
  return { name: part.name, tracks, files };
}

/**
 * Returns the minimum length of a rendition. Where the end of the picture is not declared, the length of the file is that
 * of its longest stream, which may be the audio.
 */
function expectedSeconds(part: Part, { facts }: Plan): number | undefined {
  const ofVideo = facts.videoSeconds ?? facts.durationSeconds * 0.95;
  const end = Math.min(part.startSeconds + part.seconds, ofVideo + paddingOf(facts).pictureSeconds);
  return end - part.startSeconds - LENGTH_TOLERANCE_SECONDS;
}

async function readTrack(folder: string, name: string): Promise<Track> {
  const playlist = await readFile(join(folder, playlistOf(name)), 'utf8').catch(() => {
    throw new SourceRefused('DAMAGED', 'nothing could be decoded');
  });
  const { init, segments } = readMediaPlaylist(playlist);
  const codec = name === AUDIO ? AUDIO_CODEC : videoCodecOf(await readFile(join(folder, name, init)));
  if (codec === undefined) throw new TranscodeFault('PROCESSING_FAILED', 'the init segment names no codec');
  return {
    name,
    codec,
    init: `${name}/${init}`,
    segments: await Promise.all(
      segments.map(async ({ uri, seconds }) => ({
        uri: `${name}/${uri}`,
        seconds,
        bytes: (await stat(join(folder, name, uri))).size,
      })),
    ),
  };
}
