import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { addRoute } from '../../src/gateway/http/routes.ts';
import { INTERNAL_KEY, startPlatform } from '../support/platform.ts';

/**
 * Who may call which operation, stated independently of the source. An operation that is missing here fails the test.
 */
const MATRIX: Record<keyof typeof RULES, string> = {
  link: `
    unsubscribeByMail unsubscribeByLink showEmailVerification showNewSignIn endNewSignIn
    verifyEmailByLink`,
  signature: 'receivePaymentWebhook',
  'webhook-secret': 'receiveIndicatorAccess receiveMailFeedback receiveActivityStatus',
  'api-key': `
    signUp signIn refreshToken signInSso signInSsoByLink redeemSsoToken getPasskeySignInOptions
    signInByPasskey forgotPassword validateResetCode resetPassword verifyCertificate
    listLivestreamsOnAir listScheduledLiveStreams listProducts getProduct`,
  'user-or-client': 'verifyEmail',
  user: `
    getProfile updateProfile deleteOwnAccount exportOwnData getOwnExport presignProfilePicture signOut
    listSessions endSession getFactors enrollAuthenticator confirmAuthenticator removeAuthenticator
    renewRecoveryCodes stepUp getPasskeyOptions addPasskey listPasskeys renamePasskey removePasskey
    resendVerification changePassword validateFundingKey createWallet getBalance transferKeys
    listTransactions getTransaction getOwnStatement getTransactionStatistics buyKeys getOwnCheckout withdrawKeys cancelWithdrawal
    getExchangeRate listExchangeRates listActiveExchangeRates convertKeysToMoney convertMoneyToKeys
    listOwnAccess listNotifications getNotification countUnreadNotifications readNotification readAllNotifications deleteNotification
    registerDevice unregisterDevice getVapidKey listDevices listSubscribedTopics subscribeToTopics unsubscribeFromTopics
    testPush getPreferences setPreferences listChatrooms createChatroom getChatroom updateChatroom handOnChatroom
    deleteChatroom markChatroomRead countUnreadMessages setChatroomNotifications joinChatroom leaveChatroom listChatRestrictions listChatroomMembers addChatroomMember removeChatroomMember
    listChatMessages sendChatMessage editChatMessage deleteChatMessage muteChatMember unmuteChatMember
    banChatMember unbanChatMember reportChatMessage listCourses getCourse getCourseOutline
    listCourseModules listLessons getLesson getLessonVideo getQuiz attemptQuiz enrollInCourse
    leaveCourse listEnrolledCourses updateLessonProgress getCourseProgress rateCourse deleteCourseRating
    listCourseRatings getCourseCertificate listOwnCertificates listLivestreams getLivestream getScheduleOfWeek getScheduleOfToday
    getScheduleOfEducator listMembers getMember listCommunities getCommunity listCommunityMembers joinCommunity
    listCommunityBans banCommunityMember unbanCommunityMember
    leaveCommunity listPosts createPost getPost deletePost updatePost updateComment updateCommunity
    deleteCommunity listComments createComment deleteComment reactToPost takeBackReaction listTrades
    createTrade getTrade closeTrade updateTrade deleteTrade startWatchSession beatWatchSession
    endWatchSession getEducatorChatroom joinEducatorChatroom leaveEducatorChatroom subscribeToEducator
    unsubscribeFromEducator subscribeToAllEducators listEducators listFeaturedEducators getEducator
    listFollowedEducators followEducator unfollowEducator getFollowStatus getAnnouncementFeed
    listAnnouncements getAnnouncement likeAnnouncement unlikeAnnouncement listAnnouncementComments
    createAnnouncementComment deleteAnnouncementComment updateAnnouncementComment getStoryFeed
    listStories getStory viewStory tipEducator listSentTips getSentTipTotals listBlocks blockMember
    unblockMember report trackEvent trackEvents listOwnEvents getOwnActivity getOwnStatistics search
    suggestSearches listSearchHistory clearSearchHistory getLeaderboards listIndicators getIndicator
    listMyIndicatorAccess setChartingUsername submitAccessRequest getAccessRequestStatus listOwnAccessRequests`,
  educator: `
    createCourse updateCourse deleteCourse createCourseModule updateCourseModule deleteCourseModule
    createLesson updateLesson deleteLesson requestLessonUpload completeLessonUpload cancelLessonVideo deleteLessonVideo
    putLessonCaptions getLessonCaptions deleteLessonCaptions putQuiz getQuizWithAnswers deleteQuiz createLivestream updateLivestream startLivestream
    endLivestream cancelLivestream createCommunity updateAnnouncement deleteAnnouncement deleteStory`,
  'educator alone': 'listStoryViewers',
  'own educator': 'presignEducatorUpload createAnnouncement createStory',
  'own educator or admin':
    'updateEducatorProfile listEducatorFollowers listReceivedTips getReceivedTipTotals',
  moderator:
    'listChatReports resolveChatReport listReports listReportedItems getReportContext listAllPosts muteUser unmuteUser resolveReport resolveReports',
  'someone else, or internal': 'getPermissions',
  'admin-or-internal': `
    assignPermissions unassignPermissions replacePermissions getPermissionDistribution countPermission
    listUsers`,
  'admin-key': 'getError',
  'admin-or-admin-key': 'listEvents',
  admin: `
    exportDataOfUser getExportOfUser createApiKey listApiKeys revokeApiKey updateApiKey rollApiKey
    listErrors summarizeErrors getErrorAsAdmin updateError listAudit createWebhookEndpoint listWebhookEndpoints
    getWebhookEndpoint updateWebhookEndpoint deleteWebhookEndpoint rotateWebhookSecret
    testWebhookEndpoint listWebhookDeliveries getWebhookDelivery replayWebhooks listAuditActions
    listSessionsOfUser endSessionsOfUser endSessionOfUser removeFactorsOfUser getAccessOfUser
    getOverviewOfUser searchRecords listAlerts closeAlert listJobQueues listDeadJobs retryDeadJobs retryDeadJob deleteDeadJob
    runJobQueue getOverview getInstallationHealth recordBackup listLiveNodes listLiveConnections
    closeLiveConnection sendPasswordReset issueFundingKey getPermissionDistributionAsAdmin createUser
    getPermissionDistributionAsAdminDeprecated
    listUsersAsAdmin getUser updateUser deleteUser createUserDeprecated listUsersAsAdminDeprecated
    getUserDeprecated updateUserDeprecated deleteUserDeprecated recordPurchase listPlatforms
    listPurchases removePurchase createWalletAsAdmin fundWalletAsAdmin listWallets getWalletAsAdmin
    changeWallet debitWallet payOutRemainingKeys getLedgerVerification verifyLedger reverseTransaction listWithdrawals
    settleWithdrawal retryWithdrawal listCheckouts getCheckout reconcileCheckout listAllTransactions
    getTransactionAsAdmin getStatement setExchangeRate sendNotification sendBulkNotification
    getBulkNotification listDeliveries listNotificationsOfUser testNotification replayDeliveries
    changeCourseOwner listTroubledVideos retryLessonVideo syncSchedule markEducator getDashboard askFunnel aggregateEvents listEventTypes
    listEventNames listEventName removeEventName listPopularEvents exportEvents getLeaderboardsAsAdmin
    createIndicator updateIndicator deleteIndicator listIndicatorAccess grantIndicatorAccess
    revokeIndicatorAccess retryIndicatorAccess resolveIndicatorAccess takeOverIndicatorAccess
    getIndicatorAccessHistory listIndicatorAccessFailures listAllIndicatorAccess retryAllIndicatorAccess
    compareIndicatorAccess getChartingAccount listMailSuppressions deleteMailSuppression listAllProducts
    createProduct updateProduct deleteProduct presignProductImage listAccessRequests decideAccessRequest
    decideAccessRequests`,
};
/** By operation. */
const RULE_OF = new Map(
  Object.entries(MATRIX).flatMap(([rule, ids]) =>
    ids
      .trim()
      .split(/\s+/)
      .map((id) => [id, rule as keyof typeof RULES] as const),
  ),
);

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
  'holder of unused permissions',
] as const;
/** Permissions that the specification names, and that no operation asks for; such a caller may do what a member may. */
const UNUSED = [
  ...['read_courses', 'write_courses', 'delete_courses', 'read_livestreams', 'write_livestreams'],
  ...['read_wallets', 'write_wallets'],
];
const row = (...outcomes: Outcome[]): Outcome[] => [...outcomes, outcomes[5] as Outcome];
const RULES = {
  // Credentials are ignored. The token of the link is missing, which is 422.
  link: row(...(Array.from({ length: 9 }, () => 'passes') as Outcome[])),
  // Credentials are ignored. Without a valid signature nobody passes.
  signature: row(401, 401, 401, 401, 401, 401, 401, 401, 401),
  // No other credential is accepted; the secret itself has tests of its own.
  'webhook-secret': row(401, 401, 401, 401, 401, 401, 401, 401, 401),
  'api-key': row(401, 401, 'passes', 'passes', 'passes', 'passes', 'passes', 'passes', 401),
  // A bearer token is optional, but must be valid.
  'user-or-client': row(401, 401, 'passes', 'passes', 401, 'passes', 'passes', 'passes', 401),
  'admin-key': row(401, 401, 403, 'passes', 403, 403, 403, 403, 401),
  'admin-or-admin-key': row(401, 401, 401, 'passes', 401, 403, 403, 'passes', 401),
  user: row(401, 401, 401, 401, 401, 'passes', 'passes', 'passes', 401),
  'admin-or-internal': row(401, 401, 401, 401, 401, 403, 403, 'passes', 'passes'),
  // The user in the path is none of the callers.
  'someone else, or internal': row(401, 401, 401, 401, 401, 403, 403, 'passes', 'passes'),
  moderator: row(401, 401, 401, 401, 401, 403, 403, 'passes', 401),
  educator: row(401, 401, 401, 401, 401, 403, 'passes', 'passes', 401),
  // Nobody publishes for an educator, not even an administrator.
  'educator alone': row(401, 401, 401, 401, 401, 403, 'passes', 403, 401),
  // The educator in the path is none of the callers.
  'own educator': row(401, 401, 401, 401, 401, 403, 403, 403, 401),
  'own educator or admin': row(401, 401, 401, 401, 401, 403, 403, 'passes', 401),
  admin: row(401, 401, 401, 401, 401, 403, 403, 'passes', 401),
};

