import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const marketplaceRecords: MemberRecords[] = [
  {
    name: 'accessRequests',
    isErased: true,
    tables: ['marketplace.access_request'],
    count: counting('marketplace.count-requests', 'marketplace.access_request where user_id = $1'),
  },
];
