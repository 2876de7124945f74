import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const exportRecords: MemberRecords[] = [
  {
    name: 'exports',
    isErased: true,
    tables: ['exports.export'],
    count: counting('exports.count-of-member', 'exports.export where user_id = $1'),
  },
];
