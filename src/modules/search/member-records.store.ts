import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const searchRecords: MemberRecords[] = [
  {
    name: 'searchHistory',
    isErased: true,
    tables: ['search.history'],
    count: counting('search.count-history', 'search.history where user_id = $1'),
    exported: [
      exporting('search-history', {
        about: 'What you searched for',
        columns: `query, result_count, searched_at`,
        from: 'search.history where user_id = $1',
        key: 'key',
        areFew: true,
      }),
    ],
  },
];
