import type { MemberRecords } from '../../kernel/records/member-records.ts';

export const watchingRecords: MemberRecords[] = [
  { name: 'watchSessions', isErased: false, tables: ['watching.session'] },
];
