import { orEmpty, type PackedRow, packedColumns, unpacked } from '../../../kernel/database/packed-rows.ts';
import { isoText } from '../../../kernel/database/timestamps.ts';
import type { HistoryRow } from './transactions.model.ts';

const COLUMNS = [
  ...['transaction.id', 'transaction.type', 'status', orEmpty('from_user_id'), orEmpty('to_user_id')],
  ...['transaction.amount', 'entry.amount', 'balance_before', 'balance_after'],
  ...['transaction.created_at', orEmpty('processed_at'), 'metadata', 'description'],
];

/** Selects a transaction with its entry; {@link historyRow} reads it. */
export const HISTORY_ROW = packedColumns(COLUMNS);

export function historyRow(row: PackedRow): HistoryRow {
  const texts = unpacked(row, COLUMNS.length);
  const text = (place: number): string => texts[place] as string;
  return {
    id: text(0),
    type: text(1) as HistoryRow['type'],
    status: text(2) as HistoryRow['status'],
    fromUserId: text(3) || null,
    toUserId: text(4) || null,
    amount: Number(text(5)),
    change: Number(text(6)),
    balanceBefore: Number(text(7)),
    balanceAfter: Number(text(8)),
    createdAt: isoText(text(9)),
    processedAt: text(10) === '' ? null : isoText(text(10)),
    metadata: JSON.parse(text(11)),
    description: text(12),
  };
}
