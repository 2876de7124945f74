import type { ObjectId } from '../../../kernel/ids.ts';
import { csvLine } from '../../../kernel/text/csv.ts';
import { walletNotFound } from '../contract.ts';
import type { Period } from '../ledger/entry-ranges.store.ts';
import type { StatementEntry, StatementStore } from './statements.store.ts';

/** Yields a statement as CSV (RFC 4180): opening balance, entries, closing balance. */
async function* toCsv(
  { from, to }: Period,
  { openingBalance, closingBalance, entries }: NonNullable<Awaited<ReturnType<StatementStore>>>,
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
  for await (const some of entries) yield some.map(lineOf).join('');
  yield csvLine(to, '', 'closing balance', '', '', '', '', '', closingBalance);
}

const lineOf = (entry: StatementEntry): string => {
  const { at, transactionId, type, status, fromUserId, toUserId, description, change, balanceAfter } = entry;
  return csvLine(at, transactionId, type, status, fromUserId, toUserId, description, change, balanceAfter);
};

export function statementRules(read: StatementStore) {
  /** @throws walletNotFound */
  async function of(userId: ObjectId, period: Period) {
    const found = await read(userId, period);
    if (!found) throw walletNotFound();
    return found;
  }
  return {
    of,
    /** @throws walletNotFound */
    csvOf: async (userId: ObjectId, period: Period): Promise<AsyncIterable<string>> =>
      toCsv(period, await of(userId, period)),
  };
}

export type StatementRules = ReturnType<typeof statementRules>;
