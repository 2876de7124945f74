// The cost of authentication, rate limits and the envelope for a read of one row.
import { cpuOf } from '../cpu.ts';
import { load } from '../load.ts';
import { SECONDS } from '../paired.ts';
import type { Scene } from '../scene.ts';
import { compared, type Row } from '../table.ts';

export async function balances(scene: Scene): Promise<Row[]> {
  const { requests, ours, limit, fixture, bare } = scene;
  const turns = await scene.interleave('balances', {
    ours: ours(requests.balance),
    bare: limit(requests.bareBalance),
  });
  const rows = [
    compared({
      what: 'balance reads, 32 connections',
      ours: turns.ours,
      limit: turns.bare,
      limitName: 'bare Fastify, the same query',
      target: 0.7,
    }),
  ];
  for (const connections of [1, 32]) {
    const of = (url: string, next: () => Buffer) => () => load({ url, connections, seconds: SECONDS, next });
    const without = await cpuOf(
      bare.process.pid as number,
      of(bare.readyValues.url as string, requests.bareBalance),
    );
    const whole = await cpuOf(fixture.pid, of(fixture.url, requests.balance));
    rows.push({
      what: `API key, token, session, rate limit, envelope; ${connections} connection${connections > 1 ? 's' : ''}`,
      ours: `${whole.toFixed(0)} us of CPU a request`,
      limit: `without them: ${without.toFixed(0)} us`,
      ratio: `+${(whole - without).toFixed(0)} us`,
      target: '+100 us',
    });
  }
  return rows;
}
