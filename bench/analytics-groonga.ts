// The same documents in a Groonga server of its own, asked over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { documentsOf } from './analytics-fts5.ts';
import { programOf, startServer } from './peers/installed.ts';

export interface Groonga {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const PORT = 10041;
/** Words are what spaces separate, in lower case; Debian's package has no stemming. */
const INDEX = [
  'table_create Word TABLE_PAT_KEY ShortText --default_tokenizer TokenDelimit --normalizer NormalizerAuto',
  'column_create Word document COLUMN_INDEX|WITH_POSITION|WITH_SECTION Document title,body',
];

/** Indexes all documents; returns why not, if there is no server. */
export async function startGroonga(client: pg.Client): Promise<Groonga | string> {
  const program = programOf('groonga');
  if (!program) return 'not installed';
  const folder = mkdtempSync(join(tmpdir(), 'platform-groonga-'));
  const path = join(folder, 'documents');
  await fill(program, path, client);
  const url = `http://127.0.0.1:${PORT}`;
  // It would answer the same query from memory.
  const settings = ['--bind-address', '127.0.0.1', '--port', `${PORT}`, '--cache-limit', '0'];
  const log = ['--log-path', join(folder, 'log')];
  const server = await startServer(program, ['-s', '--protocol', 'http', ...settings, ...log, path], url);
  if (typeof server === 'string') return server;
  return {
    url,
    pid: server.pid,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function fill(program: string, path: string, client: pg.Client): Promise<void> {
  const groonga = spawn(program, ['-n', path], { stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = once(groonga, 'exit');
  const write = async (line: string): Promise<void> => {
    if (!groonga.stdin.write(`${line}\n`)) await once(groonga.stdin, 'drain');
  };
  await write('table_create Document TABLE_NO_KEY');
  for (const column of ['title', 'body'])
    await write(`column_create Document ${column} COLUMN_SCALAR ShortText`);
  await write('load --table Document\n[\n["title", "body"]');
  for await (const { title, body } of documentsOf(client)) await write(`,${JSON.stringify([title, body])}`);
  await write(']');
  // An index of rows that are there is built several times as fast.
  for (const line of INDEX) await write(line);
  groonga.stdin.end();
  const [code] = await ended;
  if (code !== 0) throw new Error(`groonga ended with ${code}`);
}

/** The path of a search for the best documents of all words, a match in the title counting most. */
export const searchPath = (words: string, limit: number): string =>
  `/d/select?table=Document&match_columns=title*10||body&query=${encodeURIComponent(words)}&sort_keys=-_score&limit=${limit}&output_columns=_id,title,body,_score`;
