import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const moderationRecords: MemberRecords[] = [
  {
    name: 'blocks',
    isErased: true,
    tables: ['moderation.block'],
    count: counting('moderation.count-blocks', 'moderation.block where blocker_id = $1'),
    exported: [
      exporting('blocks', {
        about: 'The members that you have blocked',
        columns: `blocked_id, created_at`,
        from: 'moderation.block where blocker_id = $1',
        key: 'blocked_id',
      }),
    ],
  },
  {
    name: 'reports',
    isErased: false,
    tables: ['moderation.report'],
    exported: [
      exporting('reports-made', {
        about: 'What you have reported to moderators',
        columns: `id, kind, subject_id, reason, status, created_at, resolved_at`,
        from: 'moderation.report where reported_by = $1',
      }),
    ],
  },
  { name: 'interventions', isErased: true, tables: ['moderation.intervention'] },
  {
    name: 'mutes',
    isErased: true,
    tables: ['moderation.mute'],
    exported: [
      exporting('mutes', {
        about: 'Until when you may not write',
        columns: `muted_until, muted_at`,
        from: 'moderation.mute where user_id = $1',
        key: 'user_id',
      }),
    ],
  },
];