const PARAMETERS: Record<string, string> = {
  ':errorId': '00000000-0000-4000-8000-000000000000',
  ':language': 'en',
  ':permission': 'admin',
};

const platform = await startPlatform();
const { key } = await platform.newKey('crm');
const { key: adminKey } = await platform.newKey('admin');
const signedIn = async (...permissions: string[]): Promise<string> => {
  const { id, accessToken } = await platform.newMember();
  const values = [permissions, id];
  await platform.database.execute('update identity.user set permissions = $1 where id = $2', values);
  return accessToken;
};
const expired = await signedIn();
platform.clock.advance(16 * 60_000);
const bearer = async (...permissions: string[]) => ({
  'x-api-key': key,
  authorization: `Bearer ${await signedIn(...permissions)}`,
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
  'holder of unused permissions': await bearer(...UNUSED),
});

let callers = await newHeaders();
let madeAtMs = platform.clock.now();
/** Whether the callers' sessions may have ended, by an operation on accounts or by time. */
const mayHaveEnded = (path: string): boolean =>
  /^\/v1\/((admin\/)?auth|admin\/users)\//.test(path) || platform.clock.now() - madeAtMs > 5 * 60_000;

for (const { id, method, path } of platform.platform.operations) {
  test(`${id}: ${method} ${path}`, async () => {
    const rule = RULE_OF.get(id);
    assert.ok(rule, `${id} is not in the matrix`);
    // All requests within a minute would exceed the limits of the key.
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
    [...RULE_OF.keys()].filter((id) => !ids.has(id)),
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
        readmit: async () => undefined,
      }),
    /does not say who may call it/,
  );
});
