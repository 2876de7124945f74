import type { Metric } from '../../../kernel/metric.ts';

const GROUP = 'Money' as const;

/** The result of the latest ledger verification, NaN before the first, and counts of how this process posts. */
export const ledgerMetrics = (
  lastVerification: () => Promise<{ faults: number; at: Date; wholeAt: Date | null } | undefined>,
  batchesAtOnce: { posted: number; stale: number },
): Metric[] => [
  {
    name: 'ledger_batches_at_once_total',
    help: 'Batches of transfers that this process has posted in one statement, with remembered accounts',
    scope: 'process',
    group: GROUP,
    read: () => batchesAtOnce.posted,
  },
  {
    name: 'ledger_batches_stale_total',
    help: 'Batches of transfers that this process had to post under locks, because a remembered account had changed; near the number of the others when several processes post to one wallet',
    scope: 'process',
    group: GROUP,
    read: () => batchesAtOnce.stale,
  },
  {
    name: 'ledger_broken_invariants',
    help: 'Invariants of the ledger of the installation that were violated at its last verification; NaN before the first',
    scope: 'installation',
    group: GROUP,
    read: async () => (await lastVerification())?.faults ?? Number.NaN,
    alerts: [
      {
        name: 'LedgerBroken',
        query: 'max(ledger_broken_invariants)',
        condition: '> 0',
        minutes: 0,
        severity: 'page',
        means:
          'The ledger contradicts itself: somebody wrote to its tables by hand, a disk is faulty, or the program has an error. Balances may be wrong.',
        steps: [
          'Run `npm run platform -- verify`, which lists what is broken, and keep what it prints.',
          'Do not repair rows by hand. Keep a copy of the database as it is, and find out who or what wrote the rows it names.',
          'Consider to stop payouts until it is explained: start all processes without `PAYMENT_PROVIDER`. Withdrawals then wait, members cannot buy Keys (503), and with the setting back payouts go on by themselves.',
        ],
      },
    ],
  },
  {
    name: 'ledger_verified_timestamp_seconds',
    help: 'When the ledger of the installation was last verified, in seconds since 1970; NaN before',
    scope: 'installation',
    group: GROUP,
    read: async () => ((await lastVerification())?.at.getTime() ?? Number.NaN) / 1000,
    alerts: [
      {
        name: 'LedgerUnverified',
        query: 'time() - max(ledger_verified_timestamp_seconds)',
        condition: '> 26 * 3600',
        minutes: 15,
        severity: 'ticket',
        means: 'The nightly proof of the ledger has not run: a broken ledger would not be noticed.',
        steps: [
          'Look at the job `wallet.verify` in the console, and at its last error.',
          'Run `npm run platform -- verify` by hand meanwhile.',
        ],
      },
      {
        name: 'LedgerNeverVerified',
        // NaN differs from itself.
        query: 'max(ledger_verified_timestamp_seconds != bool ledger_verified_timestamp_seconds)',
        condition: '> 0',
        minutes: 26 * 60,
        severity: 'ticket',
        means: 'The ledger has never been proven since the installation began, more than a day ago.',
        steps: ['As for `LedgerUnverified`: the nightly job has never run to its end.'],
      },
    ],
  },
  {
    name: 'ledger_verified_whole_timestamp_seconds',
    help: 'When the whole ledger of the installation was last verified, not only what came after the last proof, in seconds since 1970; NaN before',
    scope: 'installation',
    group: GROUP,
    read: async () => ((await lastVerification())?.wholeAt?.getTime() ?? Number.NaN) / 1000,
    alerts: [
      {
        name: 'LedgerUnverifiedWhole',
        query: 'time() - max(ledger_verified_whole_timestamp_seconds)',
        condition: '> 9 * 24 * 3600',
        minutes: 15,
        severity: 'ticket',
        means:
          'The weekly proof of the whole ledger has not run: a change of older entries would not be noticed, since the nightly proofs read only what is new.',
        steps: [
          'Look at the job `wallet.verify` in the console: does it run into its time limit of four hours?',
          'Run `npm run platform -- verify` by hand, which reads the whole ledger.',
        ],
      },
    ],
  },
];
