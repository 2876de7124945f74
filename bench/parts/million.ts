// Does a wallet with a million entries answer as fast as the first page of its history?

import { request } from '../load.ts';
import { giveMillion } from '../million.ts';
import type { Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

export async function million(scene: Scene): Promise<Row[]> {
  const { fixture, requests, ours, limit } = scene;
  console.error('a member is given a million entries');
  await giveMillion(fixture.databaseUrl, requests.richest.id);
  const deep = (query: string, pages: number) => () => {
    const page = 1 + Math.floor(Math.random() * pages);
    return requests.ofRichest(`/v1/wallets/transactions?page=${page}${query}`);
  };
  const all = {
    'first page': deep('', 1),
    'any page': deep('', 20_000),
    'transfers only, any page': deep('&type=transfer', 17_900),
    'fundings only, any page': deep('&type=fund', 2_000),
    'completed transfers of the last days, any page': deep(
      '&type=transfer&status=completed&startDate=2026-01-01',
      1_000,
    ),
    'the last year only': deep('&startDate=2026-01-01', 10_000),
    statistics: () => requests.ofRichest('/v1/wallets/statistics'),
    'statistics of the last year': () => requests.ofRichest('/v1/wallets/statistics?startDate=2026-01-01'),
  };
  const bareFirst = () => request('GET', `/history/${requests.richest.id}`, {});
  const variants = Object.entries(all).map(([name, next]) => [name, ours(next)] as const);
  const turns = await scene.interleave('a million entries', {
    ...Object.fromEntries(variants),
    bare: limit(bareFirst),
  });
  return Object.keys(all).map((name) =>
    compared({
      what: `a million entries: ${name}`,
      ours: turns[name as 'bare'],
      limit: turns.bare,
      limitName: 'bare Fastify, the first page',
    }),
  );
}
