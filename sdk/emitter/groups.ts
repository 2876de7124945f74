import type { Described } from './description.ts';
import { camel, kebab } from './names.ts';

/** Groups whose names do not follow from the tag, and the nouns that methods of a group do not repeat. */
const GROUPS: Record<string, { group: string; nouns?: string[] }> = {
  'Sign-in': { group: 'auth' },
  Passwords: { group: 'passwords', nouns: ['Password'] },
  Users: { group: 'users', nouns: ['Users', 'User'] },
  'User administration': { group: 'users', nouns: ['Users', 'User'] },
  Permissions: { group: 'permissions', nouns: ['Permissions', 'Permission'] },
  Wallet: { group: 'wallet', nouns: ['Wallets', 'Wallet', 'Keys'] },
  'Push and preferences': { group: 'push' },
  'Chat moderation': { group: 'chatrooms', nouns: ['Chat'] },
  Chatrooms: { group: 'chatrooms', nouns: ['Chatrooms', 'Chatroom', 'Chat'] },
  'Lesson videos': { group: 'lessons', nouns: ['Lesson'] },
  Quizzes: { group: 'lessons' },
  Studying: { group: 'courses', nouns: ['Courses', 'Course'] },
  'Trade ideas': { group: 'trades', nouns: ['Trades', 'Trade'] },
  'Indicator access': { group: 'indicators', nouns: ['Indicator'] },
  Stories: { group: 'stories', nouns: ['Stories', 'Story'] },
  Communities: { group: 'communities', nouns: ['Communities', 'Community'] },
  Audit: { group: 'audit', nouns: ['Audit'] },
};

/** Methods whose names would read badly. */
const METHODS: Record<string, { group: string; method: string }> = {
  getProfile: { group: 'profile', method: 'get' },
  updateProfile: { group: 'profile', method: 'update' },
  presignProfilePicture: { group: 'profile', method: 'presignPicture' },
  listUsersAsAdmin: { group: 'users', method: 'list' },
  getErrorAsAdmin: { group: 'errors', method: 'get' },
  getPermissionDistributionAsAdmin: { group: 'permissions', method: 'getDistribution' },
  tipEducator: { group: 'tips', method: 'give' },
  updateLessonProgress: { group: 'lessons', method: 'updateProgress' },
  trackEvent: { group: 'analytics', method: 'track' },
  listEventName: { group: 'analytics', method: 'addEventName' },
};

const groupOf = (tag: string) =>
  GROUPS[tag] ?? { group: camel(kebab(tag).replaceAll('-', '_')), nouns: nounsOf(tag) };

/** `Watch sessions`: WatchSessions, WatchSession. */
function nounsOf(tag: string): string[] {
  const name = camel(`_${kebab(tag).replaceAll('-', '_')}`);
  const plural = name.slice(0, 1).toUpperCase() + name.slice(1);
  return [plural, plural.replace(/s$/, '')];
}

/** Returns the name of an operation in its group: `transferKeys` is `wallet.transfer`. */
export function placeOf({ id, tag }: Described): { group: string; method: string } {
  const own = METHODS[id];
  if (own) return own;
  const { group, nouns = [] } = groupOf(tag);
  const bare = nouns.reduce(
    (name, noun) => name.replace(new RegExp(`${noun}(?![a-z])`), ''),
    id.replace(/AsAdmin$/, ''),
  );
  // `enrollInCourse` is `enroll` among the courses.
  const method = bare === id ? id : bare.replace(/(?<=[a-z])(In|To|From|Of)$/, '');
  return { group, method: method === '' ? id : method };
}

/** Operations for members, their apps and educators. */
export const isForMembers = ({ audience, isDeprecated }: Described): boolean =>
  !isDeprecated && audience.some((who) => ['client', 'member', 'educator'].includes(who));

/** Operations for administrators, moderators and operators that members do not have. */
export const isForAdministrators = (operation: Described): boolean =>
  !operation.isDeprecated &&
  !isForMembers(operation) &&
  operation.audience.some((who) => !['provider', 'backoffice', 'anybody', 'service'].includes(who));
