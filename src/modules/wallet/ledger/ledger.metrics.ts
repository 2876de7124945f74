import type { Metric } from '../../../kernel/metric.ts';

/** The result of the latest ledger verification, NaN before the first, and counts of how this process posts. */
export const ledgerMetrics = (
  lastVerification: () => Promise<{ faults: number; at: Date } | undefined>,
  batchesAtOnce: { posted: number; stale: number },
): Metric[] => [
  {
    name: 'ledger_batches_at_once_total',
    help: 'Batches of transfers that this process has posted in one statement, with remembered accounts',
    read: () => batchesAtOnce.posted,
  },
  {
    name: 'ledger_batches_stale_total',
    help: 'Batches of transfers that this process had to post under locks, because a remembered account had changed',
    read: () => batchesAtOnce.stale,
  },
  {
    name: 'ledger_broken_invariants',
    help: 'Invariants of the ledger that were violated at its last verification; NaN before the first',
    read: async () => (await lastVerification())?.faults ?? Number.NaN,
  },
  {
    name: 'ledger_verified_timestamp_seconds',
    help: 'When the ledger was last verified; NaN before',
    read: async () => ((await lastVerification())?.at.getTime() ?? Number.NaN) / 1000,
  },
];
