import { counting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const educatorRecords: MemberRecords[] = [
  {
    name: 'follows',
    isErased: true,
    count: counting('educators.count-follows', 'educators.follow where user_id = $1'),
  },
  {
    name: 'announcementLikes',
    isErased: true,
    count: counting('educators.count-likes', 'educators.announcement_like where user_id = $1'),
  },
  {
    name: 'storyViews',
    isErased: true,
    count: counting('educators.count-views', 'educators.story_view where user_id = $1'),
  },
  {
    name: 'announcements',
    isErased: true,
    count: counting('educators.count-announcements', 'educators.announcement where educator_id = $1'),
  },
  {
    name: 'stories',
    isErased: true,
    count: counting('educators.count-stories', 'educators.story where educator_id = $1'),
  },
  { name: 'announcementComments', isErased: false },
];
