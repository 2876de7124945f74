// The same requests of signed-in members to the platform and to Node's common backends: an object of one's own, a new
// message, and pages of a million rows.
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import pg from 'pg';
import type { Cluster } from '../../src/embedded-postgres/cluster.ts';
import { startChild } from '../children.ts';
import { startFixture } from '../fixture.ts';
import { request } from '../load.ts';
import { LOADS } from '../loads.ts';
import { giveMillion } from '../million.ts';
import { cpuText, interleave, median, rate, type Variant } from '../paired.ts';
import { CHATTING_MEMBERS, loadOnce, MEMBERS, requestsOf } from '../scene.ts';
import { versionOf } from './installed.ts';

const CONNECTIONS = 32;
const ROWS = 1_000_000;
const PAGE = 50;
const LAST_PAGE = ROWS / PAGE;
const PARSE_PORT = '1399';
const KINDS = {
  read: "a member's wallet",
  write: 'a message',
  'page 1': `page 1 of ${LAST_PAGE}`,
  'last page': `page ${LAST_PAGE}`,
} as const;

/** The requests of one backend, by kind. */
type Requests = Record<keyof typeof KINDS, () => Buffer>;
interface Backend {
  url: string;
  pid: number;
  postmasterPid: number;
  requests: Requests;
  stop(): Promise<void>;
}

/** Returns a row for each kind of request. */
export async function backends(cluster: Cluster): Promise<object[]> {
  const ours = await startOurs();
  const parse = await startParse(cluster);
  try {
    const rows = [];
    for (const [kind, what] of Object.entries(KINDS)) {
      const variantOf = ({ url, pid, postmasterPid, requests }: Backend): Variant => ({
        run: () => loadOnce(url, CONNECTIONS, requests[kind as keyof typeof KINDS]),
        serverPid: pid,
        postmasterPid,
      });
      const turns = await interleave(
        { ours: variantOf(ours), parse: variantOf(parse) },
        { title: kind, postmasterPid: 0 },
      );
      const cpuOf = ({ cpuUs }: (typeof turns.ours)[number]) => (cpuUs?.server ?? 0) + (cpuUs?.postgres ?? 0);
      const ratios = turns.ours.map((turn, round) => cpuOf(turns.parse[round] as typeof turn) / cpuOf(turn));
      const perSecond = (of: typeof turns.ours) => rate(median(of.map((turn) => turn.perSecond)));
      rows.push({
        what,
        ours: `${perSecond(turns.ours)}, ${cpuText(turns.ours)} us`,
        [`parse-server ${versionOf('parse-server')}`]: `${perSecond(turns.parse)}, ${cpuText(turns.parse)} us`,
        'times as much per CPU': `${median(ratios).toFixed(1)} (${Math.min(...ratios).toFixed(1)} to ${Math.max(...ratios).toFixed(1)})`,
      });
    }
    return rows;
  } finally {
    await parse.stop();
    await ours.stop();
  }
}

async function startOurs(): Promise<Backend> {
  const fixture = await startFixture(CHATTING_MEMBERS);
  const { balance, richest, ofRichest } = requestsOf(fixture);
  await giveMillion(fixture.databaseUrl, richest.id);
  return {
    ...fixture,
    requests: {
      read: balance,
      write: (await LOADS.chat?.(fixture)) as () => Buffer,
      'page 1': () => ofRichest('/v1/wallets/transactions?page=1'),
      'last page': () => ofRichest(`/v1/wallets/transactions?page=${LAST_PAGE}`),
    },
  };
}

/** Its objects have the same fields, with permissions that ask for a session and lists of those who may read them. */
async function startParse(cluster: Cluster): Promise<Backend> {
  await cluster.createDatabase('parse');
  const databaseUrl = 'postgresql://postgres@127.0.0.1:5432/parse';
  const masterKey = randomBytes(16).toString('hex');
  const child = await startChild(['bench/peers/parse-process.ts'], {
    DATABASE_URL: databaseUrl,
    PARSE_MASTER_KEY: masterKey,
    PARSE_PORT,
    NODE_ENV: 'production',
    PARSE_SERVER_LOGS_FOLDER: tmpdir(),
  });
  const url = child.readyValues.url as string;
  const users: { objectId: string; headers: Record<string, string>; wallet: string }[] = [];
  const post = async (to: string, headers: Record<string, string>, body: object): Promise<ParseAnswer> => {
    const response = await fetch(url + to, {
      method: 'POST',
      headers: { 'X-Parse-Application-Id': 'bench', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as ParseAnswer;
    if (!response.ok) throw new Error(`${to}: ${JSON.stringify(answer)}`);
    return answer;
  };
  for (let number = 0; number < MEMBERS; number++) {
    const { objectId, sessionToken } = await post(
      '/users',
      {},
      { username: `member${number}`, password: 'bench' },
    );
    const headers = { 'X-Parse-Application-Id': 'bench', 'X-Parse-Session-Token': sessionToken };
    const ACL = { [objectId]: { read: true } };
    const wallet = await post('/classes/Wallet', headers, { balance: 100, ACL });
    users.push({ objectId, headers, wallet: wallet.objectId });
  }
  const [richest] = users as [(typeof users)[number]];
  await fillParse(databaseUrl, richest.objectId);
  const anyUser = () => users[Math.floor(Math.random() * users.length)] as (typeof users)[number];
  const where = encodeURIComponent(
    JSON.stringify({ owner: { __type: 'Pointer', className: '_User', objectId: richest.objectId } }),
  );
  const page = (number: number) => () =>
    request(
      'GET',
      `/classes/Entry?where=${where}&order=-createdAt&limit=${PAGE}&skip=${(number - 1) * PAGE}`,
      richest.headers,
    );
  return {
    url,
    pid: child.process.pid as number,
    postmasterPid: cluster.pid as number,
    requests: {
      read: () => {
        const { headers, wallet } = anyUser();
        return request('GET', `/classes/Wallet/${wallet}`, headers);
      },
      write: () => request('POST', `/classes/Message`, anyUser().headers, { text: 'Gold breaks out' }),
      'page 1': page(1),
      'last page': page(LAST_PAGE),
    },
    stop: () => child.stop(),
  };
}

interface ParseAnswer {
  objectId: string;
  sessionToken: string;
}

/** A million entries of one member, with the index that its pages need. */
async function fillParse(databaseUrl: string, owner: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into "Entry" ("objectId", "createdAt", "updatedAt", owner, amount, _rperm, _wperm)
     select 'e' || lpad(to_hex(i), 9, '0'), at, at, $1, 1, array[$1], array[]::text[]
     from (select i, now() - (${ROWS} - i) * interval '1 second' as at from generate_series(1, ${ROWS}) i) made`,
    [owner],
  );
  await client.query('create index on "Entry" (owner, "createdAt" desc)');
  await client.query('vacuum analyze');
  await client.end();
}
