import { createHash } from 'node:crypto';
import type { Database } from '../../../kernel/database/database.ts';
import type { Queries } from '../../../kernel/database/queries.ts';
import type { LedgerFault, Verification } from '../contract.ts';
import { FRESH_INVARIANTS, FRESH_TRANSACTIONS, INVARIANTS } from './invariants.store.ts';
import { ISSUED } from './ledger.store.ts';
import { type Head, headsIn } from './proven-heads.store.ts';

const SHOWN = 5;

type Figures = Omit<Verification, 'head' | 'faults'>;

const CIRCULATION = `${ISSUED} as issued, (select coalesce(sum(balance), 0)::bigint from wallet.account where kind in ('wallet', 'hold')) as in_circulation`;

interface VerifyOptions {
  /**
   * The number of proven transactions, if only what is beyond the proven heads is to be verified; otherwise the whole
   * ledger is.
   */
  sinceTransactions?: number;
  /** Receives the accounts that have entries beyond their proven heads, a few thousand at a time, unless there are faults. */
  onHeads?: (heads: Head[]) => Promise<void>;
}

async function headOf(queries: Queries, onHeads?: (heads: Head[]) => Promise<void>): Promise<string> {
  const hash = createHash('sha256');
  for await (const heads of headsIn(queries)) {
    for (const head of heads) hash.update(`${head.accountId} ${head.hash.toString('hex')}\n`);
    await onHeads?.(heads);
  }
  return hash.digest('hex');
}

/** Returns the size and the head of the ledger in a snapshot. */
export const ledgerStateIn = async (
  queries: Queries,
): Promise<Pick<Verification, 'entries' | 'transactions' | 'head'>> => ({
  entries: await queries.count('select count(*) from wallet.entry'),
  transactions: await queries.count('select count(*) from wallet.transaction'),
  head: await headOf(queries),
});

async function faultsIn(queries: Queries, invariants: Record<string, string>): Promise<LedgerFault[]> {
  const faults: LedgerFault[] = [];
  for (const [invariant, query] of Object.entries(invariants)) {
    const rows = await queries.all<{ at: unknown }>(`${query} limit ${SHOWN}`);
    if (rows.length > 0) faults.push({ invariant, at: rows.map(({ at }) => String(at)) });
  }
  return faults;
}

/** Entries have no gaps, so that the accounts know how many there are. */
async function freshFigures(queries: Queries, sinceTransactions: number): Promise<Figures> {
  const figures = await queries.first<Omit<Figures, 'transactions'>>(
    `select (select coalesce(sum(last_seq), 0)::bigint from wallet.account) as entries, ${CIRCULATION}`,
  );
  const transactions = sinceTransactions + (await queries.count(FRESH_TRANSACTIONS));
  return { ...(figures as Omit<Figures, 'transactions'>), transactions };
}

const wholeFigures = async (queries: Queries): Promise<Figures> =>
  (await queries.first<Figures>(
    `select (select count(*) from wallet.entry) as entries, (select count(*) from wallet.transaction) as transactions,
       ${CIRCULATION}`,
  )) as Figures;

/**
 * Checks a snapshot of the ledger. PostgreSQL does the work; memory use does not grow with the ledger. On a replica the
 * work may be repeated, and then yields its heads again.
 */
export async function verifyLedger(
  database: Database,
  { sinceTransactions, onHeads }: VerifyOptions = {},
): Promise<Verification> {
  const verify = async (queries: Queries): Promise<Verification> => {
    const isWhole = sinceTransactions === undefined;
    const faults = await faultsIn(queries, isWhole ? INVARIANTS : FRESH_INVARIANTS);
    const figures = isWhole ? await wholeFigures(queries) : await freshFigures(queries, sinceTransactions);
    const head = await headOf(queries, async (heads) => {
      const fresh = heads.filter(({ isProven }) => !isProven);
      if (faults.length === 0 && fresh.length > 0) await onHeads?.(fresh);
    });
    return { ...figures, head, faults };
  };
  return database.snapshot(verify, { onReplica: true });
}
