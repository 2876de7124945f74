import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const livestreamRecords: MemberRecords[] = [
  {
    name: 'livestreams',
    isErased: false,
    tables: ['livestreams.livestream'],
    count: counting('livestreams.count-of-host', 'livestreams.livestream where host_id = $1'),
    exported: [
      exporting('livestreams', {
        about: 'The livestreams that you host',
        columns: `id, title, description, status, scheduled_start, scheduled_end, started_at, ended_at, created_at, updated_at`,
        from: 'livestreams.livestream where host_id = $1',
      }),
    ],
  },
];
