import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const marketplaceRecords: MemberRecords[] = [
  {
    name: 'accessRequests',
    isErased: true,
    tables: ['marketplace.access_request'],
    count: counting('marketplace.count-requests', 'marketplace.access_request where user_id = $1'),
    exported: [
      exporting('requests', {
        about: 'Your requests for products',
        columns: `id, product_id, full_name, email, charting_id, answers, status, submissions, reason, decided_at, created_at,
          updated_at`,
        from: 'marketplace.access_request where user_id = $1',
        areFew: true,
        wordsOfOthers: ['reason'],
      }),
    ],
  },
];
