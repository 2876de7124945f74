import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Cluster } from '../../src/embedded-postgres/cluster.ts';
import { type ChatServer, serverOf } from './chat-servers.ts';
import { programOf } from './installed.ts';

const SCHEMA = '/usr/share/ejabberd/sql/pg.sql';
const DATABASE = 'ejabberd';
const MARK = '\\^\\d{11}';
/** The client's port, and that of Erlang's own protocol, which then needs no daemon. */
const PORTS = { sql: [5299, 5289], mnesia: [5298, 5288] } as const;

/**
 * The settings: no encryption, no sign-up, no shapers, and nothing but what a stored room needs. The room is made by the
 * first who enters. Its archive is written message by message, each before it is delivered.
 */
const settingsOf = (archive: keyof typeof PORTS): string => `
hosts: [localhost]
loglevel: warning
listen:
  - port: ${PORTS[archive][0]}
    ip: 127.0.0.1
    module: ejabberd_c2s
    max_stanza_size: infinity
    shaper: none
    access: all
auth_method: [anonymous]
anonymous_protocol: sasl_anon
sql_type: pgsql
sql_server: 127.0.0.1
sql_database: ${DATABASE}
sql_username: postgres
sql_password: ''
modules:
  mod_muc:
    db_type: ${archive}
    access_create: all
    access_mam: all
    min_message_interval: 0
    room_shaper: none
    default_room_options:
      persistent: true
      mam: true
  mod_mam:
    db_type: ${archive}
    default: always
`;

export async function startEjabberd(cluster: Cluster, folder: string): Promise<ChatServer[]> {
  const script = programOf('ejabberdctl');
  if (!script) return [];
  await cluster.createDatabase(DATABASE);
  const client = new pg.Client({ connectionString: cluster.urlOf(DATABASE) });
  await client.connect();
  await client.query(readFileSync(SCHEMA, 'utf8'));
  await client.end();
  const [, libraries] = /^ERL_LIBS='?([^'\n]+)/m.exec(readFileSync(script, 'utf8')) as unknown as string[];
  const version = readdirSync(libraries as string)
    .find((name) => /^ejabberd-[\d.]+/.test(name))
    ?.match(/[\d.]+/)?.[0];
  const start = (archive: keyof typeof PORTS) =>
    starterOf(archive, join(folder, archive), libraries as string);
  const sql = await serverOf(start('sql'), {
    name: `ejabberd ${version}, PostgreSQL`,
    target: { kind: 'ejabberd', port: PORTS.sql[0] },
    postmasterPid: cluster.pid as number,
  });
  sql.marks = () => marksOfDatabase(cluster.urlOf(DATABASE));
  const mnesia = await serverOf(start('mnesia'), {
    name: `ejabberd ${version}, Mnesia`,
    target: { kind: 'ejabberd', port: PORTS.mnesia[0] },
    postmasterPid: 0,
  });
  mnesia.marks = async () => {
    await mnesia.stop();
    return marksOfTable(join(folder, 'mnesia', 'archive_msg.DAT'));
  };
  return [sql, mnesia];
}

/** Starts Erlang as Debian's `ejabberdctl foreground` does, which refuses to work for any user but root and its own. */
function starterOf(archive: keyof typeof PORTS, spool: string, libraries: string): () => ChildProcess {
  mkdirSync(spool);
  const config = join(spool, 'ejabberd.yml');
  writeFileSync(config, settingsOf(archive));
  const args = ['-sname', `${archive}@localhost`, '-setcookie', 'bench', '-noinput', '+K', 'true'];
  args.push('-start_epmd', 'false', '-erl_epmd_port', String(PORTS[archive][1]));
  // Schedulers that wait for work by turning round would count as CPU.
  args.push('+P', '250000', '+sbwt', 'none', '+sbwtdcpu', 'none', '+sbwtdio', 'none');
  args.push('-mnesia', 'dir', `"${spool}"`, '-s', 'ejabberd');
  const env = {
    ...process.env,
    HOME: spool,
    ERL_LIBS: libraries,
    ERL_MAX_PORTS: '32000',
    ERL_MAX_ETS_TABLES: '1400',
    ERL_CRASH_DUMP_BYTES: '0',
    EJABBERD_CONFIG_PATH: config,
    EJABBERD_LOG_PATH: join(spool, 'ejabberd.log'),
  };
  return () => spawn('erl', args, { env, cwd: spool, stdio: 'ignore' });
}

async function marksOfDatabase(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`select substring(xml from '${MARK}') as mark from archive`);
  await client.end();
  return rows.map(({ mark }) => mark);
}

/** Reads the file of Mnesia's table. */
function marksOfTable(file: string): string[] {
  const print = `fun(Row) ->
    case re:run(term_to_binary(Row), "${MARK.replaceAll('\\', '\\\\')}", [{capture, first, binary}]) of
      {match, [Mark]} -> io:format("~s~n", [Mark]);
      nomatch -> ok
    end, continue end`;
  const program = `{ok, T} = dets:open_file(t, [{file, "${file}"}, {access, read}, {type, bag}, {keypos, 2}]), dets:traverse(T, ${print}), halt().`;
  const printed = execFileSync('erl', ['-noshell', '-eval', program], {
    encoding: 'utf8',
    env: { ...process.env, ERL_CRASH_DUMP_BYTES: '0' },
    maxBuffer: 256 * 1024 * 1024,
  });
  return printed.split('\n').filter((line) => line.startsWith('^'));
}
