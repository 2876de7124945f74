import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const chatRecords: MemberRecords[] = [
  {
    name: 'roomMemberships',
    isErased: true,
    tables: ['chat.member'],
    // Each half is served by an index of its own.
    count: counting(
      'chat.count-memberships',
      `(select from chat.member where user_id = $1 and is_member
        union all select from chat.member where user_id = $1 and not is_member) membership`,
    ),
    exported: [
      exporting('chatrooms', {
        about: 'The chatrooms that you are in',
        columns: `room_id, joined_at, muted_until, is_quiet`,
        from: 'chat.member where user_id = $1 and is_member',
        key: 'room_id',
      }),
      exporting('former-chatrooms', {
        about: 'The chatrooms that you have left, or are muted in or banned from without being in them',
        columns: `room_id, left_at, muted_until, banned_at`,
        from: 'chat.member where user_id = $1 and not is_member',
        key: 'room_id',
      }),
    ],
  },
  {
    name: 'ownChatroom',
    isErased: true,
    tables: ['chat.room'],
    count: counting('chat.count-own-room', 'chat.room where educator_id = $1 and deleted_at is null'),
    exported: [
      exporting('own-chatroom', {
        about: 'Your chatroom as an educator',
        columns: `id, name, description, rules, type, slow_mode_seconds, member_count, message_count, created_at, updated_at, public_until, deleted_at`,
        from: 'chat.room where educator_id = $1 and deleted_at is null',
        areFew: true,
      }),
    ],
  },
  {
    name: 'messages',
    isErased: false,
    tables: ['chat.message'],
    exported: [
      exporting('messages', {
        about: 'What you wrote in chatrooms',
        columns: `id, room_id, message, created_at, edited_at`,
        from: 'chat.message where user_id = $1 and deleted_at is null',
      }),
      exporting('deleted-messages', {
        about: 'What you wrote in chatrooms and was deleted there',
        columns: `id, room_id, message, created_at, edited_at, deleted_at`,
        from: 'chat.message where user_id = $1 and deleted_at is not null',
      }),
    ],
  },
  {
    name: 'earlierTexts',
    isErased: true,
    tables: ['chat.earlier_text'],
    count: counting('chat.count-earlier-texts', 'chat.earlier_text where user_id = $1'),
    exported: [
      exporting('earlier-messages', {
        about:
          'What your messages in chatrooms said before you edited them, as long as it is kept for reports',
        columns: `id, message_id, message, replaced_at`,
        from: 'chat.earlier_text where user_id = $1',
      }),
    ],
  },
];
