import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const moderationRecords: MemberRecords[] = [
  {
    name: 'blocks',
    isErased: true,
    tables: ['moderation.block'],
    count: counting('moderation.count-blocks', 'moderation.block where blocker_id = $1'),
  },
  { name: 'reports', isErased: false, tables: ['moderation.report'] },
  { name: 'interventions', isErased: true, tables: ['moderation.intervention'] },
  { name: 'mutes', isErased: true, tables: ['moderation.mute'] },
];
