import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { addRoute } from '../../src/gateway/http/routes.ts';
import { INTERNAL_KEY, startPlatform } from '../support/platform.ts';

/** Who may call what, written down a second time: an operation that is not here fails the test. */
const MATRIX: Record<string, keyof typeof RULES> = {
  signUp: 'api-key',
  signIn: 'api-key',
  refreshToken: 'api-key',
  getProfile: 'user',
  updateProfile: 'user',
  deleteOwnAccount: 'user',
  presignProfilePicture: 'user',
  createApiKey: 'admin',
  listApiKeys: 'admin',
  revokeApiKey: 'admin',
  getError: 'admin-key',
  listErrors: 'admin',
  summarizeErrors: 'admin',
  getErrorAsAdmin: 'admin',
  listAudit: 'admin',
  listAuditActions: 'admin',
  signInSso: 'api-key',
  signInSsoByLink: 'api-key',
  redeemSsoToken: 'api-key',
  signOut: 'user',
  listSessions: 'user',
  listSessionsOfUser: 'admin',
  endSessionsOfUser: 'admin',
  endSessionOfUser: 'admin',
  getAccessOfUser: 'admin',
  sendPasswordReset: 'admin',
  forgotPassword: 'api-key',
  validateResetCode: 'api-key',
  resetPassword: 'api-key',
  changePassword: 'user',
  validateFundingKey: 'user',
  issueFundingKey: 'admin',
  getPermissions: 'someone else, or internal',
  assignPermissions: 'admin-or-internal',
  unassignPermissions: 'admin-or-internal',
  replacePermissions: 'admin-or-internal',
  getPermissionDistribution: 'admin-or-internal',
  getPermissionDistributionAsAdmin: 'admin',
  countPermission: 'admin-or-internal',
  listUsers: 'admin-or-internal',
  createUser: 'admin',
  listUsersAsAdmin: 'admin',
  getUser: 'admin',
  updateUser: 'admin',
  deleteUser: 'admin',
  createUserDeprecated: 'admin',
  listUsersAsAdminDeprecated: 'admin',
  getUserDeprecated: 'admin',
  updateUserDeprecated: 'admin',
  deleteUserDeprecated: 'admin',
  recordPurchase: 'admin',
  listPlatforms: 'admin',
  listPurchases: 'admin',
  removePurchase: 'admin',
  createWallet: 'user',
  getBalance: 'user',
  createWalletAsAdmin: 'admin',
  fundWalletAsAdmin: 'admin',
  transferKeys: 'user',
  listTransactions: 'user',
  getTransaction: 'user',
  getTransactionStatistics: 'user',
  buyKeys: 'user',
  withdrawKeys: 'user',
  cancelWithdrawal: 'user',
  listWallets: 'admin',
  getWalletAsAdmin: 'admin',
  changeWallet: 'admin',
  debitWallet: 'admin',
  getLedgerVerification: 'admin',
  verifyLedger: 'admin',
  reverseTransaction: 'admin',
  listWithdrawals: 'admin',
  settleWithdrawal: 'admin',
  getStatement: 'admin',
  getExchangeRate: 'user',
  setExchangeRate: 'admin',
  listExchangeRates: 'user',
  listActiveExchangeRates: 'user',
  convertKeysToMoney: 'user',
  convertMoneyToKeys: 'user',
  receivePaymentWebhook: 'signature',
  listNotifications: 'user',
  countUnreadNotifications: 'user',
  readNotification: 'user',
  readAllNotifications: 'user',
  deleteNotification: 'user',
  sendNotification: 'admin',
  sendBulkNotification: 'admin',
  getBulkNotification: 'admin',
  listDeliveries: 'admin',
  replayDeliveries: 'admin',
  registerDevice: 'user',
  unregisterDevice: 'user',
  getVapidKey: 'user',
  listDevices: 'user',
  subscribeToTopics: 'user',
  unsubscribeFromTopics: 'user',
  testPush: 'user',
  getPreferences: 'user',
  setPreferences: 'user',
  listChatrooms: 'user',
  createChatroom: 'user',
  getChatroom: 'user',
  updateChatroom: 'user',
  deleteChatroom: 'user',
  joinChatroom: 'user',
  leaveChatroom: 'user',
  listChatroomMembers: 'user',
  addChatroomMember: 'user',
  removeChatroomMember: 'user',
  listChatMessages: 'user',
  sendChatMessage: 'user',
  editChatMessage: 'user',
  deleteChatMessage: 'user',
  muteChatMember: 'user',
  unmuteChatMember: 'user',
  banChatMember: 'user',
  unbanChatMember: 'user',
  reportChatMessage: 'user',
  listCourses: 'user',
  getCourse: 'user',
  getCourseOutline: 'user',
  createCourse: 'educator',
  updateCourse: 'educator',
  deleteCourse: 'educator',
  listCourseModules: 'user',
  createCourseModule: 'educator',
  updateCourseModule: 'educator',
  deleteCourseModule: 'educator',
  listLessons: 'user',
  createLesson: 'educator',
  getLesson: 'user',
  updateLesson: 'educator',
  deleteLesson: 'educator',
  requestLessonUpload: 'educator',
  completeLessonUpload: 'educator',
  getLessonVideo: 'user',
  cancelLessonVideo: 'educator',
  putLessonCaptions: 'educator',
  deleteLessonCaptions: 'educator',
  putQuiz: 'educator',
  getQuiz: 'user',
  attemptQuiz: 'user',
  enrollInCourse: 'user',
  leaveCourse: 'user',
  listEnrolledCourses: 'user',
  updateLessonProgress: 'user',
  getCourseProgress: 'user',
  rateCourse: 'user',
  deleteCourseRating: 'user',
  getCourseCertificate: 'user',
  verifyCertificate: 'api-key',
  listChatReports: 'moderator',
  resolveChatReport: 'moderator',
  listLivestreamsOnAir: 'api-key',
  listScheduledLiveStreams: 'api-key',
  listLivestreams: 'user',
  createLivestream: 'educator',
  getLivestream: 'user',
  updateLivestream: 'educator',
  startLivestream: 'educator',
  endLivestream: 'educator',
  cancelLivestream: 'educator',
  getScheduleOfWeek: 'user',
  getScheduleOfToday: 'user',
  getScheduleOfEducator: 'user',
  syncSchedule: 'admin',
  listMembers: 'user',
  getMember: 'user',
  listCommunities: 'user',
  createCommunity: 'educator',
  getCommunity: 'user',
  joinCommunity: 'user',
  leaveCommunity: 'user',
  listPosts: 'user',
  createPost: 'user',
  getPost: 'user',
  deletePost: 'user',
  listComments: 'user',
  createComment: 'user',
  deleteComment: 'user',
  reactToPost: 'user',
  takeBackReaction: 'user',
  listTrades: 'user',
  createTrade: 'user',
  getTrade: 'user',
  closeTrade: 'user',
  startWatchSession: 'user',
  beatWatchSession: 'user',
  endWatchSession: 'user',
  getEducatorChatroom: 'user',
  joinEducatorChatroom: 'user',
  leaveEducatorChatroom: 'user',
  subscribeToEducator: 'user',
  unsubscribeFromEducator: 'user',
  subscribeToAllEducators: 'user',
  listEducators: 'user',
  listFeaturedEducators: 'user',
  getEducator: 'user',
  updateEducatorProfile: 'own educator or admin',
  markEducator: 'admin',
  presignEducatorUpload: 'own educator',
  listFollowedEducators: 'user',
  followEducator: 'user',
  unfollowEducator: 'user',
  getFollowStatus: 'user',
  getAnnouncementFeed: 'user',
  listAnnouncements: 'user',
  createAnnouncement: 'own educator',
  updateAnnouncement: 'educator alone',
  deleteAnnouncement: 'educator alone',
  getAnnouncement: 'user',
  likeAnnouncement: 'user',
  unlikeAnnouncement: 'user',
  listAnnouncementComments: 'user',
  createAnnouncementComment: 'user',
  deleteAnnouncementComment: 'user',
  getStoryFeed: 'user',
  listStories: 'user',
  createStory: 'own educator',
  getStory: 'user',
  viewStory: 'user',
  listStoryViewers: 'educator alone',
  deleteStory: 'educator alone',
  tipEducator: 'user',
  listSentTips: 'user',
  getSentTipTotals: 'user',
  listReceivedTips: 'own educator or admin',
  getReceivedTipTotals: 'own educator or admin',
  listBlocks: 'user',
  blockMember: 'user',
  unblockMember: 'user',
  report: 'user',
  listReports: 'moderator',
  resolveReport: 'moderator',
  trackEvent: 'user',
  trackEvents: 'user',
  listOwnEvents: 'user',
  getOwnActivity: 'user',
  getOwnStatistics: 'user',
  getDashboard: 'admin',
  askFunnel: 'admin',
  aggregateEvents: 'admin',
  listEventTypes: 'admin',
  listEventNames: 'admin',
  listEventName: 'admin',
  removeEventName: 'admin',
  listPopularEvents: 'admin',
  exportEvents: 'admin',
  search: 'user',
  suggestSearches: 'user',
  listSearchHistory: 'user',
  clearSearchHistory: 'user',
  getLeaderboards: 'user',
  getLeaderboardsAsAdmin: 'admin',
  listIndicators: 'user',
  getIndicator: 'user',
  createIndicator: 'admin',
  updateIndicator: 'admin',
  deleteIndicator: 'admin',
  listIndicatorAccess: 'admin',
  grantIndicatorAccess: 'admin',
  revokeIndicatorAccess: 'admin',
  retryIndicatorAccess: 'admin',
  resolveIndicatorAccess: 'admin',
  takeOverIndicatorAccess: 'admin',
  getIndicatorAccessHistory: 'admin',
  listIndicatorAccessFailures: 'admin',
  listMyIndicatorAccess: 'user',
  setChartingUsername: 'user',
  compareIndicatorAccess: 'admin',
  getChartingAccount: 'admin',
  receiveIndicatorAccess: 'webhook-secret',
  receiveActivityStatus: 'webhook-secret',
  listProducts: 'api-key',
  getProduct: 'api-key',
  listAllProducts: 'admin',
  createProduct: 'admin',
  updateProduct: 'admin',
  deleteProduct: 'admin',
  presignProductImage: 'admin',
  submitAccessRequest: 'user',
  getAccessRequestStatus: 'user',
  listAccessRequests: 'admin',
  decideAccessRequest: 'admin',
  unsubscribeByMail: 'link',
  unsubscribeByLink: 'link',
};

