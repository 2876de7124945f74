import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const walletRecords: MemberRecords[] = [
  {
    name: 'walletEntries',
    isErased: false,
    tables: ['wallet.account', 'wallet.entry', 'wallet.transaction', 'wallet.gift_tally'],
    count: counting(
      'wallet.count-entries',
      `wallet.entry where account_id = (select id from wallet.account where name = 'wallet:' || $1)`,
    ),
  },
];
