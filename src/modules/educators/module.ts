import type { Core } from '../../kernel/core.ts';
import { onExternal, onInTransaction } from '../../kernel/messaging/events.ts';
import type { Chat } from '../chat/contract.ts';
import type { Education } from '../education/contract.ts';
import { type Identity, userDeleted } from '../identity/contract.ts';
import type { Media } from '../media/contract.ts';
import { type Moderation, memberBlocked } from '../moderation/contract.ts';
import type { Module } from '../module.ts';
import type { FanOut, Notifications } from '../notifications/contract.ts';
import type { Wallet } from '../wallet/contract.ts';
import { likeStore } from './announcements/announcement-likes.store.ts';
import { announcementLikes } from './announcements/announcement-likes.ts';
import { announcementVisibility } from './announcements/announcement-visibility.ts';
import { announcementOperations } from './announcements/announcements.operations.ts';
import { announcementStore } from './announcements/announcements.store.ts';
import { announcementRules } from './announcements/announcements.ts';
import { announcementViews } from './announcements/announcements.views.ts';
import { chatroomOperations } from './chatrooms/chatrooms.operations.ts';
import { chatroomRules } from './chatrooms/chatrooms.ts';
import { commentOperations } from './comments/comments.operations.ts';
import { commentStore } from './comments/comments.store.ts';
import { commentRules } from './comments/comments.ts';
import type { Educators } from './contract.ts';
import { copying } from './copying.ts';
import { educatorNotices } from './educators.notices.ts';
import { educatorInternalEvents, educatorPublicEvents } from './educators.public-events.ts';
import { educatorSearchable } from './educators.searchable.ts';
import { educatorStore } from './educators.store.ts';
import { followingOperations } from './following/following.operations.ts';
import { followStore } from './following/following.store.ts';
import { followingRules } from './following/following.ts';
import { educatorRecords } from './member-records.store.ts';
import { profileOperations } from './profiles/profiles.operations.ts';
import { profileRules } from './profiles/profiles.ts';
import { reportableOf } from './reportable.ts';
import type { EducatorSettings } from './settings.ts';
import { storyOperations } from './stories/stories.operations.ts';
import { storyStore } from './stories/stories.store.ts';
import { storyRules } from './stories/stories.ts';
import { tipOperations } from './tips/tips.operations.ts';
import { tipRules } from './tips/tips.ts';

interface EducatorDeps extends Pick<Core, 'database' | 'events' | 'jobs' | 'clock' | 'newId'> {
  fanOut: FanOut;
  identity: Identity;
  chat: Chat;
  education: Education;
  media: Media;
  moderation: Moderation;
  notifications: Notifications;
  wallet: Wallet;
  settings: EducatorSettings;
}

/** Educators: profiles, followers, announcements, stories and tips. Owns the database schema `educators`. */
export function educatorModule({ settings, ...deps }: EducatorDeps): Module<Educators> {
  const { database, media } = deps;
  const educators = educatorStore(database);
  const announcementTable = announcementStore(database);
  const showing = announcementVisibility({ ...deps, educators, store: announcementTable });
  const copies = copying({ ...deps, store: educators, onShown: showing.show });
  const profiles = profileRules({ ...deps, ...settings, store: educators, copying: copies });
  const following = followingRules({
    ...deps,
    educators,
    profiles,
    store: followStore(database),
  });
  const likeTable = likeStore(database);
  const views = announcementViews({ educators, store: announcementTable, likes: likeTable });
  const announcements = announcementRules({ ...deps, educators, store: announcementTable, views });
  const likes = announcementLikes({ ...deps, store: likeTable });
  const commentTable = commentStore(database);
  const comments = commentRules({ ...deps, announcements: announcementTable, store: commentTable });
  const storyTable = storyStore(database);
  const stories = storyRules({ ...deps, ...settings, educators, store: storyTable });
  const chatrooms = chatroomRules({ ...deps, store: educators });
  const tips = tipRules(deps);

  return {
    name: 'educators',
    memberRecords: educatorRecords,
    publicEvents: educatorPublicEvents,
    internalEvents: educatorInternalEvents,
    seed: async () => (await import('./educators.seed.ts')).educatorSeed,
    sections: {
      Educators: 'Profiles of educators, following and subscribing to them, and their chatrooms.',
      Announcements: 'What educators announce, with likes and comments.',
      Stories: 'Pictures and clips of educators that last a day.',
      Tips: 'Keys that members give to educators.',
    },
    service: { cardsOf: profiles.cardsOf, search: profiles.search },
    operations: [
      ...profileOperations({ profiles, media }),
      ...followingOperations({ following, profiles }),
      ...announcementOperations({ announcements, views, likes, profiles }),
      ...commentOperations({ comments, announcements }),
      ...storyOperations({ stories, profiles, storyHours: settings.storyHours }),
      ...chatroomOperations({ chatrooms, profiles }),
      ...tipOperations({ tips, profiles }),
    ],
    notices: educatorNotices({
      announcements: announcementTable,
      comments: commentTable,
      stories: storyTable,
      clock: deps.clock,
    }),
    searchable: educatorSearchable({ educators, announcements: announcementTable }),
    reportables: reportableOf({
      announcements,
      comments,
      stories,
      commentStore: commentTable,
      announcementStore: announcementTable,
    }),
    jobs: [copies.rebuild(database), ...announcements.jobs, ...showing.jobs, ...stories.jobs],
    subscriptions: [
      copies.subscription,
      onInTransaction(memberBlocked, 'educators', async ({ data: { blockerId, blockedId } }, tx) => {
        await following.endBetween(tx, [
          { userId: blockedId, educatorId: blockerId },
          { userId: blockerId, educatorId: blockedId },
        ]);
      }),
      onExternal(userDeleted, 'educators', async ({ data: { userId } }) => {
        await following.erase(userId);
        await likes.erase(userId);
        await announcements.erase(userId);
        await stories.erase(userId);
      }),
    ],
  };
}
