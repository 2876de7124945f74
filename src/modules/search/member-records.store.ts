import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const searchRecords: MemberRecords[] = [
  {
    name: 'searchHistory',
    isErased: true,
    tables: ['search.history'],
    count: counting('search.count-history', 'search.history where user_id = $1'),
  },
];
