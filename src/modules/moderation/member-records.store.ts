import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const moderationRecords: MemberRecords[] = [
  {
    name: 'blocks',
    isErased: true,
    count: counting('moderation.count-blocks', 'moderation.block where blocker_id = $1'),
  },
  { name: 'reports', isErased: false },
  { name: 'interventions', isErased: true },
  { name: 'mutes', isErased: true },
];
