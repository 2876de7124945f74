import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ffmpegTranscoder } from '../../src/external/transcoder/ffmpeg.ts';
import type { Plan, StoredPart } from '../../src/external/transcoder/port.ts';
import { newFolder, workFolder } from './videos.ts';

const NEVER = new AbortController().signal;

/** What became of a file: its parts, the files by their names in the storage, and the documents about them. */
export interface Transcoded {
  plan: Plan;
  parts: StoredPart[];
  files: Map<string, Buffer>;
  progress: number[];
  documents: ReturnType<ReturnType<typeof ffmpegTranscoder>['documents']>;
}

/** A transcoder of the tests of one file, which runs real ffmpeg with stretches of six seconds. */
export function transcoding() {
  const folder = newFolder();
  const work = workFolder();
  const settings = {
    ...{ ffmpegPath: process.env.TEST_FFMPEG, workFolder: work, threads: 1, niceness: 0 },
    preset: 'ultrafast' as const,
    ...{ stretchThresholdSeconds: 12, stretchSeconds: 6 },
  };
  const transcoder = ffmpegTranscoder(settings);

  /** Processes a file as a job does and returns the result. */
  async function transcode(file: string, signal = NEVER): Promise<Transcoded> {
    const opened = await transcoder.openFolder();
    const source = join(opened.path, 'source');
    copyFileSync(file, source);
    try {
      const plan = transcoder.planFor(await transcoder.probe(source, signal));
      const parts: StoredPart[] = [];
      const files = new Map<string, Buffer>();
      const progress: number[] = [];
      for (const part of plan.parts) {
        const partFolder = await opened.partFolder(part.name);
        const onProgress = (seconds: number) => progress.push(seconds);
        const made = await transcoder.make(part, { source, folder: partFolder, plan, signal, onProgress });
        for (const name of made.files)
          files.set(`1/${part.name}/${name}`, readFileSync(join(partFolder, name)));
        parts.push({ ...made, path: `1/${part.name}` });
      }
      return { plan, parts, files, progress, documents: transcoder.documents(plan, parts) };
    } finally {
      await opened.remove();
    }
  }

  const refusal = (file: string): Promise<string> =>
    transcode(file).then(
      () => 'taken',
      (error) => error.code ?? String(error),
    );

  /** Returns ffprobe's packets of a rendition, from its concatenated init segments and segments. */
  function packetsOf({ parts, files }: Transcoded, name: string, entries: string): string[] {
    const tracks = parts.flatMap(({ path, tracks }) => tracks.map((track) => ({ path, track })));
    const file = join(folder, 'read.mp4');
    return tracks
      .filter(({ track }) => track.name === name)
      .flatMap(({ path, track }) => {
        const pieces = [track.init, ...track.segments.map(({ uri }) => uri)];
        writeFileSync(file, Buffer.concat(pieces.map((uri) => files.get(`${path}/${uri}`) as Buffer)));
        const program = join(String(process.env.TEST_FFMPEG), '..', 'ffprobe');
        return execFileSync(program, ['-v', 'error', '-show_entries', entries, '-of', 'csv=p=0', file], {
          encoding: 'utf8',
        })
          .trim()
          .split('\n');
      });
  }

  const keyframesOf = (made: Transcoded, name: string): number[] =>
    packetsOf(made, name, 'packet=pts_time,flags')
      .filter((line) => line.includes('K'))
      .map((line) => Number.parseFloat(line));

  return { folder, work, settings, transcode, refusal, packetsOf, keyframesOf };
}
