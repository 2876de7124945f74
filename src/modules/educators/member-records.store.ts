import { counting, exporting, type MemberRecords } from '../../kernel/records/member-records.ts';

export const educatorRecords: MemberRecords[] = [
  {
    name: 'follows',
    isErased: true,
    tables: ['educators.follow'],
    count: counting('educators.count-follows', 'educators.follow where user_id = $1'),
    exported: [
      exporting('follows', {
        about: 'The educators that you follow',
        columns: `educator_id, followed_at`,
        from: 'educators.follow where user_id = $1',
        key: 'educator_id',
      }),
    ],
  },
  {
    name: 'announcementLikes',
    isErased: true,
    tables: ['educators.announcement_like'],
    count: counting('educators.count-likes', 'educators.announcement_like where user_id = $1'),
    exported: [
      exporting('announcement-likes', {
        about: 'The announcements that you like',
        columns: `announcement_id, created_at`,
        from: 'educators.announcement_like where user_id = $1',
        key: 'announcement_id',
      }),
    ],
  },
  {
    name: 'storyViews',
    isErased: true,
    tables: ['educators.story_view'],
    count: counting('educators.count-views', 'educators.story_view where user_id = $1'),
    exported: [
      exporting('story-views', {
        about: 'The stories that you have seen',
        columns: `story_id, viewed_at`,
        from: 'educators.story_view where user_id = $1',
        key: 'story_id',
      }),
    ],
  },
  {
    name: 'announcements',
    isErased: true,
    tables: ['educators.announcement', 'educators.tally'],
    count: counting('educators.count-announcements', 'educators.announcement where educator_id = $1'),
    exported: [
      exporting('announcements', {
        about: 'What you announced as an educator',
        columns: `id, title, content, category, priority, pinned, tags, multimedia, likes, comments, created_at, updated_at`,
        from: 'educators.announcement where educator_id = $1',
      }),
    ],
  },
  {
    name: 'stories',
    isErased: true,
    tables: ['educators.story'],
    count: counting('educators.count-stories', 'educators.story where educator_id = $1'),
    exported: [
      exporting('stories', {
        about: 'Your stories as an educator',
        columns: `id, media_type, media_url, thumbnail_url, duration, views, created_at, expires_at`,
        from: 'educators.story where educator_id = $1',
        areFew: true,
      }),
    ],
  },
  {
    name: 'announcementComments',
    isErased: false,
    tables: ['educators.comment'],
    exported: [
      exporting('announcement-comments', {
        about: 'Your comments on announcements',
        columns: `id, announcement_id, content, created_at, edited_at`,
        from: 'educators.comment where user_id = $1',
      }),
    ],
  },
];
