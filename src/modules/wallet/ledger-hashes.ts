import { hash } from 'node:crypto';
import type { Entry } from './postings.ts';
import type { TransactionRecord } from './transactions.store.ts';

// Migration 0002 computes the same in SQL, where the whole chain is verified.

/** SHA-256, in hexadecimal, of what never changes of a transaction. Its free text stands last, so that no text can pass for another field. */
export function transactionDigest(
  record: Omit<TransactionRecord, 'metadata'>,
  metadata: string,
  at: Date,
): string {
  const { id, type, fromUserId, toUserId, amount, description } = record;
  const fields = [id, type, fromUserId ?? '', toUserId ?? '', amount, at.getTime(), metadata, description];
  return hash('sha256', fields.join('\n'), 'hex');
}

/** The hash of an entry, and through that of the one before it on its account of everything before. */
export function entryHash(previous: Buffer, digest: string, entry: Omit<Entry, 'hash'>, at: Date): Buffer {
  const { accountId, seq, amount, balanceBefore, balanceAfter, received } = entry;
  const fields = [accountId, seq, amount, balanceBefore, balanceAfter, received, at.getTime()];
  return hash('sha256', `${previous.toString('hex')}\n${digest}\n${fields.join('\n')}`, 'buffer');
}
