import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const merchantRecords: MemberRecords[] = [
  {
    name: 'checkouts',
    isErased: false,
    tables: ['merchant.checkout'],
    count: counting('merchant.count-checkouts', 'merchant.checkout where user_id = $1'),
    exported: [
      exporting('checkouts', {
        about: 'Your payments, in US cents',
        columns: `id, session_id as checkout_session_id, purpose, cents, refunded_cents, status, created_at, expires_at,
          settled_at`,
        from: 'merchant.checkout where user_id = $1',
      }),
    ],
  },
  {
    name: 'payouts',
    isErased: false,
    tables: ['merchant.payout'],
    count: counting('merchant.count-payouts', 'merchant.payout where user_id = $1'),
    exported: [
      exporting('payouts', {
        about: 'What was paid out to you, in US cents',
        columns: 'id, reference, cents, status, created_at, settled_at',
        from: 'merchant.payout where user_id = $1',
      }),
    ],
  },
];
