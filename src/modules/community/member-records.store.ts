import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const communityRecords: MemberRecords[] = [
  {
    name: 'communityMemberships',
    isErased: true,
    tables: ['community.member'],
    count: counting('community.count-memberships', 'community.member where user_id = $1'),
  },
  {
    name: 'reactions',
    isErased: true,
    tables: ['community.reaction'],
    count: counting('community.count-reactions', 'community.reaction where user_id = $1'),
  },
  {
    name: 'posts',
    isErased: false,
    tables: ['community.post', 'community.community'],
    count: counting('community.count-posts', 'community.post where user_id = $1'),
  },
  {
    name: 'postComments',
    isErased: false,
    tables: ['community.comment'],
    count: counting('community.count-comments', 'community.comment where user_id = $1'),
  },
];