type Outcome = 401 | 403 | 'passes';
const CALLERS = [
  'no key',
  'wrong key',
  'key alone',
  'admin key alone',
  'expired token',
  'member',
  'educator',
  'administrator',
  'internal key alone',
] as const;
const row = (...outcomes: Outcome[]): Outcome[] => outcomes;
const RULES = {
  // Credentials do not matter: the token of the link is missing, which is 422.
  link: row(...(Array.from({ length: 9 }, () => 'passes') as Outcome[])),
  // Credentials do not matter: without a good signature nobody passes.
  signature: row(401, 401, 401, 401, 401, 401, 401, 401, 401),
  // No other credential lets anybody in; the secret itself has tests of its own.
  'webhook-secret': row(401, 401, 401, 401, 401, 401, 401, 401, 401),
  'api-key': row(401, 401, 'passes', 'passes', 'passes', 'passes', 'passes', 'passes', 401),
  'admin-key': row(401, 401, 403, 'passes', 403, 403, 403, 403, 401),
  user: row(401, 401, 401, 401, 401, 'passes', 'passes', 'passes', 401),
  'admin-or-internal': row(401, 401, 401, 401, 401, 403, 403, 'passes', 'passes'),
  // The path names a user who is none of the callers.
  'someone else, or internal': row(401, 401, 401, 401, 401, 403, 403, 'passes', 'passes'),
  moderator: row(401, 401, 401, 401, 401, 403, 403, 'passes', 401),
  educator: row(401, 401, 401, 401, 401, 403, 'passes', 'passes', 401),
  // Nobody publishes for an educator: administrators neither.
  'educator alone': row(401, 401, 401, 401, 401, 403, 'passes', 403, 401),
  // The path names an educator who is none of the callers.
  'own educator': row(401, 401, 401, 401, 401, 403, 403, 403, 401),
  'own educator or admin': row(401, 401, 401, 401, 401, 403, 403, 'passes', 401),
  admin: row(401, 401, 401, 401, 401, 403, 403, 'passes', 401),
};

