import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const livestreamRecords: MemberRecords[] = [
  {
    name: 'livestreams',
    isErased: false,
    tables: ['livestreams.livestream'],
    count: counting('livestreams.count-of-host', 'livestreams.livestream where host_id = $1'),
  },
];
