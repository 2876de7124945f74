// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Call } from '../caller.ts';
import type { Methods } from '../facade.ts';
import type { CallOptions } from '../options.ts';
import type { Feed, Pages } from '../pages.ts';
import * as all from './operations/index.ts';
import type * as types from './types.ts';

/** The additional operations of administrators, moderators and operators. */
export interface Administrators {
  readonly apiKeys: {
    /** Issue an API key for this environment. Calls `createApiKey`. */
    create(input: types.CreateApiKeyBody, options?: CallOptions): Call<types.NewApiKey>;
    /** List API keys, newest first. Calls `listApiKeys`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.UsedApiKey>;
    /** Revoke an API key, effective from the next request. Calls `revokeApiKey`. */
    revoke(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.ApiKey>;
    /** Rename an API key. Calls `updateApiKey`. */
    update(id: string, input: types.UpdateApiKeyBody, options?: CallOptions): Call<types.ApiKey>;
    /** Replace an API key by a new one of the same name and tier. Calls `rollApiKey`. */
    roll(id: string, input?: types.RollApiKeyBody, options?: CallOptions): Call<types.RolledApiKey>;
  };
  readonly errors: {
    /** Look up a failure by its errorId. Calls `getError`. */
    getError(errorId: string, options?: CallOptions): Call<types.ErrorReport>;
    /** List failures, newest first. Calls `listErrors`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `timestamp` and `errorId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.MomentOrUuid;
      code?: string;
      /** An operationId */
      operation?: string;
      status?: number;
      /** At first `critical` for server errors (5xx), `medium` for rejected requests; administrators assign `high`, or another */
      severity?: 'critical' | 'high' | 'medium' | 'low';
      userId?: types.ObjectId;
      /** Of the caller, or in the body, as of failed sign-ins */
      email?: string;
      requestId?: string;
      traceId?: string;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      from?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      to?: types.InstantText;
    }, options?: CallOptions): Pages<types.ErrorSummary>;
    /** Count failures by operation and code, the most frequent first. Calls `summarizeErrors`. */
    summarize(input?: {
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      from?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      to?: types.InstantText;
      /** By default, rows differ in operation, code and status */
      by?: 'code' | 'operation';
      /** How many equal parts `series` divides the period into */
      buckets?: number;
    }, options?: CallOptions): Call<types.ErrorGroup[]>;
    /** Retrieve a failure with its redacted request. Calls `getErrorAsAdmin`. */
    get(errorId: string, options?: CallOptions): Call<types.ErrorReport>;
    /** Assign the severity of a failure. Calls `updateError`. */
    update(errorId: string, input: types.UpdateErrorBody, options?: CallOptions): Call<types.ErrorReport>;
  };
  readonly mail: {
    /** List addresses that get no mail, newest first. Calls `listMailSuppressions`. */
    listSuppressions(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      email?: string;
    }, options?: CallOptions): Pages<types.MailSuppression>;
    /** Send mail to an address again. Calls `deleteMailSuppression`. */
    deleteSuppression(email: string, input?: types.ReasonBody, options?: CallOptions): Call<types.MailSuppression>;
  };
  readonly users: {
    /** Search users by name, e-mail or id, and by permissions. Calls `listUsers`. */
    listUsers(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      /** Part of a name, e-mail or username, the beginning of one if it is shorter than three characters; or an id */
      search?: string;
      /** Separated by commas. Users with at least one of them match */
      permissions?: string;
    }, options?: CallOptions): Pages<types.Profile>;
    /** Remove every second factor of a user, passkeys included. Calls `removeFactorsOfUser`. */
    removeFactors(userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.RemoveFactorsOfUserResult>;
    /** List the active sessions of a user, newest first. Calls `listSessionsOfUser`. */
    listSessions(userId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.Session>;
    /** End the sessions of a user: all, those of a platform, or those of a device. Calls `endSessionsOfUser`. */
    endSessions(userId: string, input?: {
      platform?: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
      device?: string;
      /** Why you do it, for the audit log */
      reason?: string;
    }, options?: CallOptions): Call<types.SessionsEnded>;
    /** Record a purchase, which grants platform access for as long as its SKU allows. Calls `recordPurchase`. */
    recordPurchase(userId: string, input: types.RecordPurchaseBody, options?: CallOptions): Call<types.RecordedPurchase>;
    /** List the purchases of a user, newest record first. Calls `listPurchases`. */
    listPurchases(userId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.Purchase>;
    /** Remove a recorded purchase. Calls `removePurchase`. */
    removePurchase(userId: string, purchaseId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Purchase>;
    /** List which purchases open which platform. Calls `listPlatforms`. */
    listPlatforms(options?: CallOptions): Call<types.PlatformAccess[]>;
    /** See on which platforms a user can sign in, and why not on others. Calls `getAccessOfUser`. */
    getAccess(userId: string, options?: CallOptions): Call<types.AccessVerdict[]>;
    /** End a session of a user. Calls `endSessionOfUser`. */
    endSession(userId: string, sessionId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.SessionsEnded>;
    /** Send a user the code for a new password. Calls `sendPasswordReset`. */
    sendPasswordReset(userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Nothing>;
    /** Issue a one-time funding key that is valid for ten minutes. Calls `issueFundingKey`. */
    issueFundingKey(userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.FundingKey>;
    /** Create a user. Calls `createUser`. */
    create(input: types.CreateUserBody, options?: CallOptions): Call<types.Account>;
    /** List users, newest first. Calls `listUsersAsAdmin`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      /** Part of a name, e-mail or username, the beginning of one if it is shorter than three characters, or an id */
      search?: string;
      /** Users with one of these permissions, separated by commas, at most 10 */
      permissions?: string;
      isActive?: boolean;
      /** Users whose e-mail address is not verified; with `false` the others */
      unverified?: boolean;
      /** Users who have bought it, expired or not */
      sku?: string;
      /** Users whose purchases open it now */
      platform?: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      createdFrom?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      createdTo?: types.InstantText;
      /** Users who were last seen earlier, or never */
      seenBefore?: types.InstantText;
      /** By creation; `newest` by default */
      sort?: 'newest' | 'oldest';
      /** `csv` returns all that matches as a file, at most 100,000 rows */
      format?: 'json' | 'csv';
    }, options?: CallOptions): Pages<types.ListedAccount>;
    /** Retrieve a user. Calls `getUser`. */
    get(userId: string, options?: CallOptions): Call<types.Account>;
    /** Update a user. Calls `updateUser`. */
    update(userId: string, input?: types.UpdateUserBody, options?: CallOptions): Call<types.Account>;
    /** Delete a user: personal data is erased, the id and the history are kept. Calls `deleteUser`. */
    delete(userId: string, input?: types.DeleteUserBody, query?: {
      /** `true` deletes nothing and says what the deletion would do */
      dryRun?: boolean;
    }, options?: CallOptions): Call<types.DeleteUserResult>;
    /** See at a glance what support needs to know of a user. Calls `getOverviewOfUser`. */
    getOverview(userId: string, options?: CallOptions): Call<types.UserOverview>;
  };
  readonly permissions: {
    /** Replace all permissions of a user. Calls `replacePermissions`. */
    replace(userId: string, input: types.ReplacePermissionsBody, options?: CallOptions): Call<types.UserPermissions>;
    /** Add permissions to a user. Calls `assignPermissions`. */
    assign(userId: string, input: types.PermissionsBody, options?: CallOptions): Call<types.UserPermissions>;
    /** Remove permissions from a user. Calls `unassignPermissions`. */
    unassign(userId: string, input: types.PermissionsBody, options?: CallOptions): Call<types.UserPermissions>;
    /** Count users by permission. Calls `getPermissionDistribution`. */
    getPermissionDistribution(options?: CallOptions): Call<types.PermissionDistribution>;
    /** Count users by permission. Calls `getPermissionDistributionAsAdmin`. */
    getDistribution(options?: CallOptions): Call<types.PermissionDistribution>;
    /** Count the users with a permission. Calls `countPermission`. */
    count(permission: string, options?: CallOptions): Call<types.PermissionCount>;
  };
  readonly moderation: {
    /** Mute a member everywhere. Calls `muteUser`. */
    muteUser(userId: string, input: types.MuteUserBody, options?: CallOptions): Call<types.MuteUserResult>;
    /** End the mute of a member. Calls `unmuteUser`. */
    unmuteUser(userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.UnmuteUserResult>;
    /** List reports, newest first. Calls `listReports`. */
    listReports(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      kind?: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
      status?: 'open' | 'dismissed' | 'removed';
    }, options?: CallOptions): Pages<types.Report>;
    /** List what is reported, newest report first. Calls `listReportedItems`. */
    listReportedItems(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      kind?: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
      status?: 'open' | 'dismissed' | 'removed';
    }, options?: CallOptions): Pages<types.ReportedItem>;
    /** Retrieve what stands around a reported message, post or comment. Calls `getReportContext`. */
    getReportContext(reportId: string, options?: CallOptions): Call<types.ReportContext>;
    /** Dismiss a report, or remove the reported content. Calls `resolveReport`. */
    resolveReport(reportId: string, input: types.ResolveReportBody, options?: CallOptions): Call<types.Report>;
    /** Resolve reports alike, with a result for each. Calls `resolveReports`. */
    resolveReports(input: types.ResolveReportsBody, options?: CallOptions): Call<types.ResolvedReport[]>;
  };
  readonly wallet: {
    /** Create a member's wallet. Calls `createWalletAsAdmin`. */
    create(input: types.CreateWalletAsAdminBody, options?: CallOptions): Call<types.Wallet>;
    /** List all wallets, newest first. Calls `listWallets`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `createdAt` and `_id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
      locked?: boolean;
      isActive?: boolean;
    }, options?: CallOptions): Pages<types.OwnedWallet>;
    /** Retrieve a member's wallet with its owner and held Keys. Calls `getWalletAsAdmin`. */
    get(userId: string, options?: CallOptions): Call<types.InspectedWallet>;
    /** Lock, unlock, activate or deactivate a member's wallet. Calls `changeWallet`. */
    change(userId: string, input?: types.ChangeWalletBody, options?: CallOptions): Call<types.Wallet>;
    /** List the transactions of all members with both sides, newest first. Calls `listAllTransactions`. */
    listAllTransactions(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
      type?: 'fund' | 'transfer' | 'withdrawal' | 'refund';
      status?: 'pending' | 'completed' | 'failed' | 'cancelled';
      userId?: types.ObjectId;
      /** In Keys */
      minAmount?: number;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      from?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      to?: types.InstantText;
      /** The Keys bought with this checkout, and those taken back for it */
      checkoutSessionId?: string;
      /** Whether `meta.summary` sums up everything that the filter matches */
      summary?: boolean;
    }, options?: CallOptions): Pages<types.RecordedTransaction>;
    /** Retrieve a transaction with both sides, and with its checkout or payout. Calls `getTransactionAsAdmin`. */
    getTransaction(transactionId: string, options?: CallOptions): Call<types.RecordedTransaction>;
    /** List the checkouts of all members, newest first. Calls `listCheckouts`. */
    listCheckouts(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      status?: 'open' | 'paid' | 'expired' | 'failed';
      userId?: types.ObjectId;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      from?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      to?: types.InstantText;
    }, options?: CallOptions): Pages<types.Checkout>;
    /** Retrieve a checkout with the Keys that it bought. Calls `getCheckout`. */
    getCheckout(id: string, options?: CallOptions): Call<types.Checkout>;
    /** Query the payment provider about a checkout, and settle it. Calls `reconcileCheckout`. */
    reconcileCheckout(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Checkout>;
    /** Take Keys from a member's wallet. Calls `debitWallet`. */
    debit(input: types.DebitWalletBody, options?: CallOptions): Call<types.DebitResult>;
    /** Reverse a transfer, or what an administrator granted or took. Calls `reverseTransaction`. */
    reverseTransaction(transactionId: string, input: types.ReverseTransactionBody, options?: CallOptions): Call<types.ReversalResult>;
    /** Credit Keys to a member's wallet. Calls `fundWalletAsAdmin`. */
    fund(input: types.FundWalletAsAdminBody, options?: CallOptions): Call<types.AdminFundingResult>;
    /** List withdrawals of all members, newest first. Calls `listWithdrawals`. */
    listWithdrawals(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
      status?: 'pending' | 'completed' | 'failed' | 'cancelled';
      userId?: types.ObjectId;
      /** Requested before this instant */
      olderThan?: types.InstantText;
      /** Whether `meta.summary` sums up everything that the filter matches */
      summary?: boolean;
    }, options?: CallOptions): Pages<types.OwnedWithdrawal>;
    /** Request the payout of Keys of a deleted member. Calls `payOutRemainingKeys`. */
    payOutRemaining(input: types.PayOutRemainingKeysBody, options?: CallOptions): Call<types.Withdrawal>;
    /** Query the payment provider about a pending withdrawal at once. Calls `retryWithdrawal`. */
    retryWithdrawal(transactionId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.OwnedWithdrawal>;
    /** Settle a pending withdrawal manually. Calls `settleWithdrawal`. */
    settleWithdrawal(transactionId: string, input: types.SettleWithdrawalBody, options?: CallOptions): Call<types.Withdrawal>;
    /** Retrieve a statement of a member's wallet. Calls `getStatement`. */
    getStatement(userId: string, input?: {
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
      format?: 'json' | 'csv';
    }, options?: CallOptions): Call<types.Statement>;
  };
  readonly ledger: {
    /** Retrieve the result of the latest verification of the ledger. Calls `getLedgerVerification`. */
    getVerification(options?: CallOptions): Call<types.LedgerVerification>;
    /** Verify the whole ledger now, in the background. Calls `verifyLedger`. */
    verify(input?: types.ReasonBody, options?: CallOptions): Call<types.VerifyLedgerResult>;
  };
  readonly exchangeRates: {
    /** Set what one Key is worth. Calls `setExchangeRate`. */
    set(input: types.SetExchangeRateBody, options?: CallOptions): Call<types.ExchangeRate>;
  };
  readonly notifications: {
    /** Notify a member. Calls `sendNotification`. */
    send(input: types.SendNotificationBody, options?: CallOptions): Call<types.SentNotification>;
    /** Notify many members. Calls `sendBulkNotification`. */
    sendBulk(input: types.SendBulkNotificationBody, options?: CallOptions): Call<types.BulkNotification>;
    /** Retrieve the progress of a bulk notification. Calls `getBulkNotification`. */
    getBulk(jobId: string, options?: CallOptions): Call<types.BulkNotification>;
    /** List deliveries by notification and channel, newest first. Calls `listDeliveries`. */
    listDeliveries(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `notificationId` and `channel` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
      /** `batched`: waits for the hourly digest. `muted`: turned off by the member. `unavailable`: the channel is not available yet, or the member has no address on it. `read`: read in the app before it could be sent. `suppressed`: the address refuses our mail */
      status?: 'pending' | 'batched' | 'sent' | 'failed' | 'muted' | 'unavailable' | 'read' | 'suppressed';
      userId?: types.ObjectId;
      channel?: types.NotificationChannel;
      kind?: 'notification' | 'transactional';
      notificationId?: types.ObjectId;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      from?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      to?: types.InstantText;
    }, options?: CallOptions): Pages<types.Delivery>;
    /** List the notifications and e-mails of a member, newest first, with the outcome on each channel. Calls `listNotificationsOfUser`. */
    listOfUser(userId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.NotificationOfUser>;
    /** Send a test notification on one channel. Calls `testNotification`. */
    test(input: types.TestNotificationBody, options?: CallOptions): Call<types.SentNotification>;
    /** Retry failed deliveries. Calls `replayDeliveries`. */
    replayDeliveries(input?: types.ReplayDeliveriesBody, options?: CallOptions): Call<types.ReplayDeliveriesResult>;
  };
  readonly chatrooms: {
    /** List reported messages, newest first. Calls `listChatReports`. */
    listReports(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      status?: 'open' | 'dismissed' | 'removed';
    }, options?: CallOptions): Pages<types.ChatReport>;
    /** Dismiss a report, or delete the reported message. Calls `resolveChatReport`. */
    resolveReport(reportId: string, input: types.ResolveChatReportBody, options?: CallOptions): Call<types.ChatReport>;
  };
  readonly liveChannel: {
    /** List the processes that hold live connections. Calls `listLiveNodes`. */
    listLiveNodes(options?: CallOptions): Call<types.LiveNode[]>;
    /** List the live connections of all members or of one, newest first. Calls `listLiveConnections`. */
    listLiveConnections(input?: {
      userId?: types.ObjectId;
    }, options?: CallOptions): Call<types.LiveConnection[]>;
    /** Close a live connection. Calls `closeLiveConnection`. */
    closeLiveConnection(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.CloseLiveConnectionResult>;
  };
  readonly schedule: {
    /** Synchronize the schedule mirror now. Calls `syncSchedule`. */
    sync(input?: {
      dryRun?: boolean;
      /** Why you do it, for the audit log */
      reason?: string;
    }, options?: CallOptions): Call<types.ScheduleSync>;
  };
  readonly courses: {
    /** Pass a course on to another educator. Calls `changeCourseOwner`. */
    changeOwner(courseId: string, input: types.ChangeCourseOwnerBody, options?: CallOptions): Call<types.Course>;
  };
  readonly lessons: {
    /** List the videos that failed, or have been processed for more than an hour, newest first. Calls `listTroubledVideos`. */
    listTroubledVideos(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 200 are lowered to 200 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      status?: 'failed' | 'processing';
    }, options?: CallOptions): Pages<types.TroubledVideo>;
    /** Process the failed video of a lesson again. Calls `retryLessonVideo`. */
    retryVideo(lessonId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.LessonVideo>;
  };
  readonly communities: {
    /** List the posts of all communities, newest first. Calls `listAllPosts`. */
    listAllPosts(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      userId?: types.ObjectId;
    }, options?: CallOptions): Pages<types.PostAnywhere>;
  };
  readonly educators: {
    /** Verify, feature or rename an educator, or set their rank badge. Calls `markEducator`. */
    mark(educatorId: string, input?: types.MarkEducatorBody, options?: CallOptions): Call<types.Educator>;
  };
  readonly indicators: {
    /** List the grants of an indicator, newest first. Calls `listIndicatorAccess`. */
    listAccess(id: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 200 are lowered to 200 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      status?: types.IndicatorAccessStatus;
    }, options?: CallOptions): Pages<types.IndicatorAccess>;
    /** Grant a member access to an indicator. Calls `grantIndicatorAccess`. */
    grantAccess(id: string, input: types.GrantIndicatorAccessBody, options?: CallOptions): Call<types.IndicatorAccess>;
    /** Revoke a grant immediately. Calls `revokeIndicatorAccess`. */
    revokeAccess(id: string, accessId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.IndicatorAccess>;
    /** Retry a failed grant or revocation. Calls `retryIndicatorAccess`. */
    retryAccess(id: string, accessId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.IndicatorAccess>;
    /** Mark a failed grant or revocation as done manually at the charting platform. Calls `resolveIndicatorAccess`. */
    resolveAccess(id: string, accessId: string, input?: types.ResolveIndicatorAccessBody, options?: CallOptions): Call<types.IndicatorAccess>;
    /** Take over what somebody else made at the charting platform for a grant. Calls `takeOverIndicatorAccess`. */
    takeOverAccess(id: string, accessId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.IndicatorAccess>;
    /** List the status changes of a grant, newest first. Calls `getIndicatorAccessHistory`. */
    getAccessHistory(id: string, accessId: string, options?: CallOptions): Call<types.IndicatorAccessMove[]>;
    /** List failed grants of all indicators. Calls `listIndicatorAccessFailures`. */
    listAccessFailures(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 200 are lowered to 200 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.IndicatorAccess>;
    /** List the grants of all indicators, newest first. Calls `listAllIndicatorAccess`. */
    listAllAccess(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 200 are lowered to 200 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      userId?: types.ObjectId;
      status?: types.IndicatorAccessStatus;
      source?: 'marketplace' | 'automated' | 'manual';
      /** Last changed before this instant */
      olderThan?: types.InstantText;
    }, options?: CallOptions): Pages<types.IndicatorAccess>;
    /** Retry failed grants and revocations, with a result for each. Calls `retryAllIndicatorAccess`. */
    retryAllAccess(input: types.RetryAllIndicatorAccessBody, options?: CallOptions): Call<types.RetriedIndicatorAccess[]>;
    /** Compare grants with the charting platform and grant again what is missing. Calls `compareIndicatorAccess`. */
    compareAccess(input?: {
      /** Report differences without repairing them */
      dryRun?: boolean;
      /** Why you do it, for the audit log */
      reason?: string;
    }, options?: CallOptions): Call<types.IndicatorComparison>;
    /** Retrieve the state of the account at the charting platform. Calls `getChartingAccount`. */
    getChartingAccount(options?: CallOptions): Call<types.ChartingAccount>;
    /** Add an indicator to the catalogue. Calls `createIndicator`. */
    create(input: types.CreateIndicatorBody, options?: CallOptions): Call<types.Indicator>;
    /** Update an indicator. Calls `updateIndicator`. */
    update(id: string, input?: types.UpdateIndicatorBody, options?: CallOptions): Call<types.Indicator>;
    /** Delete an indicator that nobody holds. Calls `deleteIndicator`. */
    delete(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
  };
  readonly marketplace: {
    /** Create a product. Calls `createProduct`. */
    createProduct(input: types.CreateProductBody, options?: CallOptions): Call<types.Product>;
    /** List all products, including deactivated ones. Calls `listAllProducts`. */
    listAllProducts(options?: CallOptions): Call<types.Product[]>;
    /** Update a product. Calls `updateProduct`. */
    updateProduct(id: string, input?: types.UpdateProductBody, options?: CallOptions): Call<types.Product>;
    /** Delete a product; requests for it stay. Calls `deleteProduct`. */
    deleteProduct(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Create an upload for a product image. Calls `presignProductImage`. */
    presignProductImage(input: types.PresignProductImageBody, options?: CallOptions): Call<types.PublicUploadTicket>;
    /** List access requests, most recently changed first. Calls `listAccessRequests`. */
    listAccessRequests(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `updatedAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
      status?: 'pending' | 'approved' | 'denied';
      productId?: types.ObjectId;
      /** Part of a name, an e-mail or a charting id; the beginning of one if it is shorter than three characters */
      search?: string;
      format?: 'json' | 'csv';
    }, options?: CallOptions): Pages<types.QueuedAccessRequest>;
    /** Decide access requests alike, with a result for each. Calls `decideAccessRequests`. */
    decideAccessRequests(input: types.DecideAccessRequestsBody, options?: CallOptions): Call<types.BulkDecision[]>;
    /** Approve or deny an access request, or withdraw a decision. Calls `decideAccessRequest`. */
    decideAccessRequest(id: string, input: types.DecideAccessRequestBody, options?: CallOptions): Call<types.DecidedAccessRequest>;
  };
  readonly leaderboards: {
    /** Retrieve the leaderboards of a period, as an administrator. Calls `getLeaderboardsAsAdmin`. */
    get(input?: {
      period?: '24h' | '7d' | '30d' | '90d';
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
      /** All platforms if left out */
      platform?: 'ios' | 'android' | 'web';
      /** Counts only watch sessions of this type of content */
      contentType?: 'livestream' | 'meeting' | 'lesson' | 'video' | 'story';
      /** Rows of each board; values above 50 are lowered to 50 */
      limit?: number;
    }, options?: CallOptions): Call<types.Leaderboards>;
  };
  readonly analytics: {
    /** Retrieve key figures of the platform. Calls `getDashboard`. */
    getDashboard(input?: {
      period?: '7d' | '30d' | '90d' | '1y';
    }, options?: CallOptions): Call<types.Dashboard>;
    /** Analyse a funnel of events. Calls `askFunnel`. */
    askFunnel(input: types.AskFunnelBody, options?: CallOptions): Call<types.Funnel>;
    /** Count events by day, week or month. Calls `aggregateEvents`. */
    aggregateEvents(input?: {
      groupBy?: 'day' | 'week' | 'month';
      eventType?: string;
      eventName?: string;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
      /** An IANA time zone; days, weeks and months begin at its midnight */
      timezone?: string;
      /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
      source?: 'client' | 'platform' | 'all';
      format?: 'json' | 'csv';
    }, options?: CallOptions): Call<{
      /** The day, the Monday of the week, or the month as `2026-11` */
      period: string;
      /** The requested filter */
      eventType?: string;
      /** The requested filter */
      eventName?: string;
      count: number;
      uniqueUsers: number;
    }[]>;
    /** List the 1,000 most frequent event types, most frequent first. Calls `listEventTypes`. */
    listEventTypes(input?: {
      /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
      source?: 'client' | 'platform' | 'all';
    }, options?: CallOptions): Call<{
      eventType: string;
      count: number;
    }[]>;
    /** List the 1,000 most frequent event names, most frequent first. Calls `listPopularEvents`. */
    listPopularEvents(input?: {
      /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
      source?: 'client' | 'platform' | 'all';
    }, options?: CallOptions): Call<{
      eventName: string;
      count: number;
    }[]>;
    /** Export events as CSV. Calls `exportEvents`. */
    exportEvents(input?: {
      eventType?: string;
      eventName?: string;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
      /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
      source?: 'client' | 'platform' | 'all';
    }, options?: CallOptions): Call<types.ExportEventsResult>;
    /** List the names of events that are counted by themselves, newest first. Calls `listEventNames`. */
    listEventNames(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.EventName>;
    /** Count the events of a name by themselves from now on. Calls `listEventName`. */
    addEventName(input: types.EventNameDecision, options?: CallOptions): Call<types.ListEventNameResult>;
    /** Count the events of a name under `other`. Calls `removeEventName`. */
    removeEventName(input: types.EventNameDecision, options?: CallOptions): Call<types.RemoveEventNameResult>;
  };
  readonly exports: {
    /** Begin an export of a user's data. Calls `exportDataOfUser`. */
    begin(userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.ExportBegun>;
    /** See a user's newest export, and download it. Calls `getExportOfUser`. */
    get(userId: string, options?: CallOptions): Call<types.DataExport>;
  };
  readonly administration: {
    /** List what a person must deal with, newest first. Calls `listAlerts`. */
    listAlerts(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      status?: 'open' | 'closed';
      /** The `target` of the alerts */
      target?: string;
    }, options?: CallOptions): Pages<types.Alert>;
    /** Record that an alert was dealt with. Calls `closeAlert`. */
    closeAlert(alertId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Alert>;
    /** See the processes, the external systems, the settings and the newest backup. Calls `getInstallationHealth`. */
    getInstallationHealth(options?: CallOptions): Call<types.InstallationHealth>;
    /** Record the newest backup, as the job that takes backups does. Calls `recordBackup`. */
    recordBackup(input: types.RecordBackupBody, options?: CallOptions): Call<types.Backup>;
    /** Find any record by an identifier or a name. Calls `searchRecords`. */
    searchRecords(input: {
      /** An identifier of any kind (a request, a payment session, a payout, an object identifier), an e-mail address, or the beginning of a name */
      q: string;
    }, options?: CallOptions): Call<types.FoundRecord[]>;
    /** See what waits for a person, and how the platform is doing. Calls `getOverview`. */
    getOverview(options?: CallOptions): Call<types.Overview>;
  };
  readonly audit: {
    /** List the audit log, newest first. Calls `listAudit`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      actor?: string;
      action?: string;
      target?: string;
      /** Entries about a transaction of Keys: whose target it is, or whose details name it, as those of fundings, debits and settlements */
      transactionId?: string;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
      /** `csv` returns all that matches as a file, at most 100,000 rows */
      format?: 'json' | 'csv';
    }, options?: CallOptions): Pages<types.AuditRecord>;
    /** List the actions in the audit log. Calls `listAuditActions`. */
    listActions(options?: CallOptions): Call<string[]>;
  };
  readonly jobs: {
    /** List the queues of background jobs. Calls `listJobQueues`. */
    list(options?: CallOptions): Call<types.JobQueue[]>;
    /** List the jobs of a queue that failed all their attempts, newest first. Calls `listDeadJobs`. */
    listDeadJobs(queue: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `failedAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.MomentOrUuid;
    }, options?: CallOptions): Pages<types.DeadJob>;
    /** Run several dead jobs again. Calls `retryDeadJobs`. */
    retryDeadJobs(queue: string, input: types.RetryDeadJobsBody, options?: CallOptions): Call<types.RetriedJob[]>;
    /** Run a dead job again, with all its attempts. Calls `retryDeadJob`. */
    retryDeadJob(queue: string, id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.JobOfQueue>;
    /** Delete a dead job. Calls `deleteDeadJob`. */
    deleteDeadJob(queue: string, id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.JobOfQueue>;
    /** Run a scheduled job now. Calls `runJobQueue`. */
    run(queue: string, input?: types.ReasonBody, options?: CallOptions): Call<types.RunJobQueueResult>;
  };
  readonly events: {
    /** Read the events of the last 30 days, oldest first. Calls `listEvents`. */
    list(input?: {
      /** The `nextCursor` of the previous page; without it, the list begins with the oldest stored event */
      after?: string;
      /** Types separated by commas; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
      types?: string;
      /** Events per page; values above 500 are lowered to 500 */
      limit?: number;
    }, options?: CallOptions): Feed<types.PublicEvent>;
  };
  readonly webhookEndpoints: {
    /** Register an endpoint that events are sent to. Calls `createWebhookEndpoint`. */
    create(input: types.CreateWebhookEndpointBody, options?: CallOptions): Call<types.NewWebhookEndpoint>;
    /** List webhook endpoints, newest first. Calls `listWebhookEndpoints`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.WebhookEndpoint>;
    /** Retrieve a webhook endpoint and the state of its deliveries. Calls `getWebhookEndpoint`. */
    get(id: string, options?: CallOptions): Call<types.WebhookEndpointDetail>;
    /** Change a webhook endpoint; enabling one continues where it stopped. Calls `updateWebhookEndpoint`. */
    update(id: string, input?: types.UpdateWebhookEndpointBody, options?: CallOptions): Call<types.WebhookEndpoint>;
    /** Delete a webhook endpoint. Calls `deleteWebhookEndpoint`. */
    delete(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeleteWebhookEndpointResult>;
    /** Replace the secret of a webhook endpoint; for 24 hours deliveries are signed with both. Calls `rotateWebhookSecret`. */
    rotateWebhookSecret(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.RotatedWebhookSecret>;
    /** Send a `webhook.test` to a webhook endpoint. Calls `testWebhookEndpoint`. */
    test(id: string, input?: types.ReasonBody, options?: CallOptions): Call<types.WebhookTestSent>;
    /** List the deliveries to a webhook endpoint, newest first. Calls `listWebhookDeliveries`. */
    listWebhookDeliveries(id: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      status?: 'pending' | 'delivered' | 'failed';
      type?: string;
    }, options?: CallOptions): Pages<types.WebhookDelivery>;
    /** Read a delivery with its body and the answers. Calls `getWebhookDelivery`. */
    getWebhookDelivery(id: string, deliveryId: string, options?: CallOptions): Call<types.WebhookDeliveryDetail>;
    /** Send events again, with the same ids and numbers. Calls `replayWebhooks`. */
    replayWebhooks(id: string, input: types.ReplayWebhooksBody, options?: CallOptions): Call<types.WebhookReplay>;
  };
}

export const administrators: Record<keyof Administrators, Methods> = {
  apiKeys: {
    create: [all.createApiKey, 'body'],
    list: [all.listApiKeys, 'query'],
    revoke: [all.revokeApiKey, 'body'],
    update: [all.updateApiKey, 'body'],
    roll: [all.rollApiKey, 'body'],
  },
  errors: {
    getError: [all.getError],
    list: [all.listErrors, 'query'],
    summarize: [all.summarizeErrors, 'query'],
    get: [all.getErrorAsAdmin],
    update: [all.updateError, 'body'],
  },
  mail: {
    listSuppressions: [all.listMailSuppressions, 'query'],
    deleteSuppression: [all.deleteMailSuppression, 'body'],
  },
  users: {
    listUsers: [all.listUsers, 'query'],
    removeFactors: [all.removeFactorsOfUser, 'body'],
    listSessions: [all.listSessionsOfUser, 'query'],
    endSessions: [all.endSessionsOfUser, 'query'],
    recordPurchase: [all.recordPurchase, 'body'],
    listPurchases: [all.listPurchases, 'query'],
    removePurchase: [all.removePurchase, 'body'],
    listPlatforms: [all.listPlatforms],
    getAccess: [all.getAccessOfUser],
    endSession: [all.endSessionOfUser, 'body'],
    sendPasswordReset: [all.sendPasswordReset, 'body'],
    issueFundingKey: [all.issueFundingKey, 'body'],
    create: [all.createUser, 'body'],
    list: [all.listUsersAsAdmin, 'query'],
    get: [all.getUser],
    update: [all.updateUser, 'body'],
    delete: [all.deleteUser, 'body', 'query'],
    getOverview: [all.getOverviewOfUser],
  },
  permissions: {
    replace: [all.replacePermissions, 'body'],
    assign: [all.assignPermissions, 'body'],
    unassign: [all.unassignPermissions, 'body'],
    getPermissionDistribution: [all.getPermissionDistribution],
    getDistribution: [all.getPermissionDistributionAsAdmin],
    count: [all.countPermission],
  },
  moderation: {
    muteUser: [all.muteUser, 'body'],
    unmuteUser: [all.unmuteUser, 'body'],
    listReports: [all.listReports, 'query'],
    listReportedItems: [all.listReportedItems, 'query'],
    getReportContext: [all.getReportContext],
    resolveReport: [all.resolveReport, 'body'],
    resolveReports: [all.resolveReports, 'body'],
  },
  wallet: {
    create: [all.createWalletAsAdmin, 'body'],
    list: [all.listWallets, 'query'],
    get: [all.getWalletAsAdmin],
    change: [all.changeWallet, 'body'],
    listAllTransactions: [all.listAllTransactions, 'query'],
    getTransaction: [all.getTransactionAsAdmin],
    listCheckouts: [all.listCheckouts, 'query'],
    getCheckout: [all.getCheckout],
    reconcileCheckout: [all.reconcileCheckout, 'body'],
    debit: [all.debitWallet, 'body'],
    reverseTransaction: [all.reverseTransaction, 'body'],
    fund: [all.fundWalletAsAdmin, 'body'],
    listWithdrawals: [all.listWithdrawals, 'query'],
    payOutRemaining: [all.payOutRemainingKeys, 'body'],
    retryWithdrawal: [all.retryWithdrawal, 'body'],
    settleWithdrawal: [all.settleWithdrawal, 'body'],
    getStatement: [all.getStatement, 'query'],
  },
  ledger: {
    getVerification: [all.getLedgerVerification],
    verify: [all.verifyLedger, 'body'],
  },
  exchangeRates: {
    set: [all.setExchangeRate, 'body'],
  },
  notifications: {
    send: [all.sendNotification, 'body'],
    sendBulk: [all.sendBulkNotification, 'body'],
    getBulk: [all.getBulkNotification],
    listDeliveries: [all.listDeliveries, 'query'],
    listOfUser: [all.listNotificationsOfUser, 'query'],
    test: [all.testNotification, 'body'],
    replayDeliveries: [all.replayDeliveries, 'body'],
  },
  chatrooms: {
    listReports: [all.listChatReports, 'query'],
    resolveReport: [all.resolveChatReport, 'body'],
  },
  liveChannel: {
    listLiveNodes: [all.listLiveNodes],
    listLiveConnections: [all.listLiveConnections, 'query'],
    closeLiveConnection: [all.closeLiveConnection, 'body'],
  },
  schedule: {
    sync: [all.syncSchedule, 'query'],
  },
  courses: {
    changeOwner: [all.changeCourseOwner, 'body'],
  },
  lessons: {
    listTroubledVideos: [all.listTroubledVideos, 'query'],
    retryVideo: [all.retryLessonVideo, 'body'],
  },
  communities: {
    listAllPosts: [all.listAllPosts, 'query'],
  },
  educators: {
    mark: [all.markEducator, 'body'],
  },
  indicators: {
    listAccess: [all.listIndicatorAccess, 'query'],
    grantAccess: [all.grantIndicatorAccess, 'body'],
    revokeAccess: [all.revokeIndicatorAccess, 'body'],
    retryAccess: [all.retryIndicatorAccess, 'body'],
    resolveAccess: [all.resolveIndicatorAccess, 'body'],
    takeOverAccess: [all.takeOverIndicatorAccess, 'body'],
    getAccessHistory: [all.getIndicatorAccessHistory],
    listAccessFailures: [all.listIndicatorAccessFailures, 'query'],
    listAllAccess: [all.listAllIndicatorAccess, 'query'],
    retryAllAccess: [all.retryAllIndicatorAccess, 'body'],
    compareAccess: [all.compareIndicatorAccess, 'query'],
    getChartingAccount: [all.getChartingAccount],
    create: [all.createIndicator, 'body'],
    update: [all.updateIndicator, 'body'],
    delete: [all.deleteIndicator, 'body'],
  },
  marketplace: {
    createProduct: [all.createProduct, 'body'],
    listAllProducts: [all.listAllProducts],
    updateProduct: [all.updateProduct, 'body'],
    deleteProduct: [all.deleteProduct, 'body'],
    presignProductImage: [all.presignProductImage, 'body'],
    listAccessRequests: [all.listAccessRequests, 'query'],
    decideAccessRequests: [all.decideAccessRequests, 'body'],
    decideAccessRequest: [all.decideAccessRequest, 'body'],
  },
  leaderboards: {
    get: [all.getLeaderboardsAsAdmin, 'query'],
  },
  analytics: {
    getDashboard: [all.getDashboard, 'query'],
    askFunnel: [all.askFunnel, 'body'],
    aggregateEvents: [all.aggregateEvents, 'query'],
    listEventTypes: [all.listEventTypes, 'query'],
    listPopularEvents: [all.listPopularEvents, 'query'],
    exportEvents: [all.exportEvents, 'query'],
    listEventNames: [all.listEventNames, 'query'],
    addEventName: [all.listEventName, 'body'],
    removeEventName: [all.removeEventName, 'body'],
  },
  exports: {
    begin: [all.exportDataOfUser, 'body'],
    get: [all.getExportOfUser],
  },
  administration: {
    listAlerts: [all.listAlerts, 'query'],
    closeAlert: [all.closeAlert, 'body'],
    getInstallationHealth: [all.getInstallationHealth],
    recordBackup: [all.recordBackup, 'body'],
    searchRecords: [all.searchRecords, 'query'],
    getOverview: [all.getOverview],
  },
  audit: {
    list: [all.listAudit, 'query'],
    listActions: [all.listAuditActions],
  },
  jobs: {
    list: [all.listJobQueues],
    listDeadJobs: [all.listDeadJobs, 'query'],
    retryDeadJobs: [all.retryDeadJobs, 'body'],
    retryDeadJob: [all.retryDeadJob, 'body'],
    deleteDeadJob: [all.deleteDeadJob, 'body'],
    run: [all.runJobQueue, 'body'],
  },
  events: {
    list: [all.listEvents, 'query'],
  },
  webhookEndpoints: {
    create: [all.createWebhookEndpoint, 'body'],
    list: [all.listWebhookEndpoints, 'query'],
    get: [all.getWebhookEndpoint],
    update: [all.updateWebhookEndpoint, 'body'],
    delete: [all.deleteWebhookEndpoint, 'body'],
    rotateWebhookSecret: [all.rotateWebhookSecret, 'body'],
    test: [all.testWebhookEndpoint, 'body'],
    listWebhookDeliveries: [all.listWebhookDeliveries, 'query'],
    getWebhookDelivery: [all.getWebhookDelivery],
    replayWebhooks: [all.replayWebhooks, 'body'],
  },
};
