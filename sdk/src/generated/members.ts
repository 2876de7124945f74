// Written by `npm run sdk` from the operations of the platform: change those instead.

import type { Call } from '../caller.ts';
import type { Methods } from '../facade.ts';
import type { CallOptions } from '../options.ts';
import type { Pages } from '../pages.ts';
import * as all from './operations/index.ts';
import type * as types from './types.ts';

/** The operations of members, educators and their apps. */
export interface Members {
  readonly auth: {
    /** Create an account and sign in. Calls `signUp`. */
    signUp(input: types.SignUpBody, options?: CallOptions): Call<types.SignedIn>;
    /** Sign in with e-mail and password. Calls `signIn`. */
    signIn(input: types.SignInBody, options?: CallOptions): Call<types.SignedIn>;
    /** Sign in by a passkey. Calls `signInByPasskey`. */
    signInByPasskey(input: types.SignInByPasskeyBody, options?: CallOptions): Call<types.SignedIn>;
    /** Exchange a refresh token for a new pair of tokens. Calls `refreshToken`. */
    refreshToken(input: types.RefreshTokenBody, options?: CallOptions): Call<types.TokenPair>;
    /** Verify your e-mail address. Calls `verifyEmail`. */
    verifyEmail(input?: types.VerifyEmailBody, options?: CallOptions): Call<types.VerifiedEmail>;
    /** Have a new verification mail sent. Calls `resendVerification`. */
    resendVerification(options?: CallOptions): Call<types.ResendVerificationResult>;
    /** Sign in with tokens and a user id or customer id. Calls `signInSso`. */
    signInSso(input: types.SignInSsoBody, options?: CallOptions): Call<types.SsoSignedIn>;
    /** Redeem a single sign-on token. Calls `redeemSsoToken`. */
    redeemSsoToken(input: types.RedeemSsoTokenBody, options?: CallOptions): Call<types.SsoRedeemed>;
    /** Sign out everywhere, on one platform, or on one device of a platform. Calls `signOut`. */
    signOut(input?: types.SignOutBody, options?: CallOptions): Call<types.SessionsEnded>;
    /** List your active sessions, newest first. Calls `listSessions`. */
    listSessions(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.Session>;
    /** End one of your sessions. Calls `endSession`. */
    endSession(sessionId: string, options?: CallOptions): Call<types.SessionsEnded>;
    /** Get the options with which the browser signs in or steps up by a passkey. Calls `getPasskeySignInOptions`. */
    getPasskeySignInOptions(options?: CallOptions): Call<types.GetPasskeySignInOptionsResult>;
  };
  readonly users: {
    /** Delete your account. Calls `deleteOwnAccount`. */
    deleteOwnAccount(input?: types.DeleteOwnAccountBody, options?: CallOptions): Call<types.DeleteOwnAccountResult>;
    /** See on which platforms you can sign in, by which purchase and until when. Calls `listOwnAccess`. */
    listOwnAccess(options?: CallOptions): Call<types.AccessVerdict[]>;
    /** Redeem your one-time funding key. Calls `validateFundingKey`. */
    validateFundingKey(input: types.ValidateFundingKeyBody, options?: CallOptions): Call<types.ValidateFundingKeyResult>;
  };
  readonly secondFactors: {
    /** See which second factors you have. Calls `getFactors`. */
    getFactors(options?: CallOptions): Call<types.Factors>;
    /** Begin to add an authenticator app (step 1 of 2). Calls `enrollAuthenticator`. */
    enrollAuthenticator(options?: CallOptions): Call<types.EnrollAuthenticatorResult>;
    /** Remove your authenticator app. Calls `removeAuthenticator`. */
    removeAuthenticator(options?: CallOptions): Call<types.Factors>;
    /** Confirm the authenticator app with one of its codes (step 2 of 2). Calls `confirmAuthenticator`. */
    confirmAuthenticator(input: types.ConfirmAuthenticatorBody, options?: CallOptions): Call<types.RecoveryCodes>;
    /** Get new recovery codes, and void the earlier ones. Calls `renewRecoveryCodes`. */
    renewRecoveryCodes(options?: CallOptions): Call<types.RecoveryCodes>;
    /** Get the options with which the browser creates a passkey (step 1 of 2). Calls `getPasskeyOptions`. */
    getPasskeyOptions(options?: CallOptions): Call<types.GetPasskeyOptionsResult>;
    /** Add the passkey that the browser created (step 2 of 2). Calls `addPasskey`. */
    addPasskey(input: types.AddPasskeyBody, options?: CallOptions): Call<types.Passkey>;
    /** List your passkeys. Calls `listPasskeys`. */
    listPasskeys(options?: CallOptions): Call<types.Passkey[]>;
    /** Rename one of your passkeys. Calls `renamePasskey`. */
    renamePasskey(id: string, input: types.RenamePasskeyBody, options?: CallOptions): Call<types.Passkey>;
    /** Remove one of your passkeys. Calls `removePasskey`. */
    removePasskey(id: string, options?: CallOptions): Call<types.RemovePasskeyResult>;
    /** Confirm who you are, for ten minutes of this session. Calls `stepUp`. */
    stepUp(input?: types.StepUpBody, options?: CallOptions): Call<types.StepUpResult>;
  };
  readonly passwords: {
    /** Request a password reset code by mail (step 1 of 3). Calls `forgotPassword`. */
    forgot(input: types.ForgotPasswordBody, options?: CallOptions): Call<types.Nothing>;
    /** Check a password reset code (step 2 of 3). Calls `validateResetCode`. */
    validateResetCode(input: types.ValidateResetCodeBody, options?: CallOptions): Call<types.CodeCheck>;
    /** Set a new password with a reset code (step 3 of 3). Calls `resetPassword`. */
    reset(input: types.ResetPasswordBody, options?: CallOptions): Call<types.Nothing>;
    /** Change your password and end your other sessions. Calls `changePassword`. */
    change(input: types.ChangePasswordBody, options?: CallOptions): Call<types.Nothing>;
  };
  readonly permissions: {
    /** List the permissions of a user: your own, or anybody's with `read_users`. Calls `getPermissions`. */
    get(userId: string, options?: CallOptions): Call<types.Permissions>;
  };
  readonly profile: {
    /** Retrieve your profile. Calls `getProfile`. */
    get(options?: CallOptions): Call<types.OwnProfile>;
    /** Change your profile. Calls `updateProfile`. */
    update(input?: types.UpdateProfileBody, options?: CallOptions): Call<types.OwnProfile>;
    /** Create an upload for your picture. Calls `presignProfilePicture`. */
    presignPicture(input: types.PresignProfilePictureBody, options?: CallOptions): Call<types.PublicUploadTicket>;
  };
  readonly moderation: {
    /** List the members you block, newest block first. Calls `listBlocks`. */
    listBlocks(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `blockedAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.Block>;
    /** Block a member. Calls `blockMember`. */
    blockMember(userId: string, options?: CallOptions): Call<types.BlockMemberResult>;
    /** Unblock a member. Calls `unblockMember`. */
    unblockMember(userId: string, options?: CallOptions): Call<types.UnblockMemberResult>;
    /** Report content to the moderators. Calls `report`. */
    report(input: types.ReportBody, options?: CallOptions): Call<types.SentReport>;
  };
  readonly members: {
    /** Look up members by their ids. Calls `listMembers`. */
    list(input: {
      /** Ids of members, separated by commas, at most 100 */
      ids: string;
    }, options?: CallOptions): Call<types.Member[]>;
    /** Look up a member. Calls `getMember`. */
    get(id: string, options?: CallOptions): Call<types.SeenMember>;
  };
  readonly wallet: {
    /** Create your wallet. Calls `createWallet`. */
    create(options?: CallOptions): Call<types.Wallet>;
    /** Retrieve your balance in Keys and US dollars. Calls `getBalance`. */
    getBalance(input?: {
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      at?: types.InstantText;
    }, options?: CallOptions): Call<types.Balance>;
    /** Send Keys to another member. Calls `transferKeys`. */
    transfer(input: types.TransferKeysBody, options?: CallOptions): Call<types.TransferResult>;
    /** Buy Keys with a hosted checkout. Calls `buyKeys`. */
    buy(input: types.BuyKeysBody, options?: CallOptions): Call<types.CheckoutSession>;
    /** Retrieve a checkout of yours, and what became of it. Calls `getOwnCheckout`. */
    getOwnCheckout(checkoutSessionId: string, options?: CallOptions): Call<types.OwnCheckout>;
    /** Request a withdrawal of Keys. Calls `withdrawKeys`. */
    withdraw(input: types.WithdrawKeysBody, options?: CallOptions): Call<types.WithdrawalResult>;
    /** Cancel your pending withdrawal. Calls `cancelWithdrawal`. */
    cancelWithdrawal(transactionId: string, options?: CallOptions): Call<types.Withdrawal>;
    /** List your transactions, newest first. Calls `listTransactions`. */
    listTransactions(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
      type?: 'fund' | 'transfer' | 'withdrawal' | 'refund';
      status?: 'pending' | 'completed' | 'failed' | 'cancelled';
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
    }, options?: CallOptions): Pages<types.Transaction>;
    /** Retrieve one of your transactions. Calls `getTransaction`. */
    getTransaction(transactionId: string, options?: CallOptions): Call<types.Transaction>;
    /** Retrieve totals of your transactions. Calls `getTransactionStatistics`. */
    getTransactionStatistics(input?: {
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
    }, options?: CallOptions): Call<types.TransactionStatistics>;
    /** Retrieve a statement of your wallet. Calls `getOwnStatement`. */
    getOwnStatement(input?: {
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
    }, options?: CallOptions): Call<types.Statement>;
  };
  readonly exchangeRates: {
    /** Retrieve the current exchange rate. Calls `getExchangeRate`. */
    get(input?: {
      /** A currency code of ISO 4217 */
      currency?: string;
    }, options?: CallOptions): Call<types.ExchangeRate>;
    /** List the exchange rates of a currency, newest first. Calls `listExchangeRates`. */
    list(input?: {
      /** A currency code of ISO 4217 */
      currency?: string;
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.ExchangeRate>;
    /** List the current rate of each currency. Calls `listActiveExchangeRates`. */
    listActive(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.ExchangeRate>;
    /** Convert Keys to money. Calls `convertKeysToMoney`. */
    convertKeysToMoney(input: types.ConvertKeysToMoneyBody, options?: CallOptions): Call<types.ConvertKeysToMoneyResult>;
    /** Convert money to Keys. Calls `convertMoneyToKeys`. */
    convertMoneyToKeys(input: types.ConvertMoneyToKeysBody, options?: CallOptions): Call<types.ConvertMoneyToKeysResult>;
  };
  readonly notifications: {
    /** List your notifications, newest first. Calls `listNotifications`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 50 are lowered to 50 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      type?: types.NotificationType;
      read?: boolean;
    }, options?: CallOptions): Pages<types.Notification>;
    /** Count your unread notifications. Calls `countUnreadNotifications`. */
    countUnread(options?: CallOptions): Call<types.CountUnreadNotificationsResult>;
    /** Retrieve one of yours. Calls `getNotification`. */
    get(notificationId: string, options?: CallOptions): Call<types.Notification>;
    /** Delete one of yours. Calls `deleteNotification`. */
    delete(notificationId: string, options?: CallOptions): Call<types.DeleteNotificationResult>;
    /** Mark a notification as read. Calls `readNotification`. */
    read(notificationId: string, options?: CallOptions): Call<types.ReadNotificationResult>;
    /** Mark all your notifications as read. Calls `readAllNotifications`. */
    readAll(options?: CallOptions): Call<types.ReadAllNotificationsResult>;
  };
  readonly push: {
    /** Retrieve your notification preferences. Calls `getPreferences`. */
    getPreferences(options?: CallOptions): Call<types.NotificationPreferences>;
    /** Update your notification preferences. Calls `setPreferences`. */
    setPreferences(input: types.SetPreferencesBody, options?: CallOptions): Call<types.NotificationPreferences>;
    /** Register a device for push notifications. Calls `registerDevice`. */
    registerDevice(input: types.RegisterDeviceBody, options?: CallOptions): Call<types.Device>;
    /** Retrieve the public key for browser push subscriptions. Calls `getVapidKey`. */
    getVapidKey(options?: CallOptions): Call<types.GetVapidKeyResult>;
    /** Unregister a device from push notifications. Calls `unregisterDevice`. */
    unregisterDevice(input: types.UnregisterDeviceBody, options?: CallOptions): Call<types.UnregisterDeviceResult>;
    /** List your devices. Calls `listDevices`. */
    listDevices(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Pages<types.Device>;
    /** List the topics that you are subscribed to. Calls `listSubscribedTopics`. */
    listSubscribedTopics(options?: CallOptions): Call<types.SubscribedTopics>;
    /** Subscribe to topics. Calls `subscribeToTopics`. */
    subscribeToTopics(input: types.TopicsBody, options?: CallOptions): Call<types.SubscribedTopics>;
    /** Unsubscribe from topics. Calls `unsubscribeFromTopics`. */
    unsubscribeFromTopics(input: types.TopicsBody, options?: CallOptions): Call<types.SubscribedTopics>;
    /** Send a test push to your own devices. Calls `testPush`. */
    testPush(options?: CallOptions): Call<types.TestPushResult>;
  };
  readonly chatrooms: {
    /** List who is muted in a chatroom or banned from it. Calls `listChatRestrictions`. */
    listRestrictions(chatroomId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.ChatroomRestriction>;
    /** Mute a member. Calls `muteChatMember`. */
    muteMember(chatroomId: string, userId: string, input: types.MuteChatMemberBody, options?: CallOptions): Call<types.MuteChatMemberResult>;
    /** Unmute a member. Calls `unmuteChatMember`. */
    unmuteMember(chatroomId: string, userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.UnmuteChatMemberResult>;
    /** Ban a member. Calls `banChatMember`. */
    banMember(chatroomId: string, userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.BanChatMemberResult>;
    /** Lift the ban of a member. Calls `unbanChatMember`. */
    unbanMember(chatroomId: string, userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.UnbanChatMemberResult>;
    /** Report a message to the moderators. Calls `reportChatMessage`. */
    reportMessage(chatroomId: string, messageId: string, input: types.ReportChatMessageBody, options?: CallOptions): Call<types.SentChatReport>;
    /** List public chatrooms and those you are a member of. Calls `listChatrooms`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `lastMessageAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.MomentOrId;
      /** `public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added */
      type?: 'public' | 'private' | 'group';
      /** A part of their name */
      search?: string;
      /** Only chatrooms that you are a member of */
      joined?: true;
      /** By creation, newest first (the default), or by the newest message (`lastMessageAt`, of rooms without messages `createdAt`), latest first; `active` requires `joined=true` */
      sort?: 'newest' | 'active';
    }, options?: CallOptions): Pages<types.Chatroom>;
    /** Create a chatroom. Calls `createChatroom`. */
    create(input: types.CreateChatroomBody, options?: CallOptions): Call<types.Chatroom>;
    /** Retrieve a chatroom. Calls `getChatroom`. */
    get(chatroomId: string, options?: CallOptions): Call<types.Chatroom>;
    /** Update a chatroom. Calls `updateChatroom`. */
    update(chatroomId: string, input?: types.UpdateChatroomBody, options?: CallOptions): Call<types.Chatroom>;
    /** Delete a chatroom. Calls `deleteChatroom`. */
    delete(chatroomId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Hand on a chatroom to one of its members. Calls `handOnChatroom`. */
    handOn(chatroomId: string, input: types.HandOnChatroomBody, options?: CallOptions): Call<types.Chatroom>;
    /** Join a public chatroom. Calls `joinChatroom`. */
    join(chatroomId: string, options?: CallOptions): Call<types.Chatroom>;
    /** Leave a chatroom. Calls `leaveChatroom`. */
    leave(chatroomId: string, options?: CallOptions): Call<types.Chatroom>;
    /** List the members of a chatroom. Calls `listChatroomMembers`. */
    listMembers(chatroomId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.ChatroomMember>;
    /** Add a member to a chatroom. Calls `addChatroomMember`. */
    addMember(chatroomId: string, input: types.AddChatroomMemberBody, options?: CallOptions): Call<types.Chatroom>;
    /** Remove a member from a chatroom. Calls `removeChatroomMember`. */
    removeMember(chatroomId: string, userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.RemoveChatroomMemberResult>;
    /** Count your unread messages in all chatrooms. Calls `countUnreadMessages`. */
    countUnreadMessages(options?: CallOptions): Call<types.UnreadMessages>;
    /** Say up to which message you have read a chatroom. Calls `markChatroomRead`. */
    markRead(chatroomId: string, input: types.MarkChatroomReadBody, options?: CallOptions): Call<types.ReadPosition>;
    /** Choose whether you are notified of new messages in a chatroom. Calls `setChatroomNotifications`. */
    setNotifications(chatroomId: string, input: types.SetChatroomNotificationsBody, options?: CallOptions): Call<types.Chatroom>;
    /** List messages, newest first. Calls `listChatMessages`. */
    listMessages(chatroomId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      /** The `id` of a message: lists those sent after it. Not together with `page` or `before` */
      after?: types.ObjectId;
    }, options?: CallOptions): Pages<types.ChatMessage>;
    /** Send a message. Calls `sendChatMessage`. */
    sendMessage(chatroomId: string, input: types.SendChatMessageBody, options?: CallOptions): Call<types.ChatMessage>;
    /** Edit your message. Calls `editChatMessage`. */
    editMessage(chatroomId: string, messageId: string, input: types.EditChatMessageBody, options?: CallOptions): Call<types.ChatMessage>;
    /** Delete a message. Calls `deleteChatMessage`. */
    deleteMessage(chatroomId: string, messageId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
  };
  readonly livestreams: {
    /** List livestreams that are live. Calls `listLivestreamsOnAir`. */
    listOnAir(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.Livestream>;
    /** List livestreams within their scheduled time. Calls `listScheduledLiveStreams`. */
    listScheduledLiveStreams(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** An IANA time zone */
      timezone?: string;
    }, options?: CallOptions): Pages<types.LocalLivestream>;
    /** List all livestreams. Calls `listLivestreams`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `scheduledStart` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.MomentOrId;
      status?: 'scheduled' | 'live' | 'ended' | 'cancelled';
      host?: types.ObjectId;
      hostId?: types.ObjectId;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      from?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      to?: types.InstantText;
      /** By creation, newest first (the default), or by `scheduledStart`, earliest first */
      sort?: 'newest' | 'soonest';
    }, options?: CallOptions): Pages<types.Livestream>;
    /** Schedule a livestream. Calls `createLivestream`. */
    create(input: types.CreateLivestreamBody, options?: CallOptions): Call<types.Livestream>;
    /** Retrieve a livestream. Calls `getLivestream`. */
    get(livestreamId: string, options?: CallOptions): Call<types.Livestream>;
    /** Update a livestream. Calls `updateLivestream`. */
    update(livestreamId: string, input?: types.UpdateLivestreamBody, options?: CallOptions): Call<types.Livestream>;
    /** Start a livestream. Calls `startLivestream`. */
    start(livestreamId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Livestream>;
    /** End a livestream. Calls `endLivestream`. */
    end(livestreamId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Livestream>;
    /** Cancel a livestream. Calls `cancelLivestream`. */
    cancel(livestreamId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.Livestream>;
  };
  readonly schedule: {
    /** Retrieve the schedule of this week, from Monday. Calls `getScheduleOfWeek`. */
    getOfWeek(input?: {
      /** The IANA time zone that defines the days; UTC by default */
      timezone?: string;
    }, options?: CallOptions): Call<types.Schedule>;
    /** Retrieve today's schedule. Calls `getScheduleOfToday`. */
    getOfToday(input?: {
      /** The IANA time zone that defines the days; UTC by default */
      timezone?: string;
    }, options?: CallOptions): Call<types.Schedule>;
    /** List an educator's sessions for the next 30 days, today included. Calls `getScheduleOfEducator`. */
    getOfEducator(educatorId: string, input?: {
      /** The IANA time zone that defines the days; UTC by default */
      timezone?: string;
    }, options?: CallOptions): Call<types.Schedule>;
  };
  readonly courses: {
    /** List courses, newest first. Calls `listCourses`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      category?: string;
      level?: 'beginner' | 'intermediate' | 'advanced';
      status?: 'draft' | 'published' | 'archived';
      instructorId?: types.ObjectId;
    }, options?: CallOptions): Pages<types.CourseSummary>;
    /** Create a course. Calls `createCourse`. */
    create(input: types.CreateCourseBody, options?: CallOptions): Call<types.Course>;
    /** Retrieve a course with its modules. Calls `getCourse`. */
    get(courseId: string, options?: CallOptions): Call<types.Course>;
    /** Update a course. Calls `updateCourse`. */
    update(courseId: string, input?: types.UpdateCourseBody, options?: CallOptions): Call<types.Course>;
    /** Delete a course. Calls `deleteCourse`. */
    delete(courseId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeleteCourseResult>;
    /** List the modules of a course in order. Calls `listCourseModules`. */
    listModules(courseId: string, options?: CallOptions): Call<types.CourseModule[]>;
    /** Add a module to a course. Calls `createCourseModule`. */
    createModule(courseId: string, input: types.CreateCourseModuleBody, options?: CallOptions): Call<types.CourseModule>;
    /** Rename or move a module. Calls `updateCourseModule`. */
    updateModule(courseId: string, moduleId: string, input?: types.UpdateCourseModuleBody, options?: CallOptions): Call<types.CourseModule>;
    /** Delete a module with its lessons. Calls `deleteCourseModule`. */
    deleteModule(courseId: string, moduleId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Retrieve the modules of a course with their lessons and your progress. Calls `getCourseOutline`. */
    getOutline(courseId: string, options?: CallOptions): Call<types.CourseOutline>;
    /** Enrol in a course. Calls `enrollInCourse`. */
    enroll(courseId: string, input?: types.EnrollInCourseBody, query?: {
      /** The most Keys that you agree to pay; any price by default */
      maxKeys?: number;
    }, options?: CallOptions): Call<types.Enrolment>;
    /** Leave a course. Calls `leaveCourse`. */
    leave(courseId: string, options?: CallOptions): Call<types.LeaveCourseResult>;
    /** Retrieve your progress in a course. Calls `getCourseProgress`. */
    getProgress(courseId: string, options?: CallOptions): Call<types.CourseProgress>;
    /** List the courses you are enrolled in, newest enrolment first. Calls `listEnrolledCourses`. */
    listEnrolled(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `enrolledAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.EnrolledCourse>;
    /** List the ratings and reviews of a course, newest first. Calls `listCourseRatings`. */
    listRatings(courseId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `createdAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.CourseReview>;
    /** Rate a course that you are enrolled in. Calls `rateCourse`. */
    rate(courseId: string, input: types.RateCourseBody, options?: CallOptions): Call<types.CourseRating>;
    /** Remove your rating of a course. Calls `deleteCourseRating`. */
    deleteRating(courseId: string, options?: CallOptions): Call<types.DeleteCourseRatingResult>;
    /** Retrieve your certificate of a course. Calls `getCourseCertificate`. */
    getCertificate(courseId: string, options?: CallOptions): Call<types.Certificate>;
    /** List your certificates, newest completion first. Calls `listOwnCertificates`. */
    listOwnCertificates(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `completedAt` and `certificateId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.Certificate>;
    /** Verify a certificate. Calls `verifyCertificate`. */
    verifyCertificate(certificateId: string, options?: CallOptions): Call<types.Certificate>;
  };
  readonly lessons: {
    /** List the lessons of a module in order. Calls `listLessons`. */
    list(input: {
      moduleId: types.ObjectId;
    }, options?: CallOptions): Call<types.LessonSummary[]>;
    /** Add a lesson to a module. Calls `createLesson`. */
    create(input: types.CreateLessonBody, options?: CallOptions): Call<types.Lesson>;
    /** Retrieve a lesson. Calls `getLesson`. */
    get(lessonId: string, options?: CallOptions): Call<types.Lesson>;
    /** Update, move or publish a lesson. Calls `updateLesson`. */
    update(lessonId: string, input?: types.UpdateLessonBody, options?: CallOptions): Call<types.Lesson>;
    /** Delete a lesson with its video. Calls `deleteLesson`. */
    delete(lessonId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Create an upload for the video of a lesson. Calls `requestLessonUpload`. */
    requestUpload(lessonId: string, input: types.RequestLessonUploadBody, options?: CallOptions): Call<types.UploadTicket>;
    /** Complete the upload of a video. Calls `completeLessonUpload`. */
    completeUpload(lessonId: string, input: types.CompleteLessonUploadBody, options?: CallOptions): Call<types.CompleteLessonUploadResult>;
    /** Retrieve the processing status and links of a lesson's video. Calls `getLessonVideo`. */
    getVideo(lessonId: string, options?: CallOptions): Call<types.LessonVideo>;
    /** Cancel the processing of a lesson's video. Calls `cancelLessonVideo`. */
    cancelVideo(lessonId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.LessonVideo>;
    /** Remove the video of a lesson. Calls `deleteLessonVideo`. */
    deleteVideo(lessonId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.LessonVideo>;
    /** Set the captions of a lesson in one language. Calls `putLessonCaptions`. */
    putCaptions(lessonId: string, language: string, input: types.PutLessonCaptionsBody, options?: CallOptions): Call<types.PutLessonCaptionsResult>;
    /** Retrieve the captions of a lesson in one language, to edit them. Calls `getLessonCaptions`. */
    getCaptions(lessonId: string, language: string, options?: CallOptions): Call<types.LessonCaptions>;
    /** Remove the captions of a lesson in a language. Calls `deleteLessonCaptions`. */
    deleteCaptions(lessonId: string, language: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeleteLessonCaptionsResult>;
    /** Set the quiz of a lesson. Calls `putQuiz`. */
    putQuiz(lessonId: string, input: types.PutQuizBody, options?: CallOptions): Call<types.OwnQuiz>;
    /** Remove the quiz of a lesson. Calls `deleteQuiz`. */
    deleteQuiz(lessonId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeleteQuizResult>;
    /** Retrieve the quiz of a lesson, without the answers. Calls `getQuiz`. */
    getQuiz(lessonId: string, options?: CallOptions): Call<types.Quiz>;
    /** Retrieve the quiz of a lesson with the answers, to edit it. Calls `getQuizWithAnswers`. */
    getQuizWithAnswers(lessonId: string, options?: CallOptions): Call<types.OwnQuiz>;
    /** Submit an attempt at a quiz. Calls `attemptQuiz`. */
    attemptQuiz(lessonId: string, input: types.AttemptQuizBody, options?: CallOptions): Call<types.QuizAttempt>;
    /** Save your progress in a lesson. Calls `updateLessonProgress`. */
    updateProgress(lessonId: string, input: types.UpdateLessonProgressBody, options?: CallOptions): Call<types.LessonProgress>;
  };
  readonly communities: {
    /** List communities, newest first. Calls `listCommunities`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      /** Only those that you have, or have not, joined */
      joined?: boolean;
      /** A part of their name */
      search?: string;
    }, options?: CallOptions): Pages<types.Community>;
    /** Create a community. Calls `createCommunity`. */
    create(input: types.CreateCommunityBody, options?: CallOptions): Call<types.Community>;
    /** Retrieve a community. Calls `getCommunity`. */
    get(communityId: string, options?: CallOptions): Call<types.Community>;
    /** Update a community. Calls `updateCommunity`. */
    update(communityId: string, input?: types.UpdateCommunityBody, options?: CallOptions): Call<types.Community>;
    /** Delete a community with its posts. Calls `deleteCommunity`. */
    delete(communityId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** List the members of a community. Calls `listCommunityMembers`. */
    listMembers(communityId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.CommunityMember>;
    /** Join a community. Calls `joinCommunity`. */
    join(communityId: string, options?: CallOptions): Call<types.Community>;
    /** Leave a community. Calls `leaveCommunity`. */
    leave(communityId: string, options?: CallOptions): Call<types.Community>;
    /** List who is banned from a community. Calls `listCommunityBans`. */
    listBans(communityId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `userId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.CommunityBan>;
    /** Ban a member from a community. Calls `banCommunityMember`. */
    banMember(communityId: string, userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.BanCommunityMemberResult>;
    /** Lift the ban of a member from a community. Calls `unbanCommunityMember`. */
    unbanMember(communityId: string, userId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.UnbanCommunityMemberResult>;
    /** List the posts of a community, newest first. Calls `listPosts`. */
    listPosts(communityId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.Post>;
    /** Create a post. Calls `createPost`. */
    createPost(communityId: string, input: types.CreatePostBody, options?: CallOptions): Call<types.Post>;
    /** Retrieve a post. Calls `getPost`. */
    getPost(postId: string, options?: CallOptions): Call<types.Post>;
    /** Delete a post. Calls `deletePost`. */
    deletePost(postId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Change the text of a post. Calls `updatePost`. */
    updatePost(postId: string, input: types.UpdatePostBody, options?: CallOptions): Call<types.Post>;
    /** List the comments on a post, newest first. Calls `listComments`. */
    listComments(postId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.Comment>;
    /** Comment on a post. Calls `createComment`. */
    createComment(postId: string, input: types.CreateCommentBody, options?: CallOptions): Call<types.Comment>;
    /** Delete a comment. Calls `deleteComment`. */
    deleteComment(commentId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Change the text of a comment. Calls `updateComment`. */
    updateComment(commentId: string, input: types.UpdateCommentBody, options?: CallOptions): Call<types.Comment>;
    /** React to a post. Calls `reactToPost`. */
    reactToPost(postId: string, input: types.ReactToPostBody, options?: CallOptions): Call<types.Post>;
    /** Remove your reaction to a post. Calls `takeBackReaction`. */
    takeBackReaction(postId: string, options?: CallOptions): Call<types.Post>;
  };
  readonly watchSessions: {
    /** Start a watch session. Calls `startWatchSession`. */
    start(input: types.StartWatchSessionBody, options?: CallOptions): Call<types.StartedWatchSession>;
    /** Send a heartbeat for a watch session. Calls `beatWatchSession`. */
    beat(id: string, input?: types.BeatWatchSessionBody, options?: CallOptions): Call<types.WatchSession>;
    /** End a watch session. Calls `endWatchSession`. */
    end(id: string, options?: CallOptions): Call<types.WatchSession>;
  };
  readonly trades: {
    /** List trade ideas, newest first. Calls `listTrades`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      symbol?: string;
      status?: 'open' | 'won' | 'lost' | 'even';
      userId?: types.ObjectId;
    }, options?: CallOptions): Pages<types.Trade>;
    /** Create a trade idea. Calls `createTrade`. */
    create(input: types.CreateTradeBody, options?: CallOptions): Call<types.Trade>;
    /** Retrieve a trade idea. Calls `getTrade`. */
    get(tradeId: string, options?: CallOptions): Call<types.Trade>;
    /** Change a trade idea. Calls `updateTrade`. */
    update(tradeId: string, input?: types.UpdateTradeBody, options?: CallOptions): Call<types.Trade>;
    /** Delete a trade idea. Calls `deleteTrade`. */
    delete(tradeId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Close a trade idea. Calls `closeTrade`. */
    close(tradeId: string, input: types.CloseTradeBody, options?: CallOptions): Call<types.Trade>;
  };
  readonly educators: {
    /** List or search educators. Calls `listEducators`. */
    list(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 50 are lowered to 50 */
      limit?: number;
      search?: string;
      featured?: boolean;
    }, options?: CallOptions): Pages<types.Educator>;
    /** List featured educators, most recently featured first. Calls `listFeaturedEducators`. */
    listFeatured(input?: {
      /** Items per page; values above 24 are lowered to 24 */
      limit?: number;
    }, options?: CallOptions): Call<types.Educator[]>;
    /** Retrieve an educator. Calls `getEducator`. */
    get(educatorId: string, options?: CallOptions): Call<types.Educator>;
    /** Update an educator profile. Calls `updateEducatorProfile`. */
    updateProfile(educatorId: string, input: types.UpdateEducatorProfileBody, options?: CallOptions): Call<types.Educator>;
    /** Create an upload for a picture or for story media. Calls `presignEducatorUpload`. */
    presignUpload(educatorId: string, input: types.PresignEducatorUploadBody, options?: CallOptions): Call<types.PublicUploadTicket>;
    /** List the educators you follow, newest follow first. Calls `listFollowedEducators`. */
    listFollowed(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 50 are lowered to 50 */
      limit?: number;
      /** The `followedAt` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.FollowedEducator>;
    /** List the followers of an educator, newest follow first. Calls `listEducatorFollowers`. */
    listFollowers(educatorId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `followedAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.Follow>;
    /** Follow an educator. Calls `followEducator`. */
    follow(educatorId: string, options?: CallOptions): Call<types.Follow>;
    /** Unfollow an educator. Calls `unfollowEducator`. */
    unfollow(educatorId: string, options?: CallOptions): Call<types.Unfollowed>;
    /** Check whether you follow an educator. Calls `getFollowStatus`. */
    getFollowStatus(educatorId: string, options?: CallOptions): Call<types.FollowStatus>;
    /** Subscribe to notifications of an educator's announcements and stories. Calls `subscribeToEducator`. */
    subscribe(educatorId: string, options?: CallOptions): Call<types.SubscribeToEducatorResult>;
    /** Unsubscribe from notifications of an educator. Calls `unsubscribeFromEducator`. */
    unsubscribe(educatorId: string, options?: CallOptions): Call<types.UnsubscribeFromEducatorResult>;
    /** Subscribe to notifications of all current educators. Calls `subscribeToAllEducators`. */
    subscribeToAll(options?: CallOptions): Call<types.SubscribeToAllEducatorsResult>;
    /** Retrieve the chatroom of an educator. Calls `getEducatorChatroom`. */
    getChatroom(educatorId: string, options?: CallOptions): Call<types.EducatorChatroom>;
    /** Join the chatroom of an educator. Calls `joinEducatorChatroom`. */
    joinChatroom(educatorId: string, options?: CallOptions): Call<types.EducatorChatroom>;
    /** Leave the chatroom of an educator. Calls `leaveEducatorChatroom`. */
    leaveChatroom(educatorId: string, options?: CallOptions): Call<types.EducatorChatroom>;
  };
  readonly announcements: {
    /** List announcements of the educators you follow, newest first. Calls `getAnnouncementFeed`. */
    getFeed(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.Announcement>;
    /** List announcements of an educator: pinned first, then newest first. Calls `listAnnouncements`. */
    list(educatorId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `pinned` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
    }, options?: CallOptions): Pages<types.Announcement>;
    /** Create an announcement. Calls `createAnnouncement`. */
    create(educatorId: string, input: types.CreateAnnouncementBody, options?: CallOptions): Call<types.Announcement>;
    /** Retrieve an announcement. Calls `getAnnouncement`. */
    get(announcementId: string, options?: CallOptions): Call<types.Announcement>;
    /** Update an announcement. Calls `updateAnnouncement`. */
    update(announcementId: string, input?: types.UpdateAnnouncementBody, options?: CallOptions): Call<types.Announcement>;
    /** Delete an announcement. Calls `deleteAnnouncement`. */
    delete(announcementId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Like an announcement. Calls `likeAnnouncement`. */
    like(announcementId: string, options?: CallOptions): Call<types.AnnouncementLike>;
    /** Remove your like from an announcement. Calls `unlikeAnnouncement`. */
    unlike(announcementId: string, options?: CallOptions): Call<types.AnnouncementLike>;
    /** List the comments on an announcement, newest first. Calls `listAnnouncementComments`. */
    listComments(announcementId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
    }, options?: CallOptions): Pages<types.AnnouncementComment>;
    /** Comment on an announcement. Calls `createAnnouncementComment`. */
    createComment(announcementId: string, input: types.CreateAnnouncementCommentBody, options?: CallOptions): Call<types.AnnouncementComment>;
    /** Change the text of a comment. Calls `updateAnnouncementComment`. */
    updateComment(commentId: string, input: types.UpdateAnnouncementCommentBody, options?: CallOptions): Call<types.AnnouncementComment>;
    /** Delete a comment. Calls `deleteAnnouncementComment`. */
    deleteComment(commentId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
  };
  readonly stories: {
    /** List stories of the educators you follow. Calls `getStoryFeed`. */
    getFeed(options?: CallOptions): Call<types.StoryGroup[]>;
    /** List the stories of an educator, oldest first. Calls `listStories`. */
    list(educatorId: string, options?: CallOptions): Call<types.Story[]>;
    /** Publish a story. Calls `createStory`. */
    create(educatorId: string, input: types.CreateStoryBody, options?: CallOptions): Call<types.Story>;
    /** Retrieve a story. Calls `getStory`. */
    get(storyId: string, options?: CallOptions): Call<types.Story>;
    /** Delete a story. Calls `deleteStory`. */
    delete(storyId: string, input?: types.ReasonBody, options?: CallOptions): Call<types.DeletedRecord>;
    /** Mark a story as viewed. Calls `viewStory`. */
    view(storyId: string, options?: CallOptions): Call<types.ViewedStory>;
    /** List the viewers of your story, latest view first. Calls `listStoryViewers`. */
    listViewers(storyId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `viewedAt` and `userId` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
    }, options?: CallOptions): Pages<types.StoryViewer>;
  };
  readonly tips: {
    /** Tip an educator. Calls `tipEducator`. */
    give(educatorId: string, input: types.TipEducatorBody, options?: CallOptions): Call<types.Tip>;
    /** List the tips you gave, newest first. Calls `listSentTips`. */
    listSent(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
    }, options?: CallOptions): Pages<types.ListedTip>;
    /** Retrieve totals of the tips you gave. Calls `getSentTipTotals`. */
    getSentTotals(options?: CallOptions): Call<types.TipTotals>;
    /** List the tips an educator received, newest first. Calls `listReceivedTips`. */
    listReceived(educatorId: string, input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `transactionId` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: string;
    }, options?: CallOptions): Pages<types.ListedTip>;
    /** Retrieve totals of the tips an educator received. Calls `getReceivedTipTotals`. */
    getReceivedTotals(educatorId: string, options?: CallOptions): Call<types.TipTotals>;
  };
  readonly indicators: {
    /** List your access to indicators. Calls `listMyIndicatorAccess`. */
    listMyAccess(options?: CallOptions): Call<types.MyIndicatorAccess[]>;
    /** Save your username at the charting platform. Calls `setChartingUsername`. */
    setChartingUsername(input: types.SetChartingUsernameBody, options?: CallOptions): Call<types.SetChartingUsernameResult>;
    /** List indicators in catalogue order. Calls `listIndicators`. */
    list(input?: {
      /** Include retired indicators; ignored unless the caller is an administrator */
      includeInactive?: boolean;
    }, options?: CallOptions): Call<types.Indicator[]>;
    /** Retrieve an indicator. Calls `getIndicator`. */
    get(id: string, options?: CallOptions): Call<types.Indicator>;
  };
  readonly marketplace: {
    /** List available products. Calls `listProducts`. */
    listProducts(input?: {
      productType?: 'scanner' | 'misc';
      /** Has no effect: this list has active products only */
      includeInactive?: boolean;
    }, options?: CallOptions): Call<types.Product[]>;
    /** Retrieve an available product. Calls `getProduct`. */
    getProduct(id: string, options?: CallOptions): Call<types.Product>;
    /** Request access to a product. Calls `submitAccessRequest`. */
    submitAccessRequest(input: types.SubmitAccessRequestBody, options?: CallOptions): Call<types.SubmittedAccessRequest>;
    /** Retrieve the status of access requests by product. Calls `getAccessRequestStatus`. */
    getAccessRequestStatus(input: {
      email: string;
    }, options?: CallOptions): Call<types.GetAccessRequestStatusResult>;
    /** List your access requests, newest first. Calls `listOwnAccessRequests`. */
    listOwnAccessRequests(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `id` of an item: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.ObjectId;
      productId?: types.ObjectId;
    }, options?: CallOptions): Pages<types.OwnAccessRequest>;
  };
  readonly search: {
    /** Search announcements, certificates, chatrooms, courses, educators, indicators, lessons, people, posts and trades. Calls `search`. */
    search(input: {
      /** Words to search for. Letter case and accents are ignored, and one typing mistake in a longer word is tolerated */
      q: string;
      type?: 'announcement' | 'certificate' | 'chatroom' | 'course' | 'educator' | 'indicator' | 'lesson' | 'post' | 'trade' | 'user';
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
    }, options?: CallOptions): Call<types.SearchFindings>;
    /** Suggest completions of a query. Calls `suggestSearches`. */
    suggestSearches(input: {
      /** The beginning of a name or a query. Letter case and accents are ignored */
      q: string;
    }, options?: CallOptions): Call<string[]>;
    /** List your recent searches, newest first. Calls `listSearchHistory`. */
    listHistory(options?: CallOptions): Call<{
      query: string;
      resultCount: number;
      searchedAt: types.DateTime;
    }[]>;
    /** Clear your search history. Calls `clearSearchHistory`. */
    clearHistory(options?: CallOptions): Call<types.ClearSearchHistoryResult>;
  };
  readonly leaderboards: {
    /** Retrieve the leaderboards of a period. Calls `getLeaderboards`. */
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
    /** Record an event. Calls `trackEvent`. */
    track(input: types.EventDraft, options?: CallOptions): Call<types.TrackEventResult>;
    /** Record many events. Calls `trackEvents`. */
    trackEvents(input: types.TrackEventsBody, options?: CallOptions): Call<types.TrackEventsResult>;
    /** List your events, newest first. Calls `listOwnEvents`. */
    listOwnEvents(input?: {
      /** From 1 */
      page?: number;
      /** Items per page; values above 100 are lowered to 100 */
      limit?: number;
      /** The `timestamp` and `id` of an item, joined by `_`: lists the items after it, equally fast at any depth. Not together with `page` */
      before?: types.Moment;
      eventType?: string;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      startDate?: types.InstantText;
      /** An ISO 8601 date or datetime; UTC if it has no zone */
      endDate?: types.InstantText;
    }, options?: CallOptions): Pages<types.AnalyticsEvent>;
    /** Count your events by day and name. Calls `getOwnActivity`. */
    getOwnActivity(input?: {
      /** Number of days, today included */
      days?: number;
      /** An IANA time zone; days, weeks and months begin at its midnight */
      timezone?: string;
    }, options?: CallOptions): Call<{
      date: string;
      events: number;
      breakdown: Record<string, number>;
    }[]>;
    /** Retrieve statistics about your activity. Calls `getOwnStatistics`. */
    getOwnStatistics(options?: CallOptions): Call<types.OwnStatistics>;
  };
  readonly exports: {
    /** Begin an export of your data. Calls `exportOwnData`. */
    begin(options?: CallOptions): Call<types.ExportBegun>;
    /** See your newest export, and download it. Calls `getOwnExport`. */
    get(options?: CallOptions): Call<types.DataExport>;
  };
}

export const members: Record<keyof Members, Methods> = {
  auth: {
    signUp: [all.signUp, 'body'],
    signIn: [all.signIn, 'body'],
    signInByPasskey: [all.signInByPasskey, 'body'],
    refreshToken: [all.refreshToken, 'body'],
    verifyEmail: [all.verifyEmail, 'body'],
    resendVerification: [all.resendVerification],
    signInSso: [all.signInSso, 'body'],
    redeemSsoToken: [all.redeemSsoToken, 'body'],
    signOut: [all.signOut, 'body'],
    listSessions: [all.listSessions, 'query'],
    endSession: [all.endSession],
    getPasskeySignInOptions: [all.getPasskeySignInOptions],
  },
  users: {
    deleteOwnAccount: [all.deleteOwnAccount, 'body'],
    listOwnAccess: [all.listOwnAccess],
    validateFundingKey: [all.validateFundingKey, 'body'],
  },
  secondFactors: {
    getFactors: [all.getFactors],
    enrollAuthenticator: [all.enrollAuthenticator],
    removeAuthenticator: [all.removeAuthenticator],
    confirmAuthenticator: [all.confirmAuthenticator, 'body'],
    renewRecoveryCodes: [all.renewRecoveryCodes],
    getPasskeyOptions: [all.getPasskeyOptions],
    addPasskey: [all.addPasskey, 'body'],
    listPasskeys: [all.listPasskeys],
    renamePasskey: [all.renamePasskey, 'body'],
    removePasskey: [all.removePasskey],
    stepUp: [all.stepUp, 'body'],
  },
  passwords: {
    forgot: [all.forgotPassword, 'body'],
    validateResetCode: [all.validateResetCode, 'body'],
    reset: [all.resetPassword, 'body'],
    change: [all.changePassword, 'body'],
  },
  permissions: {
    get: [all.getPermissions],
  },
  profile: {
    get: [all.getProfile],
    update: [all.updateProfile, 'body'],
    presignPicture: [all.presignProfilePicture, 'body'],
  },
  moderation: {
    listBlocks: [all.listBlocks, 'query'],
    blockMember: [all.blockMember],
    unblockMember: [all.unblockMember],
    report: [all.report, 'body'],
  },
  members: {
    list: [all.listMembers, 'query'],
    get: [all.getMember],
  },
  wallet: {
    create: [all.createWallet],
    getBalance: [all.getBalance, 'query'],
    transfer: [all.transferKeys, 'body'],
    buy: [all.buyKeys, 'body'],
    getOwnCheckout: [all.getOwnCheckout],
    withdraw: [all.withdrawKeys, 'body'],
    cancelWithdrawal: [all.cancelWithdrawal],
    listTransactions: [all.listTransactions, 'query'],
    getTransaction: [all.getTransaction],
    getTransactionStatistics: [all.getTransactionStatistics, 'query'],
    getOwnStatement: [all.getOwnStatement, 'query'],
  },
  exchangeRates: {
    get: [all.getExchangeRate, 'query'],
    list: [all.listExchangeRates, 'query'],
    listActive: [all.listActiveExchangeRates, 'query'],
    convertKeysToMoney: [all.convertKeysToMoney, 'body'],
    convertMoneyToKeys: [all.convertMoneyToKeys, 'body'],
  },
  notifications: {
    list: [all.listNotifications, 'query'],
    countUnread: [all.countUnreadNotifications],
    get: [all.getNotification],
    delete: [all.deleteNotification],
    read: [all.readNotification],
    readAll: [all.readAllNotifications],
  },
  push: {
    getPreferences: [all.getPreferences],
    setPreferences: [all.setPreferences, 'body'],
    registerDevice: [all.registerDevice, 'body'],
    getVapidKey: [all.getVapidKey],
    unregisterDevice: [all.unregisterDevice, 'body'],
    listDevices: [all.listDevices, 'query'],
    listSubscribedTopics: [all.listSubscribedTopics],
    subscribeToTopics: [all.subscribeToTopics, 'body'],
    unsubscribeFromTopics: [all.unsubscribeFromTopics, 'body'],
    testPush: [all.testPush],
  },
  chatrooms: {
    listRestrictions: [all.listChatRestrictions, 'query'],
    muteMember: [all.muteChatMember, 'body'],
    unmuteMember: [all.unmuteChatMember, 'body'],
    banMember: [all.banChatMember, 'body'],
    unbanMember: [all.unbanChatMember, 'body'],
    reportMessage: [all.reportChatMessage, 'body'],
    list: [all.listChatrooms, 'query'],
    create: [all.createChatroom, 'body'],
    get: [all.getChatroom],
    update: [all.updateChatroom, 'body'],
    delete: [all.deleteChatroom, 'body'],
    handOn: [all.handOnChatroom, 'body'],
    join: [all.joinChatroom],
    leave: [all.leaveChatroom],
    listMembers: [all.listChatroomMembers, 'query'],
    addMember: [all.addChatroomMember, 'body'],
    removeMember: [all.removeChatroomMember, 'body'],
    countUnreadMessages: [all.countUnreadMessages],
    markRead: [all.markChatroomRead, 'body'],
    setNotifications: [all.setChatroomNotifications, 'body'],
    listMessages: [all.listChatMessages, 'query'],
    sendMessage: [all.sendChatMessage, 'body'],
    editMessage: [all.editChatMessage, 'body'],
    deleteMessage: [all.deleteChatMessage, 'body'],
  },
  livestreams: {
    listOnAir: [all.listLivestreamsOnAir, 'query'],
    listScheduledLiveStreams: [all.listScheduledLiveStreams, 'query'],
    list: [all.listLivestreams, 'query'],
    create: [all.createLivestream, 'body'],
    get: [all.getLivestream],
    update: [all.updateLivestream, 'body'],
    start: [all.startLivestream, 'body'],
    end: [all.endLivestream, 'body'],
    cancel: [all.cancelLivestream, 'body'],
  },
  schedule: {
    getOfWeek: [all.getScheduleOfWeek, 'query'],
    getOfToday: [all.getScheduleOfToday, 'query'],
    getOfEducator: [all.getScheduleOfEducator, 'query'],
  },
  courses: {
    list: [all.listCourses, 'query'],
    create: [all.createCourse, 'body'],
    get: [all.getCourse],
    update: [all.updateCourse, 'body'],
    delete: [all.deleteCourse, 'body'],
    listModules: [all.listCourseModules],
    createModule: [all.createCourseModule, 'body'],
    updateModule: [all.updateCourseModule, 'body'],
    deleteModule: [all.deleteCourseModule, 'body'],
    getOutline: [all.getCourseOutline],
    enroll: [all.enrollInCourse, 'body', 'query'],
    leave: [all.leaveCourse],
    getProgress: [all.getCourseProgress],
    listEnrolled: [all.listEnrolledCourses, 'query'],
    listRatings: [all.listCourseRatings, 'query'],
    rate: [all.rateCourse, 'body'],
    deleteRating: [all.deleteCourseRating],
    getCertificate: [all.getCourseCertificate],
    listOwnCertificates: [all.listOwnCertificates, 'query'],
    verifyCertificate: [all.verifyCertificate],
  },
  lessons: {
    list: [all.listLessons, 'query'],
    create: [all.createLesson, 'body'],
    get: [all.getLesson],
    update: [all.updateLesson, 'body'],
    delete: [all.deleteLesson, 'body'],
    requestUpload: [all.requestLessonUpload, 'body'],
    completeUpload: [all.completeLessonUpload, 'body'],
    getVideo: [all.getLessonVideo],
    cancelVideo: [all.cancelLessonVideo, 'body'],
    deleteVideo: [all.deleteLessonVideo, 'body'],
    putCaptions: [all.putLessonCaptions, 'body'],
    getCaptions: [all.getLessonCaptions],
    deleteCaptions: [all.deleteLessonCaptions, 'body'],
    putQuiz: [all.putQuiz, 'body'],
    deleteQuiz: [all.deleteQuiz, 'body'],
    getQuiz: [all.getQuiz],
    getQuizWithAnswers: [all.getQuizWithAnswers],
    attemptQuiz: [all.attemptQuiz, 'body'],
    updateProgress: [all.updateLessonProgress, 'body'],
  },
  communities: {
    list: [all.listCommunities, 'query'],
    create: [all.createCommunity, 'body'],
    get: [all.getCommunity],
    update: [all.updateCommunity, 'body'],
    delete: [all.deleteCommunity, 'body'],
    listMembers: [all.listCommunityMembers, 'query'],
    join: [all.joinCommunity],
    leave: [all.leaveCommunity],
    listBans: [all.listCommunityBans, 'query'],
    banMember: [all.banCommunityMember, 'body'],
    unbanMember: [all.unbanCommunityMember, 'body'],
    listPosts: [all.listPosts, 'query'],
    createPost: [all.createPost, 'body'],
    getPost: [all.getPost],
    deletePost: [all.deletePost, 'body'],
    updatePost: [all.updatePost, 'body'],
    listComments: [all.listComments, 'query'],
    createComment: [all.createComment, 'body'],
    deleteComment: [all.deleteComment, 'body'],
    updateComment: [all.updateComment, 'body'],
    reactToPost: [all.reactToPost, 'body'],
    takeBackReaction: [all.takeBackReaction],
  },
  watchSessions: {
    start: [all.startWatchSession, 'body'],
    beat: [all.beatWatchSession, 'body'],
    end: [all.endWatchSession],
  },
  trades: {
    list: [all.listTrades, 'query'],
    create: [all.createTrade, 'body'],
    get: [all.getTrade],
    update: [all.updateTrade, 'body'],
    delete: [all.deleteTrade, 'body'],
    close: [all.closeTrade, 'body'],
  },
  educators: {
    list: [all.listEducators, 'query'],
    listFeatured: [all.listFeaturedEducators, 'query'],
    get: [all.getEducator],
    updateProfile: [all.updateEducatorProfile, 'body'],
    presignUpload: [all.presignEducatorUpload, 'body'],
    listFollowed: [all.listFollowedEducators, 'query'],
    listFollowers: [all.listEducatorFollowers, 'query'],
    follow: [all.followEducator],
    unfollow: [all.unfollowEducator],
    getFollowStatus: [all.getFollowStatus],
    subscribe: [all.subscribeToEducator],
    unsubscribe: [all.unsubscribeFromEducator],
    subscribeToAll: [all.subscribeToAllEducators],
    getChatroom: [all.getEducatorChatroom],
    joinChatroom: [all.joinEducatorChatroom],
    leaveChatroom: [all.leaveEducatorChatroom],
  },
  announcements: {
    getFeed: [all.getAnnouncementFeed, 'query'],
    list: [all.listAnnouncements, 'query'],
    create: [all.createAnnouncement, 'body'],
    get: [all.getAnnouncement],
    update: [all.updateAnnouncement, 'body'],
    delete: [all.deleteAnnouncement, 'body'],
    like: [all.likeAnnouncement],
    unlike: [all.unlikeAnnouncement],
    listComments: [all.listAnnouncementComments, 'query'],
    createComment: [all.createAnnouncementComment, 'body'],
    updateComment: [all.updateAnnouncementComment, 'body'],
    deleteComment: [all.deleteAnnouncementComment, 'body'],
  },
  stories: {
    getFeed: [all.getStoryFeed],
    list: [all.listStories],
    create: [all.createStory, 'body'],
    get: [all.getStory],
    delete: [all.deleteStory, 'body'],
    view: [all.viewStory],
    listViewers: [all.listStoryViewers, 'query'],
  },
  tips: {
    give: [all.tipEducator, 'body'],
    listSent: [all.listSentTips, 'query'],
    getSentTotals: [all.getSentTipTotals],
    listReceived: [all.listReceivedTips, 'query'],
    getReceivedTotals: [all.getReceivedTipTotals],
  },
  indicators: {
    listMyAccess: [all.listMyIndicatorAccess],
    setChartingUsername: [all.setChartingUsername, 'body'],
    list: [all.listIndicators, 'query'],
    get: [all.getIndicator],
  },
  marketplace: {
    listProducts: [all.listProducts, 'query'],
    getProduct: [all.getProduct],
    submitAccessRequest: [all.submitAccessRequest, 'body'],
    getAccessRequestStatus: [all.getAccessRequestStatus, 'query'],
    listOwnAccessRequests: [all.listOwnAccessRequests, 'query'],
  },
  search: {
    search: [all.search, 'query'],
    suggestSearches: [all.suggestSearches, 'query'],
    listHistory: [all.listSearchHistory],
    clearHistory: [all.clearSearchHistory],
  },
  leaderboards: {
    get: [all.getLeaderboards, 'query'],
  },
  analytics: {
    track: [all.trackEvent, 'body'],
    trackEvents: [all.trackEvents, 'body'],
    listOwnEvents: [all.listOwnEvents, 'query'],
    getOwnActivity: [all.getOwnActivity, 'query'],
    getOwnStatistics: [all.getOwnStatistics],
  },
  exports: {
    begin: [all.exportOwnData],
    get: [all.getOwnExport],
  },
};

/** The ids of these operations. */
export type MemberOperationId =
  | 'addChatroomMember'
  | 'addPasskey'
  | 'attemptQuiz'
  | 'banChatMember'
  | 'banCommunityMember'
  | 'beatWatchSession'
  | 'blockMember'
  | 'buyKeys'
  | 'cancelLessonVideo'
  | 'cancelLivestream'
  | 'cancelWithdrawal'
  | 'changePassword'
  | 'clearSearchHistory'
  | 'closeTrade'
  | 'completeLessonUpload'
  | 'confirmAuthenticator'
  | 'convertKeysToMoney'
  | 'convertMoneyToKeys'
  | 'countUnreadMessages'
  | 'countUnreadNotifications'
  | 'createAnnouncement'
  | 'createAnnouncementComment'
  | 'createChatroom'
  | 'createComment'
  | 'createCommunity'
  | 'createCourse'
  | 'createCourseModule'
  | 'createLesson'
  | 'createLivestream'
  | 'createPost'
  | 'createStory'
  | 'createTrade'
  | 'createWallet'
  | 'deleteAnnouncement'
  | 'deleteAnnouncementComment'
  | 'deleteChatMessage'
  | 'deleteChatroom'
  | 'deleteComment'
  | 'deleteCommunity'
  | 'deleteCourse'
  | 'deleteCourseModule'
  | 'deleteCourseRating'
  | 'deleteLesson'
  | 'deleteLessonCaptions'
  | 'deleteLessonVideo'
  | 'deleteNotification'
  | 'deleteOwnAccount'
  | 'deletePost'
  | 'deleteQuiz'
  | 'deleteStory'
  | 'deleteTrade'
  | 'editChatMessage'
  | 'endLivestream'
  | 'endSession'
  | 'endWatchSession'
  | 'enrollAuthenticator'
  | 'enrollInCourse'
  | 'exportOwnData'
  | 'followEducator'
  | 'forgotPassword'
  | 'getAccessRequestStatus'
  | 'getAnnouncement'
  | 'getAnnouncementFeed'
  | 'getBalance'
  | 'getChatroom'
  | 'getCommunity'
  | 'getCourse'
  | 'getCourseCertificate'
  | 'getCourseOutline'
  | 'getCourseProgress'
  | 'getEducator'
  | 'getEducatorChatroom'
  | 'getExchangeRate'
  | 'getFactors'
  | 'getFollowStatus'
  | 'getIndicator'
  | 'getLeaderboards'
  | 'getLesson'
  | 'getLessonCaptions'
  | 'getLessonVideo'
  | 'getLivestream'
  | 'getMember'
  | 'getNotification'
  | 'getOwnActivity'
  | 'getOwnCheckout'
  | 'getOwnExport'
  | 'getOwnStatement'
  | 'getOwnStatistics'
  | 'getPasskeyOptions'
  | 'getPasskeySignInOptions'
  | 'getPermissions'
  | 'getPost'
  | 'getPreferences'
  | 'getProduct'
  | 'getProfile'
  | 'getQuiz'
  | 'getQuizWithAnswers'
  | 'getReceivedTipTotals'
  | 'getScheduleOfEducator'
  | 'getScheduleOfToday'
  | 'getScheduleOfWeek'
  | 'getSentTipTotals'
  | 'getStory'
  | 'getStoryFeed'
  | 'getTrade'
  | 'getTransaction'
  | 'getTransactionStatistics'
  | 'getVapidKey'
  | 'handOnChatroom'
  | 'joinChatroom'
  | 'joinCommunity'
  | 'joinEducatorChatroom'
  | 'leaveChatroom'
  | 'leaveCommunity'
  | 'leaveCourse'
  | 'leaveEducatorChatroom'
  | 'likeAnnouncement'
  | 'listActiveExchangeRates'
  | 'listAnnouncementComments'
  | 'listAnnouncements'
  | 'listBlocks'
  | 'listChatMessages'
  | 'listChatRestrictions'
  | 'listChatroomMembers'
  | 'listChatrooms'
  | 'listComments'
  | 'listCommunities'
  | 'listCommunityBans'
  | 'listCommunityMembers'
  | 'listCourseModules'
  | 'listCourseRatings'
  | 'listCourses'
  | 'listDevices'
  | 'listEducatorFollowers'
  | 'listEducators'
  | 'listEnrolledCourses'
  | 'listExchangeRates'
  | 'listFeaturedEducators'
  | 'listFollowedEducators'
  | 'listIndicators'
  | 'listLessons'
  | 'listLivestreams'
  | 'listLivestreamsOnAir'
  | 'listMembers'
  | 'listMyIndicatorAccess'
  | 'listNotifications'
  | 'listOwnAccess'
  | 'listOwnAccessRequests'
  | 'listOwnCertificates'
  | 'listOwnEvents'
  | 'listPasskeys'
  | 'listPosts'
  | 'listProducts'
  | 'listReceivedTips'
  | 'listScheduledLiveStreams'
  | 'listSearchHistory'
  | 'listSentTips'
  | 'listSessions'
  | 'listStories'
  | 'listStoryViewers'
  | 'listSubscribedTopics'
  | 'listTrades'
  | 'listTransactions'
  | 'markChatroomRead'
  | 'muteChatMember'
  | 'presignEducatorUpload'
  | 'presignProfilePicture'
  | 'putLessonCaptions'
  | 'putQuiz'
  | 'rateCourse'
  | 'reactToPost'
  | 'readAllNotifications'
  | 'readNotification'
  | 'redeemSsoToken'
  | 'refreshToken'
  | 'registerDevice'
  | 'removeAuthenticator'
  | 'removeChatroomMember'
  | 'removePasskey'
  | 'renamePasskey'
  | 'renewRecoveryCodes'
  | 'report'
  | 'reportChatMessage'
  | 'requestLessonUpload'
  | 'resendVerification'
  | 'resetPassword'
  | 'search'
  | 'sendChatMessage'
  | 'setChartingUsername'
  | 'setChatroomNotifications'
  | 'setPreferences'
  | 'signIn'
  | 'signInByPasskey'
  | 'signInSso'
  | 'signOut'
  | 'signUp'
  | 'startLivestream'
  | 'startWatchSession'
  | 'stepUp'
  | 'submitAccessRequest'
  | 'subscribeToAllEducators'
  | 'subscribeToEducator'
  | 'subscribeToTopics'
  | 'suggestSearches'
  | 'takeBackReaction'
  | 'testPush'
  | 'tipEducator'
  | 'trackEvent'
  | 'trackEvents'
  | 'transferKeys'
  | 'unbanChatMember'
  | 'unbanCommunityMember'
  | 'unblockMember'
  | 'unfollowEducator'
  | 'unlikeAnnouncement'
  | 'unmuteChatMember'
  | 'unregisterDevice'
  | 'unsubscribeFromEducator'
  | 'unsubscribeFromTopics'
  | 'updateAnnouncement'
  | 'updateAnnouncementComment'
  | 'updateChatroom'
  | 'updateComment'
  | 'updateCommunity'
  | 'updateCourse'
  | 'updateCourseModule'
  | 'updateEducatorProfile'
  | 'updateLesson'
  | 'updateLessonProgress'
  | 'updateLivestream'
  | 'updatePost'
  | 'updateProfile'
  | 'updateTrade'
  | 'validateFundingKey'
  | 'validateResetCode'
  | 'verifyCertificate'
  | 'verifyEmail'
  | 'viewStory'
  | 'withdrawKeys';
