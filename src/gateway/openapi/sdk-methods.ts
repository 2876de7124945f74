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
  Jobs: { group: 'jobs', nouns: ['JobQueues', 'JobQueue'] },
};

/** Methods whose names would read badly, or that would have the name of a more common one. */
const METHODS: Record<string, { group: string; method: string }> = {
  getProfile: { group: 'profile', method: 'get' },
  updateProfile: { group: 'profile', method: 'update' },
  presignProfilePicture: { group: 'profile', method: 'presignPicture' },
  listUsers: { group: 'users', method: 'listUsers' },
  listUsersAsAdmin: { group: 'users', method: 'list' },
  getError: { group: 'errors', method: 'getError' },
  getErrorAsAdmin: { group: 'errors', method: 'get' },
  getPermissionDistribution: { group: 'permissions', method: 'getPermissionDistribution' },
  getPermissionDistributionAsAdmin: { group: 'permissions', method: 'getDistribution' },
  tipEducator: { group: 'tips', method: 'give' },
  updateLessonProgress: { group: 'lessons', method: 'updateProgress' },
  trackEvent: { group: 'analytics', method: 'track' },
  exportOwnData: { group: 'exports', method: 'begin' },
  getOwnExport: { group: 'exports', method: 'get' },
  exportDataOfUser: { group: 'exports', method: 'begin' },
  getExportOfUser: { group: 'exports', method: 'get' },
  listEventName: { group: 'analytics', method: 'addEventName' },
};

/** Returns the name of a field in the SDK: `_id` is `id`, and `banner_image` is `bannerImage`. */
export const camelCase = (name: string): string =>
  name.replace(/^_+/, '').replaceAll(/_+([a-zA-Z0-9])/g, (_all, letter: string) => letter.toUpperCase());

/** Returns a tag as part of a name of a file: `Push and preferences` is `push-and-preferences`. */
export const kebabCase = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

const groupOf = (tag: string) =>
  GROUPS[tag] ?? { group: camelCase(kebabCase(tag).replaceAll('-', '_')), nouns: nounsOf(tag) };

/** `Watch sessions`: WatchSessions, WatchSession. */
function nounsOf(tag: string): string[] {
  const name = camelCase(`_${kebabCase(tag).replaceAll('-', '_')}`);
  const plural = name.slice(0, 1).toUpperCase() + name.slice(1);
  return [plural, plural.replace(/s$/, '')];
}

/** Returns the name of an operation in its group: `transferKeys` is `wallet.transfer`. */
function placeOf({ id, tag }: Pick<Called, 'id' | 'tag'>): { group: string; method: string } {
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

const MEMBERS = ['client', 'member', 'educator'];
/** These call with credentials of their own, for which the SDK has no place. */
const OTHER_SYSTEMS = ['provider', 'backoffice', 'anybody', 'service'];

/** These answer with a redirect, which the SDK does not follow, since it would take the API key along. */
const LINKS = ['signInSsoByLink'];

/** What decides how the SDK calls an operation. */
interface Called {
  id: string;
  tag: string;
  isDeprecated: boolean;
  audience: readonly string[];
}

/** Where an operation is found in the SDK. */
export interface SdkMethod {
  /** `api`, or `admin` for operations that members may not use. */
  entry: 'api' | 'admin';
  group: string;
  method: string;
}

/**
 * Returns how a program with the SDK calls an operation: `api.wallet.transfer`, or `admin.wallet.fund`; undefined for
 * former paths, for links, and for what only other systems call.
 */
export function sdkMethodOf({ id, tag, isDeprecated, audience }: Called): SdkMethod | undefined {
  if (isDeprecated || LINKS.includes(id) || audience.every((who) => OTHER_SYSTEMS.includes(who)))
    return undefined;
  const entry = audience.some((who) => MEMBERS.includes(who)) ? 'api' : 'admin';
  return { entry, ...placeOf({ id, tag }) };
}
