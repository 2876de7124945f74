// Prints our figure, the limit measured in the same run, and the ratio. `npm run bench`; on two idle cores.
import { startChild } from './children.ts';
import { startFixture } from './fixture.ts';
import { type LoadResult, load, request } from './load.ts';
import { tpcB } from './pgbench.ts';

const MEMBERS = 1_000;
const CONNECTIONS = 32;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

interface Row {
  name: string;
  figure: string;
  limit: string;
  ratio: string;
  target: string;
}

const rows: Row[] = [];
const rate = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en-US')}/s`;

function record(
  name: string,
  ours: LoadResult,
  limit: number | undefined,
  limitName: string,
  target: number,
): void {
  const wrong = Object.entries(ours.statuses).filter(([status]) => !status.startsWith('2'));
  if (wrong.length > 0)
    throw new Error(`${name}: not all were answered well: ${JSON.stringify(ours.statuses)}`);
  rows.push({
    name,
    figure: `${rate(ours.perSecond)} (p50 ${ours.p50Ms.toFixed(1)} ms, p99 ${ours.p99Ms.toFixed(1)} ms)`,
    limit: limit === undefined ? `${limitName}: not found` : `${limitName}: ${rate(limit)}`,
    ratio: limit === undefined ? '-' : (ours.perSecond / limit).toFixed(2),
    target: target.toFixed(1),
  });
}

const fixture = await startFixture(MEMBERS);
try {
  const { members, apiKeys, url } = fixture;
  const anyOf = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)] as T;
  const headersOf = (token: string) => ({ 'x-api-key': anyOf(apiKeys), authorization: `Bearer ${token}` });

  const reads = members.flatMap(({ token }) =>
    apiKeys
      .slice(0, 10)
      .map((key) => request('GET', '/v1/wallets/balance', { ...headersOf(token), 'x-api-key': key })),
  );
  const bare = await startChild(['bench/bare-server.ts'], { DATABASE_URL: fixture.databaseUrl });
  const bareReads = members.map(({ id }) => request('GET', `/balance/${id}`, {}));
  const bareRate = await load({
    url: bare.said.url as string,
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: () => anyOf(bareReads),
  });
  await bare.stop();
  const readRate = await load({ url, connections: CONNECTIONS, seconds: SECONDS, next: () => anyOf(reads) });
  record('balance reads', readRate, bareRate.perSecond, 'bare Fastify, same query', 0.7);

  await fixture.createDatabase('pgbench');
  const transferTo = (recipient: string) => ({ toUserId: recipient, amount: 1, description: 'bench' });
  const uniform = () => {
    const sender = anyOf(members);
    let recipient = anyOf(members);
    while (recipient === sender) recipient = anyOf(members);
    return request('POST', '/v1/wallets/transfer', headersOf(sender.token), transferTo(recipient.id));
  };
  const [hot, ...others] = members;
  const toHot = () =>
    request('POST', '/v1/wallets/transfer', headersOf(anyOf(others).token), transferTo(hot?.id as string));
  const tps = tpcB(fixture.urlOf('pgbench'), SECONDS);
  const uniformRate = await load({ url, connections: CONNECTIONS, seconds: SECONDS, next: uniform });
  record('transfers, uniform over 1,000 wallets', uniformRate, tps, 'pgbench TPC-B, 8 clients', 1);
  const hotRate = await load({ url, connections: CONNECTIONS, seconds: SECONDS, next: toHot });
  record('transfers, one hot recipient', hotRate, tps, 'pgbench TPC-B, 8 clients', 1);
} finally {
  await fixture.stop();
}
console.table(rows);
