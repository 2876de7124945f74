import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const walletRecords: MemberRecords[] = [
  {
    name: 'walletEntries',
    isErased: false,
    count: counting(
      'wallet.count-entries',
      `wallet.entry where account_id = (select id from wallet.account where name = 'wallet:' || $1)`,
    ),
  },
];
