// Prints our figure, the limit measured in the same run, and the ratio. `npm run bench`; on two idle cores.
import { hash, verify } from '@node-rs/argon2';
import { startChild } from './children.ts';
import { cpuOf } from './cpu.ts';
import { startFixture } from './fixture.ts';
import { type LoadResult, load, request } from './load.ts';
import { giveMillion } from './million.ts';
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
  target?: number,
): void {
  const wrong = Object.entries(ours.statuses).filter(([status]) => !status.startsWith('2'));
  if (wrong.length > 0)
    throw new Error(`${name}: not all were answered well: ${JSON.stringify(ours.statuses)}`);
  rows.push({
    name,
    figure: `${rate(ours.perSecond)} (p50 ${ours.p50Ms.toFixed(1)} ms, p99 ${ours.p99Ms.toFixed(1)} ms)`,
    limit: limit === undefined ? `${limitName}: not found` : `${limitName}: ${rate(limit)}`,
    ratio: limit === undefined ? '-' : (ours.perSecond / limit).toFixed(2),
    target: target?.toFixed(1) ?? '-',
  });
}

/** Verifications a second with the parameters we use, two at once as we do, and nothing else. */
async function argon2Rate(seconds: number): Promise<number> {
  const stored = await hash('a password', { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const until = performance.now() + seconds * 1000;
  let count = 0;
  const lane = async () => {
    for (; performance.now() < until; count++) await verify(stored, 'a password');
  };
  await Promise.all([lane(), lane()]);
  return count / seconds;
}

const fixture = await startFixture(MEMBERS);
const bare = await startChild(['bench/bare-server.ts'], { DATABASE_URL: fixture.databaseUrl });
try {
  const { members, apiKeys, unlimitedKey, credentials, url } = fixture;
  const anyOf = <T>(items: T[]): T => items[Math.floor(Math.random() * items.length)] as T;
  const headersOf = (token: string) => ({ 'x-api-key': anyOf(apiKeys), authorization: `Bearer ${token}` });

  const reads = members.flatMap(({ token }) =>
    apiKeys
      .slice(0, 10)
      .map((key) => request('GET', '/v1/wallets/balance', { ...headersOf(token), 'x-api-key': key })),
  );
  const bareReads = members.map(({ id }) => request('GET', `/balance/${id}`, {}));
  const loadBare = (connections: number) =>
    load({ url: bare.said.url as string, connections, seconds: SECONDS, next: () => anyOf(bareReads) });
  const loadReads = (connections: number) =>
    load({ url, connections, seconds: SECONDS, next: () => anyOf(reads) });
  const bareRate = await loadBare(CONNECTIONS);
  const readRate = await loadReads(CONNECTIONS);
  record('balance reads', readRate, bareRate.perSecond, 'bare Fastify, same query', 0.7);

  for (const connections of [1, CONNECTIONS]) {
    const without = await cpuOf(bare.process.pid as number, () => loadBare(connections));
    const whole = await cpuOf(fixture.pid, () => loadReads(connections));
    rows.push({
      name: `API key, token, session, rate limit, envelope; ${connections} connection${connections > 1 ? 's' : ''}`,
      figure: `${whole.toFixed(0)} us of CPU a request`,
      limit: `without them: ${without.toFixed(0)} us`,
      ratio: `+${(whole - without).toFixed(0)} us`,
      target: '+100 us',
    });
  }
  const bareHistory = members.map(({ id }) => request('GET', `/history/${id}`, {}));
  const bareHistoryRate = await load({
    url: bare.said.url as string,
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: () => anyOf(bareHistory),
  });

  const signIn = () =>
    request(
      'POST',
      '/v1/auth/signin',
      { 'x-api-key': anyOf(apiKeys) },
      { ...anyOf(credentials), platform: 'web', device: 'bench' },
    );
  const signInRate = await load({ url, connections: 8, seconds: SECONDS, next: signIn });
  record('sign-ins, 8 connections', signInRate, await argon2Rate(SECONDS / 2), 'argon2id alone, two at once');

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

  const histories = members.map(
    ({ token }) =>
      () =>
        request('GET', '/v1/wallets/transactions', headersOf(token)),
  );
  const mixed = () => {
    const dice = Math.random();
    if (dice < 0.7) return anyOf(reads);
    return dice < 0.9 ? uniform() : anyOf(histories)();
  };
  const mixedRate = await load({ url, connections: CONNECTIONS, seconds: SECONDS, next: mixed });
  const parts = tps && 1 / (0.7 / bareRate.perSecond + 0.2 / tps + 0.1 / bareHistoryRate.perSecond);
  record('70 % balance, 20 % transfer, 10 % history', mixedRate, parts, 'the limits of its parts, mixed');

  const rich = anyOf(members);
  await giveMillion(fixture.databaseUrl, rich.id);
  const bareRich = () => request('GET', `/history/${rich.id}`, {});
  const bareRichRate = await load({
    url: bare.said.url as string,
    connections: CONNECTIONS,
    seconds: SECONDS,
    next: bareRich,
  });
  const ofRich = { ...headersOf(rich.token), 'x-api-key': unlimitedKey };
  const deep = (query: string, pages: number) => () => {
    const page = 1 + Math.floor(Math.random() * pages);
    return request('GET', `/v1/wallets/transactions?page=${page}${query}`, ofRich);
  };
  const ofMillion: [string, () => Buffer][] = [
    ['history of a million, first page', deep('', 1)],
    ['history of a million, any page', deep('', 20_000)],
    ['the same, transfers only', deep('&type=transfer', 17_900)],
    ['the same, the last year only', deep('&startDate=2026-01-01', 10_000)],
    ['statistics of a million', () => request('GET', '/v1/wallets/statistics', ofRich)],
  ];
  for (const [name, next] of ofMillion) {
    const rateOf = await load({ url, connections: CONNECTIONS, seconds: SECONDS / 2, next });
    record(name, rateOf, bareRichRate.perSecond, 'bare Fastify, the first page');
  }
} finally {
  await bare.stop();
  await fixture.stop();
}
console.table(rows);
