import { cpuText, median, rate, type Turn } from './paired.ts';

/** A line of the printed table. */
export interface Row {
  what: string;
  ours: string;
  /** CPU of the server, PostgreSQL and the generator. */
  'CPU us a request'?: string;
  limit: string;
  'its CPU us'?: string;
  ratio: string;
  target: string;
}

interface Compared {
  what: string;
  ours: Turn[];
  limit: Turn[] | undefined;
  limitName: string;
  target?: number;
}

/** Compares turns of the same rounds: the ratio is the median of the rounds' ratios, with their minimum and maximum. */
export function compared({ what, ours, limit, limitName, target }: Compared): Row {
  const latency = (part: 'p50Ms' | 'p99Ms') => median(ours.map((turn) => turn[part] ?? 0)).toFixed(1);
  const perSecond = (turns: Turn[]) => rate(median(turns.map((turn) => turn.perSecond)));
  const row = {
    what,
    ours: `${perSecond(ours)} (p50 ${latency('p50Ms')} ms, p99 ${latency('p99Ms')} ms)`,
    'CPU us a request': cpuText(ours),
    target: target?.toFixed(1) ?? '-',
  };
  if (!limit) return { ...row, limit: `${limitName}: not found`, ratio: '-' };
  const ratios = ours.map(({ perSecond }, round) => perSecond / (limit[round] as Turn).perSecond);
  const [least, greatest] = [Math.min(...ratios), Math.max(...ratios)];
  const isMeasured = limit.every(({ cpuUs }) => cpuUs !== undefined);
  return {
    ...row,
    limit: `${limitName}: ${perSecond(limit)}`,
    ...(isMeasured ? { 'its CPU us': cpuText(limit) } : {}),
    ratio: `${median(ratios).toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)})`,
  };
}
