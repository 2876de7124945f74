import { hash } from 'node:crypto';
import type { Entry } from './postings.model.ts';
import type { TransactionRecord } from './transactions.model.ts';

// Migration 0002 computes the same hashes in SQL to verify the whole chain.

/**
 * Returns the SHA-256, in hexadecimal, of the immutable fields of a transaction. Free text comes last, so that it
 * cannot be mistaken for another field.
 */
export function transactionDigest(
  record: Omit<TransactionRecord, 'metadata'>,
  metadata: string,
  at: Date,
): string {
  const { id, type, fromUserId, toUserId, amount, description } = record;
  const fields = [id, type, fromUserId ?? '', toUserId ?? '', amount, at.getTime(), metadata, description];
  return hash('sha256', fields.join('\n'), 'hex');
}

/** Returns the hash of an entry, which covers the hash of the account's previous entry and thereby all earlier ones. */
export function entryHash(previous: Buffer, digest: string, entry: Omit<Entry, 'hash'>, at: Date): Buffer {
  const { accountId, seq, amount, balanceBefore, balanceAfter, received } = entry;
  const fields = [accountId, seq, amount, balanceBefore, balanceAfter, received, at.getTime()];
  return hash('sha256', `${previous.toString('hex')}\n${digest}\n${fields.join('\n')}`, 'buffer');
}
