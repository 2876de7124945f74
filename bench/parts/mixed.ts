// Which share of the combined rates of its parts does a mixed load reach? The limits are measured on the same rows,
// after transfers have filled each page of history.
import { drain } from '../backlog.ts';
import { load } from '../load.ts';
import type { Turn } from '../paired.ts';
import { MEMBERS, type Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

const PAGE = 50;

/** Makes transfers until most members have a full page of them. */
async function fillPages({ fixture, requests, ask }: Scene): Promise<number> {
  for (;;) {
    const [row] = await ask(
      `select avg(least(last_seq, ${PAGE})) as filled from wallet.account where kind = 'wallet'`,
    );
    const filled = Number(row?.filled);
    console.error(`a page of history has ${filled.toFixed(1)} rows`);
    if (filled > 0.9 * PAGE) return filled;
    await load({
      url: fixture.url,
      connections: 32,
      seconds: (MEMBERS * PAGE) / 30_000,
      next: requests.uniformTransfer,
    });
  }
}

export async function mixed(scene: Scene): Promise<Row[]> {
  const { ours, limit, requests } = scene;
  const rowsOfPage = await fillPages(scene);
  const { simple, prepared } = await scene.pgbench();
  const turns = await scene.interleave('mixed', {
    ours: ours(requests.mixed),
    balance: ours(requests.balance),
    transfers: ours(requests.uniformTransfer),
    history: ours(requests.history),
    'bare balance': limit(requests.bareBalance),
    'bare history': limit(requests.bareHistory),
    ...(simple && prepared ? { simple, prepared } : {}),
  });
  /** Returns the combined rate of the parts in their shares of the load, if they did not affect each other. */
  const together = (balances: Turn[], transfers: Turn[], histories: Turn[]): Turn[] =>
    balances.map((balance, round) => ({
      perSecond:
        1 /
        (0.7 / balance.perSecond +
          0.2 / (transfers[round] as Turn).perSecond +
          0.1 / (histories[round] as Turn).perSecond),
    }));
  const limitWith = (transfers: Turn[] | undefined): Turn[] | undefined =>
    transfers && together(turns['bare balance'], transfers, turns['bare history']);
  await drain(scene);
  const what = '70 % balance, 20 % transfer, 10 % history';
  return [
    compared({
      what: `history, a page of ${rowsOfPage.toFixed(0)} rows`,
      ours: turns.history,
      limit: turns['bare history'],
      limitName: 'bare Fastify, the same page',
    }),
    compared({
      what,
      ours: turns.ours,
      limit: limitWith(turns.prepared),
      limitName: 'the limits of its parts, mixed; pgbench prepared',
      target: 0.8,
    }),
    compared({
      what,
      ours: turns.ours,
      limit: limitWith(turns.simple),
      limitName: 'the same with pgbench by the simple protocol',
    }),
    compared({
      what,
      ours: turns.ours,
      limit: together(turns.balance, turns.transfers, turns.history),
      limitName: 'our own parts, each alone, mixed',
    }),
  ];
}
