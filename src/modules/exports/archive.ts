import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import type { ObjectId } from '../../kernel/ids.ts';
import {
  EXPORTED_AT_ONCE,
  type ExportedArea,
  type ExportedRow,
} from '../../kernel/records/member-records.ts';

interface Contents {
  userId: ObjectId;
  areas: ExportedArea[];
  /** Reads a page of an area. */
  read: (area: ExportedArea, after: string) => Promise<ExportedRow[]>;
  /** Replaces the names of administrators. */
  withoutAdministrators: (text: string) => string;
  at: Date;
}

/**
 * Returns a ZIP with a file of JSON lines for each area and a README, as it is read: at any time only a page of records
 * is in memory. It ends with an error if a page cannot be read.
 */
export function archiveOf({ userId, areas, read, withoutAdministrators, at }: Contents): Readable {
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable;
  zip.on('error', (error: Error) => archive.destroy(error));
  // The reader of the archive receives the error; without a reader it can be ignored.
  archive.on('error', () => undefined);
  const counts = new Map<ExportedArea, number>();

  /** Returns a row in the form in which it is written to the file of an area. */
  function lineOf(row: ExportedRow, { wordsOfOthers, shown = (same) => same }: ExportedArea): string {
    const { cursor: _, isLeftOut: __, ...record } = shown(row);
    for (const field of wordsOfOthers) record[field] = withEachText(record[field], withoutAdministrators);
    return `${JSON.stringify(record)}\n`;
  }

  async function* linesOf(area: ExportedArea): AsyncGenerator<Buffer> {
    let lines = 0;
    for (let after = ''; ; ) {
      const rows = await read(area, after);
      const kept = rows.filter(({ isLeftOut }) => !isLeftOut);
      lines += kept.length;
      if (kept.length > 0) yield Buffer.from(kept.map((row) => lineOf(row, area)).join(''));
      const last = rows.at(-1);
      if (!last || rows.length < EXPORTED_AT_ONCE) break;
      after = String(last.cursor);
    }
    counts.set(area, lines);
  }

  const add = (name: string, content: () => Iterable<Buffer> | AsyncIterable<Buffer>) =>
    zip.addReadStreamLazy(name, { mtime: at, mode: 0o100644 }, (use) => {
      const lines = Readable.from(content(), { objectMode: false });
      // The library leaves errors of a lazy stream to its maker; without a listener one would end the process.
      lines.on('error', (error) => archive.destroy(error));
      use(null, lines);
    });
  for (const area of areas) add(`${area.name}.jsonl`, () => linesOf(area));
  // The last file, because it says how many lines the others have.
  add('README.txt', () => [Buffer.from(readmeOf({ userId, at, counts }))]);
  zip.end();
  return archive;
}

/** Returns a copy of a JSON value with each of its texts changed. */
function withEachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => withEachText(item, change));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withEachText(item, change)]));
}

interface Read extends Pick<Contents, 'userId' | 'at'> {
  counts: Map<ExportedArea, number>;
}

function readmeOf({ userId, at, counts }: Read): string {
  const width = Math.max(...[...counts.keys()].map(({ name }) => name.length)) + '.jsonl'.length;
  const files = [...counts].map(
    ([{ name, about }, lines]) => `${`${name}.jsonl`.padEnd(width)}  ${about} (${lines})`,
  );
  return [
    'What the platform holds of you',
    '',
    `Member  ${userId}`,
    `Made    ${at.toISOString()}`,
    '',
    'Each file has one JSON object a line, in UTF-8. Times are in UTC; amounts are in Keys unless a name says otherwise.',
    'Other people appear by their ids; what they wrote is here only where it was sent to you, and without what',
    'administrators are called. Passwords, keys and tokens are not contained.',
    '',
    'The files, and how many lines they have:',
    '',
    ...files,
    '',
  ].join('\r\n');
}
