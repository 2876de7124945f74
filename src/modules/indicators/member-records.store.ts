import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const indicatorRecords: MemberRecords[] = [
  {
    name: 'indicatorAccess',
    isErased: true,
    tables: ['indicators.access', 'indicators.holder'],
    count: counting('indicators.count-access', 'indicators.access where user_id = $1'),
  },
];
