// The same events in a ClickHouse server of its own, asked over HTTP.
import { mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { eventsFile } from './analytics-duckdb.ts';
import { programOf, startServer } from './peers/installed.ts';

export interface ClickHouse {
  version: string;
  pid: number;
  /** Returns the answer as text; all cores are used unless a number of threads is given. */
  ask(text: string, threads?: number): Promise<string>;
  stop(): Promise<void>;
}

const PORT = 18123;

/** Copies the events into a table sorted by their name and time; returns why not, if there is no server. */
export async function startClickHouse(client: pg.Client): Promise<ClickHouse | string> {
  const program = programOf('clickhouse-server');
  if (!program) return 'not installed';
  const folder = mkdtempSync(join(tmpdir(), 'platform-clickhouse-'));
  const config = join(folder, 'config.xml');
  writeFileSync(config, configOf(folder));
  const url = `http://127.0.0.1:${PORT}/`;
  const server = await startServer(program, [`--config-file=${config}`], url);
  if (typeof server === 'string') return server;
  const post = async (path: string, body: string | Blob): Promise<string> => {
    const answer = await fetch(url + path, { method: 'POST', body });
    const text = (await answer.text()).trim();
    if (!answer.ok) throw new Error(text);
    return text;
  };
  await post(
    '',
    'create table event (ts Int64, person UInt32, name UInt16) engine = MergeTree order by (name, ts)',
  );
  const insert = encodeURIComponent('insert into event format CSV');
  await post(`?query=${insert}`, await openAsBlob(await eventsFile(client)));
  await post('', 'optimize table event final');
  return {
    version: await post('', 'select version()'),
    pid: server.pid,
    ask: (text, threads) => post(threads ? `?max_threads=${threads}` : '', text),
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Its own settings, except where it listens and keeps its files. */
const configOf = (folder: string): string => `<yandex>
  <logger><level>warning</level><console>1</console></logger>
  <http_port>${PORT}</http_port>
  <listen_host>127.0.0.1</listen_host>
  <path>${folder}/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <mark_cache_size>5368709120</mark_cache_size>
  <users_config>config.xml</users_config>
  <users>
    <default>
      <password></password>
      <networks><ip>127.0.0.1</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
  <profiles><default /></profiles>
  <quotas><default /></quotas>
  <timezone>UTC</timezone>
</yandex>
`;
