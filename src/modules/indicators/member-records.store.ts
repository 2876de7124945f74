import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const indicatorRecords: MemberRecords[] = [
  {
    name: 'indicatorAccess',
    isErased: true,
    count: counting('indicators.count-access', 'indicators.access where user_id = $1'),
  },
];
