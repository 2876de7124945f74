import { failure } from '../../../kernel/failures.ts';
import type { ObjectId } from '../../../kernel/ids.ts';
import { csvLine } from '../../../kernel/text/csv.ts';
import { walletNotFound } from '../contract.ts';
import type { Period } from '../ledger/entry-ranges.model.ts';
import { transactionIdOf } from '../ledger/transactions.model.ts';
import type { StatementEntry } from './statements.model.ts';
import type { StatementStore } from './statements.store.ts';

/** Members get no streamed statements, of which a process sends two at once: these are for administrators. */
export const MAX_OWN_ENTRIES = 1_000;
export const statementTooLong = failure(
  400,
  'STATEMENT_TOO_LONG',
  `The period has more than ${MAX_OWN_ENTRIES.toLocaleString('en')} entries; ask for a shorter one`,
);

type Statement = Omit<NonNullable<Awaited<ReturnType<StatementStore>>>, 'entries'> & {
  entries: AsyncGenerator<StatementLine[]>;
};

export type StatementSums = Omit<Statement, 'entries'>;

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
    /** Returns a statement with all of its entries. @throws walletNotFound, statementTooLong */
    async whole(userId: ObjectId, period: Period): Promise<StatementSums & { entries: StatementLine[] }> {
      const { entries, ...sums } = await of(userId, period);
      if (sums.entryCount > MAX_OWN_ENTRIES) throw statementTooLong();
      return { ...sums, entries: (await Array.fromAsync(entries)).flat() };
    },
    /** @throws walletNotFound */
    csvOf: async (userId: ObjectId, period: Period): Promise<AsyncIterable<string>> =>
      toCsv(period, await of(userId, period)),
  };
}

export type StatementRules = ReturnType<typeof statementRules>;