const PARAMETERS: Record<string, string> = {
  ':errorId': '00000000-0000-4000-8000-000000000000',
  ':permission': 'admin',
};

const platform = await startPlatform();
const { key } = await platform.newKey('crm');
const { key: adminKey } = await platform.newKey('admin');
const signedIn = async (permission?: string): Promise<string> => {
  const { id, accessToken } = await platform.newMember();
  if (permission) {
    await platform.database.execute('update identity.user set permissions = array[$1] where id = $2', [
      permission,
      id,
    ]);
  }
  return accessToken;
};
const expired = await signedIn();
platform.clock.advance(16 * 60_000);
const bearer = async (permission?: string) => ({
  'x-api-key': key,
  authorization: `Bearer ${await signedIn(permission)}`,
});
const newHeaders = async (): Promise<Record<(typeof CALLERS)[number], Record<string, string>>> => ({
  'no key': {},
  'wrong key': { 'x-api-key': 'pk_development_nobody' },
  'key alone': { 'x-api-key': key },
  'admin key alone': { 'x-api-key': adminKey },
  'expired token': { 'x-api-key': key, authorization: `Bearer ${expired}` },
  member: await bearer(),
  educator: await bearer('educator'),
  administrator: await bearer('admin'),
  'internal key alone': { 'x-internal-api-key': INTERNAL_KEY },
});

