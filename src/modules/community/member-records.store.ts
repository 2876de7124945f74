import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const communityRecords: MemberRecords[] = [
  {
    name: 'communityMemberships',
    isErased: true,
    tables: ['community.member'],
    count: counting('community.count-memberships', 'community.member where user_id = $1'),
    exported: [
      exporting('communities', {
        about: 'The communities that you are in',
        columns: `community_id, joined_at`,
        from: 'community.member where user_id = $1',
        key: 'community_id',
      }),
    ],
  },
  {
    name: 'communityBans',
    isErased: true,
    tables: ['community.ban'],
    count: counting('community.count-bans', 'community.ban where user_id = $1'),
    exported: [
      exporting('community-bans', {
        about: 'The communities that you are banned from',
        columns: `community_id, banned_at`,
        from: 'community.ban where user_id = $1',
        key: 'community_id',
      }),
    ],
  },
  {
    name: 'reactions',
    isErased: true,
    tables: ['community.reaction'],
    count: counting('community.count-reactions', 'community.reaction where user_id = $1'),
    exported: [
      exporting('reactions', {
        about: 'Your reactions to posts',
        columns: `post_id, type, created_at`,
        from: 'community.reaction where user_id = $1',
        key: 'post_id',
      }),
    ],
  },
  {
    name: 'posts',
    isErased: false,
    tables: ['community.post', 'community.community'],
    count: counting('community.count-posts', 'community.post where user_id = $1'),
    exported: [
      exporting('posts', {
        about: 'What you posted in communities',
        columns: `id, community_id, content, comment_count, reaction_count, created_at, edited_at`,
        from: 'community.post where user_id = $1',
      }),
      exporting('created-communities', {
        about: 'The communities that you created',
        columns: `id, name, description, member_count, post_count, created_at, updated_at`,
        from: 'community.community where created_by = $1',
      }),
    ],
  },
  {
    name: 'postComments',
    isErased: false,
    tables: ['community.comment'],
    count: counting('community.count-comments', 'community.comment where user_id = $1'),
    exported: [
      exporting('comments', {
        about: 'Your comments on posts',
        columns: `id, post_id, content, created_at, edited_at`,
        from: 'community.comment where user_id = $1',
      }),
    ],
  },
];
