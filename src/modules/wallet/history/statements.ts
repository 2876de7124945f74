import type { ObjectId } from '../../../kernel/ids.ts';
import { csvLine } from '../../../kernel/text/csv.ts';
import { walletNotFound } from '../contract.ts';
import type { Period } from '../ledger/entry-ranges.model.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { StatementEntry } from './statements.model.ts';
import type { StatementStore } from './statements.store.ts';

type Statement = Omit<NonNullable<Awaited<ReturnType<StatementStore>>>, 'entries'> & {
  entries: AsyncGenerator<StatementLine[]>;
};

type StatementLine = ReturnType<typeof lineOf>;

const lineOf = ({ id, ...entry }: StatementEntry) => ({ ...entry, transactionId: transactionIdOf(id) });

async function* linesOf(chunks: AsyncIterable<StatementEntry[]>): AsyncGenerator<StatementLine[]> {
  for await (const entries of chunks) yield entries.map(lineOf);
}

/** Yields a statement as CSV (RFC 4180): opening balance, entries, closing balance. */
async function* toCsv(
  { from, to }: Period,
  { openingBalance, closingBalance, entries }: Statement,
): AsyncGenerator<string> {
  yield csvLine(
    'date',
    'transactionId',
    'type',
    'status',
    'fromUserId',
    'toUserId',
    'description',
    'amount',
    'balance',
  );
  yield csvLine(from, '', 'opening balance', '', '', '', '', '', openingBalance);
  for await (const some of entries) yield some.map(csvLineOf).join('');
  yield csvLine(to, '', 'closing balance', '', '', '', '', '', closingBalance);
}

const csvLineOf = (entry: StatementLine): string => {
  const { at, transactionId, type, status, fromUserId, toUserId, description, change, balanceAfter } = entry;
  return csvLine(at, transactionId, type, status, fromUserId, toUserId, description, change, balanceAfter);
};

export function statementRules(read: StatementStore) {
  /** @throws walletNotFound */
  async function of(userId: ObjectId, period: Period): Promise<Statement> {
    const found = await read(userId, period);
    if (!found) throw walletNotFound();
    return { ...found, entries: linesOf(found.entries) };
  }
  return {
    of,
    /** @throws walletNotFound */
    csvOf: async (userId: ObjectId, period: Period): Promise<AsyncIterable<string>> =>
      toCsv(period, await of(userId, period)),
  };
}

export type StatementRules = ReturnType<typeof statementRules>;
