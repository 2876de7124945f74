import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const tradeRecords: MemberRecords[] = [
  {
    name: 'trades',
    isErased: false,
    tables: ['trades.trade'],
    count: counting('trades.count-of-member', 'trades.trade where user_id = $1'),
  },
];
