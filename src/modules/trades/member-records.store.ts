import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const tradeRecords: MemberRecords[] = [
  {
    name: 'trades',
    isErased: false,
    tables: ['trades.trade'],
    count: counting('trades.count-of-member', 'trades.trade where user_id = $1'),
    exported: [
      exporting('trades', {
        about: 'Your trade ideas',
        columns: `id, symbol, direction, entry_price, stop_loss, take_profit, note, status, exit_price, created_at, updated_at, closed_at`,
        from: 'trades.trade where user_id = $1',
      }),
    ],
  },
];
