import type { Metric } from '../../kernel/metric.ts';

/** The result of the latest ledger verification; NaN before the first. */
export const ledgerMetrics = (
  lastVerification: () => Promise<{ faults: number; at: Date } | undefined>,
): Metric[] => [
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
