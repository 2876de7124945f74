import { failure, notFound } from '../../kernel/failures.ts';

export const announcementNotFound = notFound('Announcement');
export const commentNotFound = notFound('Comment');
export const storyNotFound = notFound('Story');

export const followOneself = failure(400, 'FOLLOW_ONESELF', 'You cannot follow yourself');
export const tipOneself = failure(400, 'TIP_ONESELF', 'You cannot tip yourself');
export const tooManyPinned = failure(409, 'TOO_MANY_PINNED', 'At most 10 announcements can be pinned');
export const tooManyStories = failure(
  409,
  'TOO_MANY_STORIES',
  'You have too many active stories; wait until one expires',
);
