import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const educatorRecords: MemberRecords[] = [
  {
    name: 'follows',
    isErased: true,
    tables: ['educators.follow'],
    count: counting('educators.count-follows', 'educators.follow where user_id = $1'),
  },
  {
    name: 'announcementLikes',
    isErased: true,
    tables: ['educators.announcement_like'],
    count: counting('educators.count-likes', 'educators.announcement_like where user_id = $1'),
  },
  {
    name: 'storyViews',
    isErased: true,
    tables: ['educators.story_view'],
    count: counting('educators.count-views', 'educators.story_view where user_id = $1'),
  },
  {
    name: 'announcements',
    isErased: true,
    tables: ['educators.announcement', 'educators.tally'],
    count: counting('educators.count-announcements', 'educators.announcement where educator_id = $1'),
  },
  {
    name: 'stories',
    isErased: true,
    tables: ['educators.story'],
    count: counting('educators.count-stories', 'educators.story where educator_id = $1'),
  },
  { name: 'announcementComments', isErased: false, tables: ['educators.comment'] },
];
