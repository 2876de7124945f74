import { exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const watchingRecords: MemberRecords[] = [
  {
    name: 'watchSessions',
    isErased: false,
    tables: ['watching.session'],
    exported: [
      exporting('watch-sessions', {
        about: 'What you have watched',
        columns: `id, content_type, content_id, educator_id, platform, position_seconds, started_at, seen_at, ended_at`,
        from: 'watching.session where user_id = $1',
      }),
    ],
  },
];
