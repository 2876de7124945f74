import type { MemberRecords } from '../../kernel/records/member-records.ts';

export const analyticsRecords: MemberRecords[] = [
  { name: 'trackedEvents', isErased: false, tables: ['analytics.person', 'analytics.candidate'] },
];
