import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const chatRecords: MemberRecords[] = [
  {
    name: 'roomMemberships',
    isErased: true,
    tables: ['chat.member'],
    count: counting('chat.count-memberships', 'chat.member where user_id = $1 and is_member'),
  },
  {
    name: 'ownChatroom',
    isErased: true,
    tables: ['chat.room'],
    count: counting('chat.count-own-room', 'chat.room where educator_id = $1 and deleted_at is null'),
  },
  { name: 'messages', isErased: false, tables: ['chat.message'] },
];