let callers = await newHeaders();
let madeAtMs = platform.clock.now();
/** Whether the callers' sessions may have ended: by an operation on accounts, or soon by time. */
const mayHaveEnded = (path: string): boolean =>
  /^\/v1\/((admin\/)?auth|admin\/users)\//.test(path) || platform.clock.now() - madeAtMs > 5 * 60_000;

for (const { id, method, path } of platform.platform.operations) {
  test(`${id}: ${method} ${path}`, async () => {
    const rule = MATRIX[id];
    assert.ok(rule, `${id} is not in the matrix`);
    // All of this within a minute would be over the limits of the key.
    platform.clock.advance(4_000);
    for (const [place, caller] of CALLERS.entries()) {
      const headers = { 'x-api-key': undefined, ...callers[caller] };
      const url = path.replaceAll(/:\w+/g, (name) => PARAMETERS[name] ?? 'f'.repeat(24));
      const { status } = await platform.client
        .with(headers)
        .raw(method, url, method === 'GET' ? undefined : {});
      const outcome = status === 401 || status === 403 ? status : 'passes';
      assert.equal(outcome, RULES[rule][place], `${caller}: ${status}`);
      assert.ok(status < 500, caller);
    }
    if (mayHaveEnded(path)) {
      callers = await newHeaders();
      madeAtMs = platform.clock.now();
    }
  });
}

test('the authorization matrix contains no removed operations', () => {
  const ids = new Set(platform.platform.operations.map(({ id }) => id));
  assert.deepEqual(
    Object.keys(MATRIX).filter((id) => !ids.has(id)),
    [],
  );
});

test('an operation without an access rule prevents the start', () => {
  const [first] = platform.platform.operations;
  const careless = { ...first, access: undefined } as unknown as NonNullable<typeof first>;
  assert.throws(
    () =>
      addRoute(Fastify(), careless, {
        clock: platform.clock,
        runOnce: async () => undefined,
        sendStream: async (reply) => reply,
      }),
    /does not say who may call it/,
  );
});
