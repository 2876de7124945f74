// Written by `npm run sdk` from the operations of the platform: change those instead.

// The requests and responses, with the field names of the wire.

export interface AccessRequestAnswer {
  key: string;
  /** The label at the time of the request */
  label: string;
  /** The answer that was given */
  value: unknown;
}

/** A request for access to a product was approved or denied */
export interface AccessRequestDecidedEvent {
  id: EventId;
  type: 'access_request.decided';
  timestamp: DateTime;
  data: {
    requestId: ObjectId;
    userId: ObjectId;
    productId: ObjectId;
    /** How it was decided */
    decision: 'approved' | 'denied';
  };
}

export interface AccessVerdict {
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  /** Whether the member can sign in there now */
  allowed: boolean;
  /** `throttled`: too many wrong passwords from unknown addresses in the last minutes; `unverified`: signing in requires a verified e-mail address here */
  reason: 'ok' | 'no_sku' | 'expired' | 'inactive' | 'throttled' | 'unverified';
  /** The purchase that decides */
  sku: string | null;
  until: DateTime | null;
  /** Any of these grants access */
  acceptedSkus: string[];
}

export interface Account {
  id: ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs */
  emailVerified: boolean;
  /** Empty if the account was deleted */
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** Empty if the account was deleted */
  name: string;
  avatar: string | null;
  isEducator: boolean;
  educator_title?: string;
  educator_bio?: string;
  banner_image?: HttpUrl | null;
  profileImage?: HttpUrl | null;
  rankBadgeUrl?: HttpUrl | null;
  specialty?: string;
  skills?: string[];
  socials?: Socials;
}

export interface ActivityStatusWebhookAnswer {
  userId: ObjectId;
  email: string;
  active: boolean;
  /** Number of grants whose grace period this request started or ended, failed ones too; one that was over is ended */
  changed: number;
  graceEndsAt: DateTime | null;
  /** Whether the event was ignored because it is older (`occurredAt`) than one received before */
  ignored: boolean;
  results: IndicatorAccessChange[];
}

export interface AddChatroomMemberBody {
  userId: ObjectId;
  reason?: Reason;
}

export interface AddPasskeyBody {
  name: string;
  response: NewPasskeyResponse;
}

export interface AdminFundingResult {
  wallet: ChangedWallet;
  transaction: TransactionRecord;
  /** The record's `_id` */
  transactionId: string;
}

/** What a person must deal with */
export interface Alert {
  id: ObjectId;
  /** What happened */
  action: string;
  /** What must be dealt with; of each at most one alert is open */
  subject: string;
  /** The part that raised it */
  actor: string;
  /** The id of the member, or of the object of another system */
  target: string;
  /** The member whom `target` names, unless deleted */
  member: Person | null;
  details: Record<string, unknown>;
  /** Since when the subject has waited, also under earlier alerts */
  raisedAt: DateTime;
  /** Null while it is open */
  closedAt: DateTime | null;
  /** The administrator, or the part that raised it if it dealt with itself */
  closedBy: string | null;
}

export interface AnalyticsEvent {
  id: ObjectId;
  userId: ObjectId;
  eventName: string;
  eventType: string;
  metadata: Record<string, unknown>;
  timestamp: DateTime;
}

export interface Announcement {
  id: ObjectId;
  educatorId: ObjectId;
  educator: Member;
  title: string;
  content: string;
  category: string;
  priority: 'low' | 'normal' | 'high' | 'urgent';
  pinned: boolean;
  tags: string[];
  multimedia: Multimedia[];
  reactions: {
    likes: number;
    comments: number;
  };
  /** Whether you like it */
  liked: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface AnnouncementComment {
  id: ObjectId;
  announcementId: ObjectId;
  userId: ObjectId;
  user: Member;
  content: string;
  createdAt: DateTime;
  editedAt: DateTime | null;
}

export interface AnnouncementLike {
  announcementId: ObjectId;
  liked: boolean;
  likes: number;
}

/** An educator published an announcement */
export interface AnnouncementPublishedEvent {
  id: EventId;
  type: 'announcement.published';
  timestamp: DateTime;
  data: {
    educatorId: ObjectId;
    announcementId: ObjectId;
  };
}

export interface ApiKey {
  id: ObjectId;
  name: string;
  /** Rate-limit tier */
  tier: 'mobile' | 'live_platform' | 'crm' | 'third_party' | 'admin';
  environment: 'development' | 'production';
  createdAt: DateTime;
  revokedAt: DateTime | null;
  /** When a key that was rolled stops being valid */
  expiresAt: DateTime | null;
  /** The key that it was rolled to */
  replacedBy: ObjectId | null;
}

export interface AskFunnelBody {
  /** Event names, in order. A name may occur more than once */
  eventSequence: string[];
  /** Inclusive. Defaults to 30 days before the end */
  startDate?: InstantText;
  /** Inclusive. Defaults to now */
  endDate?: InstantText;
  /** Seconds after the first step within which a member must complete all steps */
  windowSeconds?: number;
  /** Events reported by clients, events recorded by the platform itself, or both. With `all`, an action may be counted twice, because both may have recorded it */
  source?: 'client' | 'platform' | 'all';
}

export interface AttemptQuizBody {
  answers: number[][];
  /** The `updatedAt` of the quiz that you answer: if it has been changed since, the attempt is refused instead of marked */
  quizUpdatedAt?: string;
}

export interface AuditRecord {
  id: ObjectId;
  /** A user id, or `service:<name>` */
  actor: string;
  /** Null of a service and once the account is deleted */
  actorName: string | null;
  actorEmail: string | null;
  action: string;
  /** The object of the action */
  target: string | null;
  /** What it is called */
  targetName: string | null;
  reason: string | null;
  /** The value of each changed field before and after */
  changes: Record<string, unknown[]>;
  details: Record<string, unknown>;
  requestId: string | null;
  createdAt: DateTime;
}

export interface Backup {
  /** When the backup was taken */
  at: DateTime;
  /** The head of the ledger that it contains */
  head: string;
  /** Where it is kept */
  place: string;
}

export interface Balance {
  /** The Keys that can be spent */
  balance: number;
  /** At the current rate, rounded half-up to the cent */
  balanceUSD: number;
  currency: 'Keys';
  locked: boolean;
  isActive: boolean;
}

export interface BanChatMemberResult {
  chatroomId: ObjectId;
  userId: ObjectId;
  banned: boolean;
}

export interface BanCommunityMemberResult {
  communityId: ObjectId;
  userId: ObjectId;
  banned: boolean;
}

export type Base64Url = string;

export interface BeatWatchSessionBody {
  /** Position in the content */
  positionSeconds?: number;
}

export interface Block {
  userId: ObjectId;
  user: Member;
  blockedAt: DateTime;
}

export interface BlockMemberResult {
  userId: ObjectId;
  blocked: boolean;
}

export interface BulkDecision {
  id: ObjectId;
  status: 'pending' | 'approved' | 'denied' | null;
  /** Why the member has no access yet although the decision is saved */
  entitlementWarning: string | null;
  /** The code of the failure; null if it was done */
  error: string | null;
  /** The failure in words */
  message: string | null;
}

export interface BulkNotification {
  jobId: ObjectId;
  status: 'running' | 'finished';
  /** Number of distinct members in the request */
  requested: number;
  done: number;
  /** Number of processed ids that belong to no member */
  unknown: number;
  createdAt: DateTime;
  finishedAt: DateTime | null;
}

export interface BuyKeysBody {
  /** Keys, a positive whole number */
  amount: number;
  /** Where the payer returns to after paying: an absolute http or https URL, in which {CHECKOUT_SESSION_ID} is replaced */
  successUrl?: string;
  /** Where the payer returns to without paying: an absolute http or https URL, in which {CHECKOUT_SESSION_ID} is replaced */
  cancelUrl?: string;
  /** Arbitrary key-value pairs, at most 16 KiB of JSON. Keys that the platform sets itself are rejected */
  metadata?: Record<string, unknown>;
}

export interface Certificate {
  certificateId: ObjectId;
  courseId: ObjectId;
  userId: ObjectId;
  name: string;
  courseTitle: string;
  completedAt: DateTime;
  /** A public page that shows whether the certificate is genuine */
  verifyUrl: string;
}

export interface ChangeCourseOwnerBody {
  userId: ObjectId;
  reason?: Reason;
}

export interface ChangePasswordBody {
  currentPassword: string;
  newPassword: string;
}

export interface ChangeWalletBody {
  locked?: boolean;
  /** Shown to the member; ignored unless the wallet is locked, or is being locked */
  lockedReason?: string;
  isActive?: boolean;
  reason?: Reason;
}

export interface ChangedWallet {
  _id: ObjectId;
  userId: ObjectId;
  /** A number of Keys */
  balance: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
}

export interface ChannelPreferences {
  enabled: boolean;
  types: NotificationType[];
}

export interface ChannelPreferencesDraft {
  enabled?: boolean;
  /** The types that are delivered on this channel */
  types?: NotificationType[];
}

export interface ChartingAccount {
  configured: boolean;
  /** `ok`, or the reason why calls are paused */
  state: 'ok' | 'unavailable' | 'session-over' | 'limited';
  pausedSince: string | null;
  pausedUntil: string | null;
  lastSuccessAt: string | null;
  /** Number of pending grants and revocations */
  underWay: number;
  /** Number of failed grants that require manual action */
  failed: number;
}

export interface ChatMessage {
  id: ObjectId;
  chatroomId: ObjectId;
  userId: ObjectId;
  user: MessageAuthor;
  message: string;
  createdAt: DateTime;
  editedAt: DateTime | null;
  /** Its sequence number in the room */
  seq: number;
}

export interface ChatReport {
  id: ObjectId;
  messageId: ObjectId;
  chatroomId: ObjectId;
  /** Null in reports of your own messages */
  reportedBy: ObjectId | null;
  reason: string;
  status: 'open' | 'dismissed' | 'removed';
  /** What was said */
  message: string;
  messageUserId: ObjectId;
  createdAt: DateTime;
  resolvedAt: DateTime | null;
  resolvedBy: ObjectId | null;
  /** What it said before it was edited, oldest first, as far as that is kept; in lists the beginnings, in the context of the report all of it */
  earlierTexts: {
    text: string;
    until: DateTime;
  }[];
}

export interface Chatroom {
  id: ObjectId;
  name: string;
  description: string;
  /** Rules of the chatroom, for its members */
  rules: string[];
  /** `public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added */
  type: 'public' | 'private' | 'group';
  memberCount: number;
  /** Whether you are a member */
  joined: boolean;
  /** Until when you are muted in it; null if you are not */
  mutedUntil: DateTime | null;
  /** Of a chatroom that is not public up to 3 of the other members, for its title: with a `memberCount` of 2 the one to whom you write. Empty for public ones */
  members: Member[];
  /** Members who are connected to it now */
  activeNow: number;
  /** When the newest message was sent that is not deleted; null if there is none */
  lastMessageAt: DateTime | null;
  /** The newest message; null if there is none, or you may not read it */
  lastMessage: {
    id: ObjectId;
    userId: ObjectId;
    user: MessageAuthor;
    /** The first 200 characters, ending in `…` when there are more */
    message: string;
    createdAt: DateTime;
  } | null;
  /** Messages of others that you have not read, among the newest 100; 0 if you are not a member */
  unreadCount: number;
  /** Whether you are notified of new messages; public chatrooms never notify */
  notificationsEnabled: boolean;
  createdBy: ObjectId;
  createdAt: DateTime;
  /** When its texts, type, slow mode or owner were last changed */
  updatedAt: DateTime;
  /** Minimum seconds between two messages of a member; 0 for no minimum */
  slowModeSeconds: number;
  /** The sequence number of its newest event */
  lastSeq: number;
}

export interface ChatroomMember {
  userId: ObjectId;
  user: Member;
  role: 'owner' | 'member';
  joinedAt: DateTime;
  /** Null also for those who neither are this member nor moderate the chatroom */
  mutedUntil: DateTime | null;
  /** Whether they are connected to the chatroom now; false if a block parts you, null while more than 200 members are */
  online: boolean | null;
}

export interface ChatroomRestriction {
  userId: ObjectId;
  user: Member;
  mutedUntil: DateTime | null;
  bannedAt: DateTime | null;
}

/** A checkout, and what it bought */
export interface Checkout {
  id: ObjectId;
  checkoutSessionId: string;
  userId: ObjectId;
  /** The owner; null if the member was deleted */
  owner: Owner | null;
  purpose: string;
  /** A number of Keys */
  keys: number | null;
  /** The price in US dollars */
  usd: number;
  /** What was paid back of it */
  refundedUsd: number;
  status: 'open' | 'paid' | 'expired' | 'failed';
  /** The Keys that it bought */
  transactionId: string | null;
  /** What the payment provider reported last; null if it has reported nothing */
  providerStatus: 'open' | 'paid' | 'expired' | 'failed' | null;
  /** The payment provider's name of the payment */
  paymentId: string | null;
  /** Attempts to reach the payment provider about it that failed since one succeeded */
  attempts: number;
  /** Why the last attempt, or the payment, failed */
  lastError: string | null;
  createdAt: DateTime;
  expiresAt: DateTime;
  settledAt: DateTime | null;
}

/** A checkout was paid */
export interface CheckoutPaidEvent {
  id: EventId;
  type: 'checkout.paid';
  timestamp: DateTime;
  data: {
    checkoutId: ObjectId;
    /** The payment provider's identifier */
    checkoutSessionId: string;
    /** What was bought */
    purpose: string;
    userId: ObjectId;
    /** The price in US dollars */
    usd: number;
  };
}

/** What was paid at a checkout was refunded or disputed, or a dispute about it was won */
export interface CheckoutReversedEvent {
  id: EventId;
  type: 'checkout.reversed';
  timestamp: DateTime;
  data: {
    checkoutId: ObjectId;
    /** The payment provider's identifier */
    checkoutSessionId: string;
    /** What was bought */
    purpose: string;
    userId: ObjectId;
    /** The price in US dollars */
    usd: number;
    /** How much of the price is reversed now, in US dollars */
    reversedUsd: number;
    /** What changed it */
    cause: 'refund' | 'dispute' | 'dispute-won';
  };
}

export interface CheckoutSession {
  checkoutSessionId: string;
  /** The address to send the member to */
  paymentLink: string;
  expiresAt: DateTime;
  /** A number of Keys */
  keysAmount: number;
  /** The amount that will be charged */
  usdAmount: number;
  currency: 'USD';
}

export type ClearSearchHistoryResult = null;

export interface CloseLiveConnectionResult {
  id: ObjectId;
  userId: ObjectId | null;
}

export interface CloseTradeBody {
  exitPrice: number;
}

export interface CodeCheck {
  valid: boolean;
}

export interface Comment {
  id: ObjectId;
  postId: ObjectId;
  userId: ObjectId;
  user: Member;
  content: string;
  createdAt: DateTime;
  editedAt: DateTime | null;
}

export interface Community {
  id: ObjectId;
  name: string;
  description: string;
  createdBy: ObjectId;
  creator: Member;
  memberCount: number;
  postCount: number;
  /** Whether you are a member */
  joined: boolean;
  createdAt: DateTime;
  /** When its texts were last changed */
  updatedAt: DateTime;
}

export interface CommunityBan {
  userId: ObjectId;
  user: Member;
  bannedAt: DateTime;
}

export interface CommunityMember {
  userId: ObjectId;
  user: Member;
  joinedAt: DateTime;
}

export interface CompleteLessonUploadBody {
  fileKey: string;
  reason?: Reason;
}

export interface CompleteLessonUploadResult {
  lessonId: ObjectId;
  fileKey: string;
  status: 'processing' | 'complete' | 'failed';
  message: string;
}

export interface ConfirmAuthenticatorBody {
  /** A code of the authenticator app, or a recovery code in any case, with or without hyphens */
  code: string;
}

export interface ConvertKeysToMoneyBody {
  keys: number;
  /** A currency code of ISO 4217 */
  currency?: string;
}

export interface ConvertKeysToMoneyResult {
  keys: number;
  usd: number;
  /** ISO 4217 */
  currency: string;
}

export interface ConvertMoneyToKeysBody {
  usd: number;
  /** A currency code of ISO 4217 */
  currency?: string;
}

export interface ConvertMoneyToKeysResult {
  usd: number;
  keys: number;
  /** ISO 4217 */
  currency: string;
}

export interface CountUnreadNotificationsResult {
  count: number;
}

export interface CountedRecords {
  /** A kind of records */
  name: string;
  /** At most 10,000; null where they are not counted */
  count: number | null;
}

export interface Course {
  id: ObjectId;
  title: string;
  description: string;
  instructor: NamedMember;
  category: string;
  level: 'beginner' | 'intermediate' | 'advanced';
  /** Total length of the published lessons, in seconds */
  duration: number;
  moduleCount: number;
  /** Number of published lessons */
  lessonCount: number;
  enrolledCount: number;
  /** 0 to 5 with one decimal; 0 without ratings */
  rating: number;
  /** Number of ratings */
  ratingCount: number;
  price: number;
  /** `Keys`, or an ISO 4217 code. The price is converted at its current rate when a member enrols */
  currency: string;
  /** The price in Keys at the current rate, to be sent as `maxKeys`; null if the currency has no exchange rate, so that nobody can enrol */
  priceKeys: number | null;
  thumbnail: string | null;
  trailerUrl: string | null;
  tags: string[];
  status: 'draft' | 'published' | 'archived';
  /** Whether you are enrolled in the course */
  enrolled: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
  requirements: string[];
  learningOutcomes: string[];
  syllabus: string[];
  modules: CourseModule[];
  /** Your rating */
  ownRating: {
    rating: number;
    review: string | null;
  } | null;
}

/** A member completed every lesson of a course and passed its quizzes */
export interface CourseCompletedEvent {
  id: EventId;
  type: 'course.completed';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
    courseId: ObjectId;
  };
}

/** A member enrolled in a course */
export interface CourseEnrolledEvent {
  id: EventId;
  type: 'course.enrolled';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
    courseId: ObjectId;
    /** The price that they paid */
    keys: number;
  };
}

export interface CourseModule {
  id: ObjectId;
  courseId: ObjectId;
  title: string;
  /** From 1 */
  order: number;
  /** Number of published lessons */
  lessonCount: number;
  /** Total length of the published lessons, in seconds */
  duration: number;
  updatedAt: DateTime;
}

export interface CourseOutline {
  courseId: ObjectId;
  title: string;
  /** Whether you are enrolled in the course */
  enrolled: boolean;
  /** Null if you are not enrolled */
  progress: {
    lessonsCompleted: number;
    lessonCount: number;
    /** Of the lessons alone: 0 to 100, rounded down */
    percentage: number;
    quizzesPassed: number;
    /** Number of quizzes in the published lessons; all must be passed */
    quizCount: number;
    completedAt: DateTime | null;
  } | null;
  modules: OutlineModule[];
  /** Whether lessons are left out, beyond the first 1,000; only courses from before that limit have so many. `GET /v1/lessons` lists them by module */
  hasMoreLessons: boolean;
}

export interface CourseProgress {
  courseId: ObjectId;
  lessonsCompleted: number;
  lessonCount: number;
  /** Of the lessons alone: 0 to 100, rounded down */
  percentage: number;
  quizzesPassed: number;
  /** Number of quizzes in the published lessons; all must be passed */
  quizCount: number;
  completedAt: DateTime | null;
  lessons: LessonProgress[];
}

/** A course was published: for the first time, or again after it was taken back */
export interface CoursePublishedEvent {
  id: EventId;
  type: 'course.published';
  timestamp: DateTime;
  data: {
    courseId: ObjectId;
    instructorId: ObjectId;
  };
}

export interface CourseRating {
  id: ObjectId;
  courseId: ObjectId;
  userId: ObjectId;
  rating: number;
  review: string | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface CourseReview {
  id: ObjectId;
  userId: ObjectId;
  user: Member;
  rating: number;
  review: string | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface CourseSummary {
  id: ObjectId;
  title: string;
  /** The first 500 characters */
  description: string;
  instructor: NamedMember;
  category: string;
  level: 'beginner' | 'intermediate' | 'advanced';
  /** Total length of the published lessons, in seconds */
  duration: number;
  moduleCount: number;
  /** Number of published lessons */
  lessonCount: number;
  enrolledCount: number;
  /** 0 to 5 with one decimal; 0 without ratings */
  rating: number;
  /** Number of ratings */
  ratingCount: number;
  price: number;
  /** `Keys`, or an ISO 4217 code. The price is converted at its current rate when a member enrols */
  currency: string;
  /** The price in Keys at the current rate, to be sent as `maxKeys`; null if the currency has no exchange rate, so that nobody can enrol */
  priceKeys: number | null;
  thumbnail: string | null;
  trailerUrl: string | null;
  tags: string[];
  status: 'draft' | 'published' | 'archived';
  /** Whether you are enrolled in the course */
  enrolled: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface CreateAnnouncementBody {
  title: string;
  content: string;
  category?: string;
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  pinned?: boolean;
  tags?: string[];
  multimedia?: Multimedia[];
}

export interface CreateAnnouncementCommentBody {
  content: string;
}

export interface CreateApiKeyBody {
  /** On one line, without control characters; blanks at its ends are left out */
  name: string;
  /** Rate-limit tier */
  tier: 'mobile' | 'live_platform' | 'crm' | 'third_party' | 'admin';
  reason?: Reason;
}

export interface CreateChatroomBody {
  name: string;
  description?: string;
  /** Rules of the chatroom, for its members */
  rules?: string[];
  /** `public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added */
  type: 'public' | 'private' | 'group';
}

export interface CreateCommentBody {
  content: string;
}

export interface CreateCommunityBody {
  name: string;
  description?: string;
}

export interface CreateCourseBody {
  title: string;
  description?: string;
  category?: string;
  level?: 'beginner' | 'intermediate' | 'advanced';
  /** A whole number of Keys, or an amount of the currency with at most two decimals */
  price?: number;
  /** `Keys`, or an ISO 4217 code. The price is converted at its current rate when a member enrols */
  currency?: string;
  thumbnail?: HttpUrl | null;
  trailerUrl?: HttpUrl | null;
  requirements?: string[];
  learningOutcomes?: string[];
  tags?: string[];
  syllabus?: string[];
  status?: 'draft' | 'published' | 'archived';
}

export interface CreateCourseModuleBody {
  title: string;
  /** The position among its siblings, from 1; last by default */
  order?: number;
  reason?: Reason;
}

export interface CreateIndicatorBody {
  name: string;
  description?: string;
  /** The script at the charting platform. An indicator without one is never granted automatically */
  pineId?: string | null;
  chartingUrl?: string | null;
  isActive?: boolean;
  sortOrder?: number;
  reason?: Reason;
}

export interface CreateLessonBody {
  moduleId: ObjectId;
  title: string;
  description?: string;
  /** The position among its siblings, from 1; last by default */
  order?: number;
  /** Length in seconds; that of the video once there is one */
  duration?: number;
  thumbnailUrl?: HttpUrl | null;
  downloadUrl?: HttpUrl | null;
  resources?: LessonResource[];
  /** Whether members who are not enrolled can open it */
  preview?: boolean;
  status?: 'draft' | 'published';
  reason?: Reason;
}

export interface CreateLivestreamBody {
  title: string;
  description?: string;
  hostId?: ObjectId;
  scheduledStart: InstantText;
  scheduledEnd: InstantText;
}

export interface CreatePostBody {
  content: string;
}

export interface CreateProductBody {
  name: string;
  productType: 'scanner' | 'misc';
  description?: string;
  imageUrl?: HttpUrl | null;
  scannerId?: ObjectId | null;
  ctaType?: 'form' | 'link';
  ctaUrl?: HttpUrl | null;
  /** Replaces all questions. If left out, the questions are kept */
  requestFields?: ProductQuestionDraft[];
  isActive?: boolean;
  sortOrder?: number;
  reason?: Reason;
}

export interface CreateStoryBody {
  mediaType: 'image' | 'video';
  mediaUrl: HttpUrl;
  thumbnailUrl?: HttpUrl | null;
  /** Seconds */
  duration?: number;
}

export interface CreateTradeBody {
  symbol: string;
  direction: 'long' | 'short';
  entryPrice: number;
  stopLoss?: number;
  takeProfit?: number;
  note?: string;
}

export interface CreateUserBody {
  email: string;
  /** If left out, the user sets one with a password reset */
  password?: string;
  firstName: string;
  lastName: string;
  /** Lower-case letters, digits, dots, hyphens and underscores */
  username?: string;
  customerId?: string | null;
  permissions?: string[];
  /** The permissions of the role are added to `permissions` */
  role?: 'user' | 'educator' | 'admin';
  reason?: Reason;
}

export interface CreateWalletAsAdminBody {
  userId: ObjectId;
  reason?: Reason;
}

export interface CreateWebhookEndpointBody {
  /** An https address of a public host, without credentials and fragment; in development also http, and the loopback */
  url: string;
  /** Types of event; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
  types?: string[];
  /** For operators */
  description?: string;
  /** Whether events are sent to it; events of the time in which it is disabled are sent later */
  enabled?: boolean;
  /** Whether each delivery waits until the one before it succeeded or failed for good */
  ordered?: boolean;
  reason?: Reason;
}

export interface Dashboard {
  overview: {
    /** Members with an event in the period */
    activeUsers: number;
    totalUsers: number;
    newUsers: number;
    /** US dollars paid at checkouts, less refunds */
    totalRevenue: number;
  };
  traffic: {
    /** Number of `page.view` events */
    pageViews: number;
    /** Members who viewed a page */
    uniqueVisitors: number;
    /** Seconds from the first to the last event of a visit. A visit ends after 30 minutes without an event */
    averageSessionDuration: number;
  };
  education: {
    coursesCompleted: number;
    /** Number of lessons that members completed */
    lessonsWatched: number;
    /** Seconds */
    totalWatchTime: number;
  };
  engagement: {
    postsCreated: number;
    commentsPosted: number;
    reactionsGiven: number;
  };
  trading: {
    tradesCreated: number;
    tradesWon: number;
    winRate: number;
  };
  /** The same figures for the preceding period of the same length */
  previous: {
    overview: {
      /** Members with an event in the period */
      activeUsers: number;
      totalUsers: number;
      newUsers: number;
      /** US dollars paid at checkouts, less refunds */
      totalRevenue: number;
    };
    traffic: {
      /** Number of `page.view` events */
      pageViews: number;
      /** Members who viewed a page */
      uniqueVisitors: number;
      /** Seconds from the first to the last event of a visit. A visit ends after 30 minutes without an event */
      averageSessionDuration: number;
    };
    education: {
      coursesCompleted: number;
      /** Number of lessons that members completed */
      lessonsWatched: number;
      /** Seconds */
      totalWatchTime: number;
    };
    engagement: {
      postsCreated: number;
      commentsPosted: number;
      reactionsGiven: number;
    };
    trading: {
      tradesCreated: number;
      tradesWon: number;
      winRate: number;
    };
  };
}

export interface DataExport {
  id: ObjectId;
  status: 'pending' | 'ready' | 'failed' | 'expired';
  createdAt: DateTime;
  readyAt: DateTime | null;
  expiresAt: DateTime | null;
  url: HttpUrl | null;
}

export type DateTime = string;

export interface DaySeries {
  /** When the first bucket begins */
  from: DateTime;
  bucketSeconds: number;
  /** 288 buckets; the last one is under way */
  counts: number[];
}

export interface DeadJob {
  id: Uuid;
  /** Shortened, with secrets redacted */
  data: unknown;
  error: string | null;
  attempts: number;
  traceId: string | null;
  failedAt: DateTime;
}

export interface DebitResult {
  wallet: ChangedWallet;
  transaction: TransactionRecord;
  /** Keys that the wallet no longer had */
  short: number;
}

export interface DebitWalletBody {
  userId: ObjectId;
  /** Keys, a positive whole number */
  amount: number;
  /** Whether to take what there is, if the wallet has fewer Keys */
  allowPartial?: boolean;
  reason: Reason;
}

export interface DecideAccessRequestBody {
  status: 'pending' | 'approved' | 'denied';
  /** Shown to the member */
  reason?: string;
  /** What the request is where it was looked at; if it has been decided meanwhile, it stays as it is */
  expectedStatus?: 'pending' | 'approved' | 'denied';
}

export interface DecideAccessRequestsBody {
  /** At most 100 */
  ids: ObjectId[];
  status: 'pending' | 'approved' | 'denied';
  /** Shown to the member */
  reason?: string;
  /** What the request is where it was looked at; if it has been decided meanwhile, it stays as it is */
  expectedStatus?: 'pending' | 'approved' | 'denied';
}

export interface DecidedAccessRequest {
  id: ObjectId;
  productId: ObjectId;
  userId: ObjectId;
  fullName: string;
  /** The e-mail that the member entered */
  email: string;
  chartingId: string | null;
  answers: AccessRequestAnswer[];
  status: 'pending' | 'approved' | 'denied';
  /** Number of times it was submitted */
  submissions: number;
  /** The reason for the decision, if one was given */
  reason: string | null;
  decidedBy: ObjectId | null;
  decidedAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** Why the member has no access yet although the decision is saved */
  entitlementWarning?: string;
}

export interface DeleteCourseRatingResult {
  courseId: ObjectId;
}

export interface DeleteCourseResult {
  id: ObjectId;
  status: 'deleted' | 'archived';
}

export interface DeleteLessonCaptionsResult {
  lessonId: ObjectId;
  language: string;
}

export interface DeleteNotificationResult {
  id: string;
}

export interface DeleteOwnAccountBody {
  /** Your current password; not needed after a step-up */
  password?: string;
  /** What becomes of the Keys in your wallet: `withdraw` pays them out, `forfeit` gives them up. Required while there are any */
  remainingKeys?: 'withdraw' | 'forfeit';
}

export interface DeleteOwnAccountResult {
  userId: ObjectId;
}

export interface DeleteQuizResult {
  lessonId: ObjectId;
}

export interface DeleteUserBody {
  /** What becomes of the Keys in the member's wallet: `withdraw` pays them out, `forfeit` takes them out of circulation. Required while there are any */
  remainingKeys?: 'withdraw' | 'forfeit';
  reason?: Reason;
}

export interface DeleteUserResult {
  userId: ObjectId;
  dryRun: boolean;
  /** Why the deletion would be refused; null after a deletion */
  blockedBy: {
    code: string;
    message: string;
  } | null;
  /** The Keys before the deletion; null without a wallet */
  balance: number | null;
  /** What is erased */
  erased: CountedRecords[];
  /** What stays, under the id and without a name */
  kept: CountedRecords[];
}

export type DeleteWebhookEndpointResult = null;

export interface DeletedRecord {
  id: ObjectId;
}

export interface Delivery {
  notificationId: ObjectId;
  channel: NotificationChannel;
  userId: ObjectId;
  user: Person | null;
  /** `transactional`: an e-mail that is no notification, such as a reset code; `notificationId` is its own id */
  kind: 'notification' | 'transactional';
  /** Of the notification or the e-mail; null if the notification was deleted */
  type: string | null;
  title: string | null;
  /** The e-mail address that it went to, masked */
  to: string | null;
  /** The `Message-ID` of the e-mail */
  messageId: string | null;
  /** What the mail server answered last */
  lastResponse: string | null;
  /** Whether the address refuses our mail */
  suppressed: boolean;
  /** `batched`: waits for the hourly digest. `muted`: turned off by the member. `unavailable`: the channel is not available yet, or the member has no address on it. `read`: read in the app before it could be sent. `suppressed`: the address refuses our mail */
  status: 'pending' | 'batched' | 'sent' | 'failed' | 'muted' | 'unavailable' | 'read' | 'suppressed';
  attempts: number;
  lastError: string | null;
  createdAt: DateTime;
  settledAt: DateTime | null;
}

export interface Device {
  id: ObjectId;
  /** The token that the push service assigned to the device */
  token: string;
  platform: 'ios' | 'android' | 'web';
  name: string | null;
  deviceId: string | null;
  createdAt: DateTime;
  lastSeenAt: DateTime;
}

export interface EditChatMessageBody {
  message: string;
}

export interface Educator {
  id: ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  firstName: string;
  lastName: string;
  /** Null if this installation hides e-mail addresses from members */
  email: string | null;
  /** The same as `avatar` */
  profileImage: string | null;
  rankBadgeUrl: string | null;
  educator_title: string | null;
  educator_bio: string | null;
  banner_image: string | null;
  /** Smaller copies of uploaded pictures; null for other pictures */
  pictureSizes: {
    profileImage: PictureLinks | null;
    banner_image: PictureLinks | null;
  };
  specialty: string | null;
  skills: string[];
  socials: Record<string, string>;
  /** Number of followers */
  subscriberCount: number;
  /** The same number as `subscriberCount` */
  followerCount: number;
  /** Number of published courses */
  courseCount: number;
  /** The mean of all ratings of their courses; 0 without ratings */
  rating: number;
  permissions: string[];
  isVerified: boolean;
  featured: boolean;
  /** Whether you follow them */
  isFollowing: boolean;
  /** Whether you are notified of their announcements and stories */
  subscribed: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface EducatorChatroom {
  educatorId: ObjectId;
  chatroomId: ObjectId;
  name: string;
  description: string;
  rules: string[];
  memberCount: number;
  isActive: boolean;
  lastMessage: {
    content: string;
    timestamp: DateTime;
  } | null;
}

/** A member followed an educator */
export interface EducatorFollowedEvent {
  id: EventId;
  type: 'educator.followed';
  timestamp: DateTime;
  data: {
    educatorId: ObjectId;
    userId: ObjectId;
  };
}

export type EndNewSignInBody = Record<string, never>;

export interface EnrollAuthenticatorResult {
  /** In base 32, to type in */
  secret: string;
  otpauthUrl: string;
  /** `otpauthUrl` as a QR code, an SVG image */
  qrSvg: string;
}

export interface EnrollInCourseBody {
  /** The most Keys that you agree to pay; any price by default */
  maxKeys?: number;
}

export interface EnrolledCourse {
  id: ObjectId;
  title: string;
  /** The first 500 characters */
  description: string;
  instructor: NamedMember;
  category: string;
  level: 'beginner' | 'intermediate' | 'advanced';
  /** Total length of the published lessons, in seconds */
  duration: number;
  moduleCount: number;
  /** Number of published lessons */
  lessonCount: number;
  enrolledCount: number;
  /** 0 to 5 with one decimal; 0 without ratings */
  rating: number;
  /** Number of ratings */
  ratingCount: number;
  price: number;
  /** `Keys`, or an ISO 4217 code. The price is converted at its current rate when a member enrols */
  currency: string;
  /** The price in Keys at the current rate, to be sent as `maxKeys`; null if the currency has no exchange rate, so that nobody can enrol */
  priceKeys: number | null;
  thumbnail: string | null;
  trailerUrl: string | null;
  tags: string[];
  status: 'draft' | 'published' | 'archived';
  /** Whether you are enrolled in the course */
  enrolled: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
  enrolledAt: DateTime;
  completedAt: DateTime | null;
  /** Your progress, as `GET /v1/courses/{courseId}/progress` counts it */
  progress: {
    lessonsCompleted: number;
    lessonCount: number;
    /** Of the lessons alone: 0 to 100, rounded down */
    percentage: number;
    quizzesPassed: number;
    /** Number of quizzes in the published lessons; all must be passed */
    quizCount: number;
    completedAt: DateTime | null;
    /** When you last saved progress in one of its lessons; null if you never have */
    lastStudiedAt: DateTime | null;
  };
}

export interface Enrolment {
  courseId: ObjectId;
  userId: ObjectId;
  /** The price that was paid, in Keys */
  paidKeys: number;
  transactionId: string | null;
  enrolledAt: DateTime;
  completedAt: DateTime | null;
}

export interface ErrorGroup {
  operation: string | null;
  code: string | null;
  status: number | null;
  count: number;
  /** How many members met them */
  members: number;
  firstAt: DateTime;
  lastAt: DateTime;
  exampleErrorId: Uuid;
  /** The count of each bucket */
  series: number[];
}

export interface ErrorReport {
  errorId: Uuid;
  serviceName: string;
  operation: string;
  errorType: string;
  errorCode: string;
  errorMessage: string;
  /** What the client was not told; for links to videos, files and certificates */
  reason?: string;
  statusCode: number;
  user?: {
    userId: ObjectId;
    id: ObjectId;
    /** Null once the account is deleted */
    name: string | null;
    email: string;
  };
  /** At first `critical` for server errors (5xx), `medium` for rejected requests; administrators assign `high`, or another */
  severity: 'critical' | 'high' | 'medium' | 'low';
  timestamp: DateTime;
  /** Left out in production */
  stack?: string;
  request: {
    method: string;
    path: string;
    requestId: string;
    traceId?: string;
    headers: Record<string, unknown>;
    /** The body as sent, with secrets and private texts redacted */
    body: unknown;
  };
}

export interface ErrorSummary {
  errorId: Uuid;
  serviceName: string;
  operation: string;
  errorType: string;
  errorCode: string;
  errorMessage: string;
  /** What the client was not told; for links to videos, files and certificates */
  reason?: string;
  statusCode: number;
  user?: {
    userId: ObjectId;
    id: ObjectId;
    /** Null once the account is deleted */
    name: string | null;
    email: string;
  };
  /** At first `critical` for server errors (5xx), `medium` for rejected requests; administrators assign `high`, or another */
  severity: 'critical' | 'high' | 'medium' | 'low';
  timestamp: DateTime;
  request: {
    method: string;
    path: string;
    requestId: string;
  };
}

export interface EventDraft {
  eventName: string;
  eventType: string;
  metadata?: Metadata;
  /** When the event happened; defaults to now. At most 30 days ago. Times more than 5 minutes ahead of the server clock are replaced by now */
  timestamp?: string;
  /** An id that you choose. An event sent again with the same id within 7 days is counted once */
  eventId?: string;
}

/** The same in the feed, in every delivery and in every replay */
export type EventId = string;

export interface EventName {
  eventName: string;
  eventType: string;
  /** Null for names that every installation has */
  listedAt: DateTime | null;
  /** Whether its events are counted under `other` */
  isRemoved: boolean;
}

export interface EventNameDecision {
  eventName: string;
  eventType: string;
  /** Kept in the audit log */
  reason: string;
}

export interface ExchangeRate {
  _id: ObjectId;
  /** The value of one Key */
  rate: number;
  /** ISO 4217 */
  currency: string;
  isActive: boolean;
  effectiveFrom: DateTime;
  effectiveTo: DateTime | null;
  updatedBy: {
    email: string;
  };
  notes: string;
}

/** The value of Keys changed */
export interface ExchangeRateChangedEvent {
  id: EventId;
  type: 'exchange_rate.changed';
  timestamp: DateTime;
  data: {
    /** ISO 4217 */
    currency: string;
    /** What one Key is worth in this currency */
    rate: number;
  };
}

/** The `updatedAt` of the record as you read it: if somebody has changed it since, nothing is saved (409 `CHANGED_MEANWHILE`) */
export type ExpectedUpdatedAt = string;

export interface ExportBegun {
  id: ObjectId;
  status: 'pending';
}

export type ExportEventsResult = string;

export interface ExternalSystem {
  system: string;
  /** How the last call ended; `unused` before the first one, `off` if the system is not configured */
  state: 'up' | 'down' | 'unused' | 'off';
  since: DateTime | null;
  lastError: string | null;
  lastErrorAt: DateTime | null;
}

export interface Factors {
  /** Whether an authenticator app is confirmed */
  totp: boolean;
  passkeys: number;
  recoveryCodesLeft: number;
}

export interface FeedPlace {
  limit: number;
  /** Pass it as `after` to read on; `null` only on an empty page */
  nextCursor: string | null;
}

export interface Follow {
  educatorId: ObjectId;
  userId: ObjectId;
  user: Member;
  followedAt: DateTime;
}

export interface FollowStatus {
  isFollowing: boolean;
  followedAt: DateTime | null;
  /** Whether you are notified of their announcements and stories */
  subscribed: boolean;
}

export interface FollowedEducator {
  id: ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  firstName: string;
  lastName: string;
  /** Null if this installation hides e-mail addresses from members */
  email: string | null;
  /** The same as `avatar` */
  profileImage: string | null;
  rankBadgeUrl: string | null;
  educator_title: string | null;
  educator_bio: string | null;
  banner_image: string | null;
  /** Smaller copies of uploaded pictures; null for other pictures */
  pictureSizes: {
    profileImage: PictureLinks | null;
    banner_image: PictureLinks | null;
  };
  specialty: string | null;
  skills: string[];
  socials: Record<string, string>;
  /** Number of followers */
  subscriberCount: number;
  /** The same number as `subscriberCount` */
  followerCount: number;
  /** Number of published courses */
  courseCount: number;
  /** The mean of all ratings of their courses; 0 without ratings */
  rating: number;
  permissions: string[];
  isVerified: boolean;
  featured: boolean;
  /** Whether you follow them */
  isFollowing: boolean;
  /** Whether you are notified of their announcements and stories */
  subscribed: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
  followedAt: DateTime;
}

export interface ForgotPasswordBody {
  email: string;
}

export interface FoundRecord {
  type: 'error' | 'user' | 'session' | 'checkout' | 'transaction' | 'withdrawal' | 'message' | 'course' | 'grant' | 'request';
  /** By which the operations of the type name it */
  id: string;
  title: string;
  /** The user whom it is about */
  userId: ObjectId | null;
}

export interface FundWalletAsAdminBody {
  userId: ObjectId;
  /** Keys, a positive whole number */
  amount: number;
  description?: string;
  metadata?: Metadata;
  reason?: Reason;
}

export interface FundingKey {
  fundingKey: string;
  expiresAt: DateTime;
}

export interface Funnel {
  funnel: {
    step: number;
    /** Number of members who reached this step */
    count: number;
    /** Share of the members who performed the first step */
    percentage: number;
    /** Share of the members who performed the previous step but not this one */
    dropoff: number;
  }[];
  /** The percentage of the last step */
  conversionRate: number;
  /** Number of members who performed the first step */
  totalUsers: number;
}

export type GetAccessRequestStatusResult = Record<string, 'pending' | 'approved' | 'denied'>;

/** `PublicKeyCredentialCreationOptionsJSON` of WebAuthn, for the browser */
export interface GetPasskeyOptionsResult {
  challenge: string;
  [name: string]: unknown;
}

/** `PublicKeyCredentialRequestOptionsJSON` of WebAuthn, for the browser */
export interface GetPasskeySignInOptionsResult {
  challenge: string;
  [name: string]: unknown;
}

export interface GetVapidKeyResult {
  /** P-256 point, base64url */
  publicKey: string;
}

export interface GiftRank {
  rank: number;
  userId: ObjectId;
  keys: number;
  gifts: number;
  /** Number of distinct members on the other side */
  counterparties: number;
  lastGiftAt: DateTime;
  user: Member;
  /** Empty if the member was deleted */
  name: string;
  username: string;
  slug: string | null;
  avatar: string | null;
}

export interface GrantIndicatorAccessBody {
  userId?: ObjectId;
  email?: string;
  /** The username at the charting platform. Surrounding spaces and a leading @ are removed */
  chartingUsername: string;
  reason?: Reason;
}

export interface HandOnChatroomBody {
  userId: ObjectId;
  reason?: Reason;
}

export type HttpUrl = string;

export interface Indicator {
  id: ObjectId;
  name: string;
  description: string;
  /** The script at the charting platform. An indicator without one is never granted automatically */
  pineId: string | null;
  chartingUrl: string | null;
  isActive: boolean;
  sortOrder: number;
  /** Number of members who have access now */
  activeAccessCount: number;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface IndicatorAccess {
  id: ObjectId;
  /** The same as `id` */
  accessId: ObjectId;
  scannerId: ObjectId;
  scannerName: string;
  userId: ObjectId;
  chartingUsername: string;
  status: IndicatorAccessStatus;
  source: 'marketplace' | 'automated' | 'manual';
  /** Why the grant or revocation is delayed or failed */
  lastError: string | null;
  /** Attempts at the current or failed grant or revocation */
  attempts: number;
  graceEndsAt: DateTime | null;
  requestId: ObjectId | null;
  createdAt: DateTime;
  updatedAt: DateTime;
  user: {
    id: string;
    name: string;
    email: string;
    firstName: string;
    lastName: string;
  } | null;
  failedAction: 'grant' | 'revoke' | null;
  errorKind: string | null;
  /** Who made the entry at the charting platform: this platform (`made`, also once taken over), somebody before the grant (`found`; it stays when the grant ends), or a person because of the grant (`by-hand`; a person removes it) */
  entry: 'made' | 'found' | 'by-hand' | null;
}

/** A member can use indicators at the charting platform */
export interface IndicatorAccessBeganEvent {
  id: EventId;
  type: 'indicator_access.began';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
    /** The indicators */
    scannerIds: ObjectId[];
  };
}

export interface IndicatorAccessChange {
  scannerId: ObjectId;
  scannerName: string;
  accessId: ObjectId;
  status: IndicatorAccessStatus;
  /** The reason for the failure */
  error?: string;
}

/** A member can no longer use indicators at the charting platform */
export interface IndicatorAccessEndedEvent {
  id: EventId;
  type: 'indicator_access.ended';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
    /** The indicators */
    scannerIds: ObjectId[];
  };
}

export interface IndicatorAccessMove {
  fromStatus: IndicatorAccessStatus | null;
  toStatus: IndicatorAccessStatus;
  /** Increases with each change of the requested state */
  version: number;
  /** A user id, or `service:<name>` */
  movedBy: string;
  why: string;
  createdAt: DateTime;
}

export type IndicatorAccessStatus = 'pending_grant' | 'active' | 'pending_revoke' | 'revoked' | 'failed';

export interface IndicatorAccessWebhookAnswer {
  customerId: string;
  action: 'grant' | 'revoke';
  userId: ObjectId;
  email: string;
  chartingUsername: string | null;
  /** Number of active indicators in the catalogue */
  scanners: number;
  /** Number of grants or revocations that this request started, without those that failed at once */
  changed: number;
  /** For revocations: number of catalogue indicators that the member does not hold */
  skipped: number;
  /** Number of failed grants that require manual action */
  failed: number;
  /** Whether the event was ignored because it is older (`occurredAt`) than one received before */
  ignored: boolean;
  results: IndicatorAccessChange[];
}

export interface IndicatorComparison {
  /** Number of grants compared */
  checked: number;
  /** Number of grants that are restored */
  granted: number;
  /** Always 0: a comparison removes nothing, since what is there was not made by us */
  revoked: number;
  /** The differences, at most 1,000 */
  drift: IndicatorDrift[];
  /** Whether every indicator was compared and repaired */
  complete: boolean;
  /** Why the comparison is incomplete */
  problems: string[];
}

export interface IndicatorDrift {
  scannerId: ObjectId;
  scannerName: string;
  accessId: ObjectId | null;
  userId: ObjectId | null;
  chartingUsername: string;
  /** `missing`: active on the platform but absent at the charting platform. `unexpected`: revoked on the platform but present at the charting platform; it stays unless it is taken over. `stranger`: present at the charting platform but unknown to the platform; never removed */
  kind: 'missing' | 'unexpected' | 'stranger';
  /** Whether the repair was started */
  mended: boolean;
}

export interface InspectedWallet {
  _id: ObjectId;
  userId: ObjectId;
  /** A number of Keys */
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present only if locked; empty without a reason */
  lockedReason?: string;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** The owner; null if the member was deleted */
  owner: Owner | null;
  /** Keys held by pending withdrawals */
  heldKeys: number;
  /** The 100 newest */
  pendingWithdrawals: Withdrawal[];
}

export interface InstallationHealth {
  processes: Process[];
  systems: ExternalSystem[];
  settings: ShownSetting[];
  /** The newest backup; null if none was reported */
  backup: {
    /** When the backup was taken */
    at: DateTime;
    /** The head of the ledger that it contains */
    head: string;
    /** Where it is kept */
    place: string;
    ageSeconds: number;
  } | null;
}

/** An ISO 8601 date or datetime; UTC if it has no zone */
export type InstantText = string;

export interface JobOfQueue {
  id: Uuid;
  queue: string;
}

export interface JobQueue {
  queue: string;
  /** Jobs that wait to be run, at most 10,000 */
  ready: number;
  /** Jobs that are running */
  active: number;
  /** Jobs for later, retries included, at most 10,000 */
  delayed: number;
  /** Jobs that failed all their attempts, at most 10,000 */
  dead: number;
  /** Since when the oldest ready job has waited */
  oldestAt: DateTime | null;
  /** When its schedule runs it next; null without a schedule */
  nextRunAt: DateTime | null;
}

export interface Leaderboards {
  period: {
    key: '24h' | '7d' | '30d' | '90d' | 'custom';
    startDate: DateTime;
    endDate: DateTime;
  };
  filters: {
    platform: string | null;
    contentType: string | null;
    limit: number;
  };
  /** Whether a part could not be read; see `unavailable` */
  partial: boolean;
  unavailable: string[];
  totals: {
    platformPeakConcurrent: number;
    platformPeakAt: DateTime | null;
    giftedKeys: number;
    gifts: number;
    gifters: number;
    giftRecipients: number;
  };
  topConcurrentEducators: {
    rank: number;
    educatorId: ObjectId;
    /** The highest number of watch sessions open at the same time */
    peakConcurrent: number;
    peakAt: DateTime | null;
    /** Seconds of each session within the period */
    watchSecs: number;
    sessions: number;
    uniqueViewers: number;
    user: Member;
    /** Empty if the member was deleted */
    name: string;
    username: string;
    slug: string | null;
    avatar: string | null;
  }[];
  topGifters: GiftRank[];
  topGifted: GiftRank[];
  topViewers: {
    rank: number;
    userId: ObjectId;
    /** Seconds within the period in which at least one session of the member was open */
    watchSecs: number;
    sessions: number;
    contentCount: number;
    contentTypes: string[];
    lastWatchedAt: DateTime;
    user: Member;
    /** Empty if the member was deleted */
    name: string;
    username: string;
    slug: string | null;
    avatar: string | null;
  }[];
  /** When the boards were built */
  lastUpdated: DateTime;
}

export interface LeaveCourseResult {
  courseId: ObjectId;
}

export interface LedgerVerification {
  at: DateTime;
  /** A hash over the newest hash of every account: comparing it with an earlier copy reveals a rewritten history */
  head: string;
  transactions: number;
  entries: number;
  /** All Keys that were issued, also those that were paid out meanwhile: what `CIRCULATION_LIMIT_EXCEEDED` limits. Null in a verification by an earlier release */
  issued: number | null;
  /** Keys in all wallets, held ones included */
  inCirculation: number;
  /** Whether the whole ledger was verified, or what came after the previous verification */
  scope: 'whole' | 'since-last-proof';
  /** When the whole ledger was last verified */
  wholeAt: DateTime | null;
  /** Whether every invariant holds */
  sound: boolean;
  broken: {
    invariant: string;
    /** The first few violations */
    at: string[];
  }[];
}

export interface Lesson {
  id: ObjectId;
  moduleId: ObjectId;
  courseId: ObjectId;
  title: string;
  description: string;
  /** From 1 */
  order: number;
  /** Seconds */
  duration: number;
  /** The HLS master playlist; if it is null, `videoUnavailable` says why */
  videoUrl: string | null;
  /** Why there is no `videoUrl`; null if there is one. `not-entitled`: only members who are enrolled in the course may watch. `none`: no video has been uploaded. `processing`: its first video is not ready yet. `failed`: its video could not be processed, and the educator has to upload it again */
  videoUnavailable: 'not-entitled' | 'none' | 'processing' | 'failed' | null;
  thumbnailUrl: string | null;
  downloadUrl: string | null;
  resources: LessonResource[];
  quiz: LessonQuiz | null;
  /** Languages */
  captions: string[];
  preview: boolean;
  status: 'draft' | 'published';
  /** Number of members who started the lesson */
  viewCount: number;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface LessonCaptions {
  lessonId: ObjectId;
  language: string;
  /** WebVTT */
  text: string;
}

/** A member completed a lesson */
export interface LessonCompletedEvent {
  id: EventId;
  type: 'lesson.completed';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
    courseId: ObjectId;
    lessonId: ObjectId;
  };
}

export interface LessonProgress {
  lessonId: ObjectId;
  positionSeconds: number;
  completed: boolean;
  completedAt: DateTime | null;
}

/** A lesson of a published course was published for the first time */
export interface LessonPublishedEvent {
  id: EventId;
  type: 'lesson.published';
  timestamp: DateTime;
  data: {
    courseId: ObjectId;
    lessonId: ObjectId;
  };
}

export interface LessonQuiz {
  /** Number of questions */
  questions: number;
  /** The percentage needed to pass */
  passingScore: number;
  /** Whether you passed */
  passed: boolean;
  /** 0 to 100; null without attempts */
  bestScore: number | null;
  /** Number of your attempts */
  attempts: number;
}

export interface LessonResource {
  url: HttpUrl;
  type: 'pdf' | 'doc' | 'link';
}

export interface LessonSummary {
  id: ObjectId;
  moduleId: ObjectId;
  courseId: ObjectId;
  title: string;
  /** The first 500 characters */
  description: string;
  /** From 1 */
  order: number;
  /** Seconds */
  duration: number;
  /** The HLS master playlist; if it is null, `videoUnavailable` says why */
  videoUrl: string | null;
  /** Why there is no `videoUrl`; null if there is one. `not-entitled`: only members who are enrolled in the course may watch. `none`: no video has been uploaded. `processing`: its first video is not ready yet. `failed`: its video could not be processed, and the educator has to upload it again */
  videoUnavailable: 'not-entitled' | 'none' | 'processing' | 'failed' | null;
  thumbnailUrl: string | null;
  downloadUrl: string | null;
  /** The first 5 */
  resources: LessonResource[];
  quiz: LessonQuiz | null;
  /** Languages */
  captions: string[];
  preview: boolean;
  status: 'draft' | 'published';
  /** Number of members who started the lesson */
  viewCount: number;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** Number of resources of the lesson; 0 if you may not access them */
  resourceCount: number;
}

export interface LessonVideo {
  lessonId: ObjectId;
  status: 'uploading' | 'processing' | 'complete' | 'failed' | null;
  videoUrl: string | null;
  thumbnailUrl: string | null;
  /** Seconds */
  duration: number | null;
  /** Playlists by rendition: 1080p, 720p, 480p, 360p */
  formats: Record<string, string>;
  /** Smaller pictures from several moments of the video */
  thumbnails: string[];
  /** WebVTT whose cues point to the pictures that a player shows above its timeline */
  spritesUrl: string | null;
  expiresAt: DateTime | null;
  /** Present only during processing */
  progress: number | null;
  error: {
    code: string;
    message: string;
  } | null;
}

export type ListEventNameResult = null;

/** Sums over all that the filter matches; only with `summary=true` */
export interface ListSummary {
  /** All that match, without a limit */
  count: number;
  /** The sum of their Keys */
  keys: number;
  /** The sum of their US dollars */
  usd: number;
  oldestAt: DateTime | null;
}

export interface ListedAccount {
  id: ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs */
  emailVerified: boolean;
  /** Empty if the account was deleted */
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** Empty if the account was deleted */
  name: string;
  avatar: string | null;
  isEducator: boolean;
  educator_title?: string;
  educator_bio?: string;
  banner_image?: HttpUrl | null;
  profileImage?: HttpUrl | null;
  rankBadgeUrl?: HttpUrl | null;
  specialty?: string;
  skills?: string[];
  socials?: Socials;
  /** Keys; null without a wallet */
  balance: number | null;
  lastSeenAt: DateTime | null;
  /** What they pay for: bought, and not expired; at most 20 */
  skus: string[];
}

export interface ListedTip {
  transactionId: string;
  /** Keys */
  amount: number;
  educatorId: ObjectId;
  message: string;
  createdAt: DateTime;
  /** The member who gave the tip */
  userId: ObjectId;
  other: NamedMember;
}

export interface LiveConnection {
  id: ObjectId;
  /** Null before it is authenticated */
  userId: ObjectId | null;
  user: Person | null;
  /** The process that holds it */
  node: string;
  since: DateTime;
  /** The chatrooms that it is subscribed to, at most 100 */
  rooms: ObjectId[];
  /** Platform and device of its session */
  device: string | null;
}

export interface LiveNode {
  /** The process */
  id: string;
  connections: number;
  /** Chatrooms with a subscribed connection */
  rooms: number;
  /** Messages delivered, in the last seconds */
  framesPerSecond: number;
  /** Connections closed since the start because they read too slowly */
  slow: number;
  /** Whether its messages reach other processes */
  bus: boolean;
}

export interface Livestream {
  id: ObjectId;
  title: string;
  description: string;
  hostId: ObjectId;
  host: Member;
  status: 'scheduled' | 'live' | 'ended' | 'cancelled';
  scheduledStart: DateTime;
  scheduledEnd: DateTime;
  startedAt: DateTime | null;
  endedAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

/** A livestream went live */
export interface LivestreamStartedEvent {
  id: EventId;
  type: 'livestream.started';
  timestamp: DateTime;
  data: {
    livestreamId: ObjectId;
    hostId: ObjectId;
  };
}

export interface LocalLivestream {
  id: ObjectId;
  title: string;
  description: string;
  hostId: ObjectId;
  host: Member;
  status: 'scheduled' | 'live' | 'ended' | 'cancelled';
  scheduledStart: DateTime;
  scheduledEnd: DateTime;
  startedAt: DateTime | null;
  endedAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** An IANA time zone */
  timezone?: string;
  /** Local time in the requested time zone */
  scheduledStartLocal?: string;
  /** Local time in the requested time zone */
  scheduledEndLocal?: string;
}

export interface MailSuppression {
  id: ObjectId;
  email: string;
  kind: 'bounce' | 'complaint';
  /** What the mail service said */
  reason: string | null;
  reportedAt: DateTime;
  createdAt: DateTime;
}

export interface MarkChatroomReadBody {
  messageId: ObjectId;
}

export interface MarkEducatorBody {
  isVerified?: boolean;
  featured?: boolean;
  rankBadgeUrl?: HttpUrl | null;
  /** Lower-case letters, digits, dots, hyphens and underscores */
  username?: string;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface Member {
  id: ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
}

export interface MessageAuthor {
  id: ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  firstName: string;
  lastName: string;
  rankBadgeUrl: string | null;
}

/** An `action` comes with its ids. Pushes show `icon` (a URL, or the name of an image of the Android app) and `badge` (a number, or for browsers a URL); everything else is their `data` */
export interface MessageMetadata {
  action?: NotificationAction;
  announcementId?: string;
  chatroomId?: string;
  commentId?: string;
  communityId?: string;
  courseId?: string;
  educatorId?: string;
  fromUserId?: string;
  instructorId?: string;
  lessonId?: string;
  postId?: string;
  productId?: string;
  requestId?: string;
  sessionId?: string;
  speakerId?: string;
  storyId?: string;
  tradeId?: string;
  transactionId?: string;
  [name: string]: unknown;
}

export interface Meta {
  timestamp: DateTime;
  version: string;
  /** The fields of the body that the operation does not know, as dotted paths; only if there are any */
  ignored?: string[];
  summary?: ListSummary;
}

/** Arbitrary key-value pairs, at most 16 KiB of JSON */
export type Metadata = Record<string, unknown>;

/** A member reported content to the moderators */
export interface ModerationReportedEvent {
  id: EventId;
  type: 'moderation.reported';
  timestamp: DateTime;
  data: {
    reportId: ObjectId;
    /** What was reported */
    kind: string;
    /** The id of what was reported */
    subjectId: ObjectId;
    /** Who wrote or published it */
    authorId: ObjectId;
  };
}

export type Moment = string;

export type MomentOrId = string;

export type MomentOrUuid = string;

export interface Multimedia {
  type: 'image' | 'video' | 'audio' | 'document' | 'link';
  /** An https address, or the `publicUrl` of an upload of your own */
  url: string;
}

export interface MuteChatMemberBody {
  minutes: number;
  reason?: Reason;
}

export interface MuteChatMemberResult {
  chatroomId: ObjectId;
  userId: ObjectId;
  mutedUntil: DateTime | null;
}

export interface MuteUserBody {
  minutes: number;
  /** Whether their messages of the last seven days are deleted, too */
  deleteMessages?: boolean;
  /** The `mutedUntil` that you saw, to replace no other: 409 `CHANGED_MEANWHILE` */
  expectedMutedUntil?: InstantText | null;
  reason?: Reason;
}

export interface MuteUserResult {
  userId: ObjectId;
  mutedUntil: DateTime | null;
}

export interface MyIndicatorAccess {
  id: ObjectId;
  /** The same as `id` */
  accessId: ObjectId;
  scannerId: ObjectId;
  scannerName: string;
  userId: ObjectId;
  chartingUsername: string;
  status: IndicatorAccessStatus;
  source: 'marketplace' | 'automated' | 'manual';
  /** Why the grant or revocation is delayed or failed */
  lastError: string | null;
  /** Attempts at the current or failed grant or revocation */
  attempts: number;
  graceEndsAt: DateTime | null;
  requestId: ObjectId | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface NamedMember {
  id: ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  firstName: string;
  lastName: string;
}

export interface NewApiKey {
  id: ObjectId;
  name: string;
  /** Rate-limit tier */
  tier: 'mobile' | 'live_platform' | 'crm' | 'third_party' | 'admin';
  environment: 'development' | 'production';
  /** The key. It is shown only in this response */
  key: string;
  createdAt: DateTime;
}

/** `RegistrationResponseJSON` of WebAuthn */
export interface NewPasskeyResponse {
  id: Base64Url;
  rawId: Base64Url;
  type: 'public-key';
  /** At most 4 KiB of JSON */
  clientExtensionResults?: Record<string, unknown>;
  authenticatorAttachment?: string;
  response: {
    clientDataJSON: Base64Url;
    attestationObject: Base64Url;
    transports?: string[];
  };
}

export interface NewWebhookEndpoint {
  id: ObjectId;
  /** An https address of a public host, without credentials and fragment; in development also http, and the loopback */
  url: string;
  /** Types of event; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
  types: string[];
  /** For operators */
  description: string | null;
  /** Whether events are sent to it; events of the time in which it is disabled are sent later */
  enabled: boolean;
  /** Whether each delivery waits until the one before it succeeded or failed for good */
  ordered: boolean;
  createdAt: DateTime;
  /** When an administrator last changed it */
  updatedAt: DateTime;
  /** The number of the newest delivery */
  lastSequence: number;
  /** Since when no delivery has succeeded */
  failingSince: DateTime | null;
  /** Why the platform disabled it */
  disabledReason: string | null;
  /** The secret that signs deliveries, shown only in this response: `whsec_` and base64 */
  secret: string;
}

export type Nothing = Record<string, never>;

export interface Notification {
  id: ObjectId;
  userId: ObjectId;
  type: NotificationType;
  title: string;
  message: string;
  priority: 'critical' | 'high' | 'medium' | 'low';
  read: boolean;
  channels: NotificationChannel[];
  /** Where the notification leads, if it does (`action`), with the ids for a deep link; and further fields. Clients ignore an action that they do not know */
  metadata: {
    action?: NotificationAction;
    announcementId?: string;
    chatroomId?: string;
    commentId?: string;
    communityId?: string;
    courseId?: string;
    educatorId?: string;
    fromUserId?: string;
    instructorId?: string;
    lessonId?: string;
    postId?: string;
    productId?: string;
    requestId?: string;
    sessionId?: string;
    speakerId?: string;
    storyId?: string;
    tradeId?: string;
    transactionId?: string;
    [name: string]: unknown;
  };
  createdAt: DateTime;
}

/**
 * Where the notification leads, and by which fields:
 * - `open-announcement`: the announcement, at the comment if there is one; `announcementId`, `educatorId`, `commentId` (not always), `fromUserId` (not always)
 * - `open-certificate`: the certificate of the course; `courseId`
 * - `open-chatroom`: the chatroom; `chatroomId`, `fromUserId` (not always)
 * - `open-community`: the community; `communityId`, `fromUserId`
 * - `open-course`: the course; `courseId`, `instructorId`
 * - `open-indicators`: the member's indicators; no ids
 * - `open-lesson`: the lesson; `courseId`, `lessonId`
 * - `open-notifications`: the list of notifications; no ids
 * - `open-post`: the post, at the comment; `postId`, `commentId`, `fromUserId`
 * - `open-product`: the product; `productId`, `requestId` (not always)
 * - `open-session`: the livestream; `sessionId`, `speakerId`
 * - `open-story`: the story; `storyId`, `educatorId`
 * - `open-trade`: the trade idea; `tradeId`
 * - `open-wallet`: the movement of Keys; `transactionId`, `fromUserId` (not always)
 */
export type NotificationAction = 'open-announcement' | 'open-certificate' | 'open-chatroom' | 'open-community' | 'open-course' | 'open-indicators' | 'open-lesson' | 'open-notifications' | 'open-post' | 'open-product' | 'open-session' | 'open-story' | 'open-trade' | 'open-wallet';

export type NotificationChannel = 'email' | 'push' | 'sms';

export interface NotificationOfUser {
  id: ObjectId;
  kind: 'notification' | 'transactional';
  type: string;
  title: string;
  /** Null of an e-mail that is no notification */
  message: string | null;
  read: boolean | null;
  createdAt: DateTime;
  deliveries: Delivery[];
}

export interface NotificationPreferences {
  preferences: {
    email: ChannelPreferences;
    push: ChannelPreferences;
    sms: ChannelPreferences;
    /** E-mails and pushes wait for their end; null if there are none */
    quietHours: QuietHours | null;
  };
}

/** What its subscribers are notified of: `TRADE_IDEAS` of new trade ideas, `SESSIONS` of livestreams that begin, `EDUCATION` of courses that are published, `COMMUNITIES` of new communities, `CHATROOM` of new public chatrooms, and `GENERAL` of products that the marketplace offers */
export type NotificationTopic = 'CHATROOM' | 'COMMUNITIES' | 'EDUCATION' | 'GENERAL' | 'SESSIONS' | 'TRADE_IDEAS';

export type NotificationType = 'achievement' | 'alert' | 'announcement' | 'chat' | 'comment_reply' | 'course_update' | 'moderation' | 'reminder' | 'trade_update' | 'welcome';

/** An object identifier: 24 lower-case hexadecimal characters, ordered by time */
export type ObjectId = string;

export interface OutlineLesson {
  id: ObjectId;
  title: string;
  /** From 1 */
  order: number;
  /** Seconds */
  duration: number;
  preview: boolean;
  status: 'draft' | 'published';
  thumbnailUrl: string | null;
  /** Why there is no `videoUrl`; null if there is one. `not-entitled`: only members who are enrolled in the course may watch. `none`: no video has been uploaded. `processing`: its first video is not ready yet. `failed`: its video could not be processed, and the educator has to upload it again */
  videoUnavailable: 'not-entitled' | 'none' | 'processing' | 'failed' | null;
  quiz: LessonQuiz | null;
  /** Null if you are not enrolled, and for lessons that are not published */
  progress: {
    positionSeconds: number;
    completed: boolean;
    completedAt: DateTime | null;
  } | null;
}

export interface OutlineModule {
  id: ObjectId;
  title: string;
  /** From 1 */
  order: number;
  /** Number of published lessons */
  lessonCount: number;
  /** Total length of the published lessons, in seconds */
  duration: number;
  updatedAt: DateTime;
  lessons: OutlineLesson[];
}

export interface Overview {
  worklists: Worklist[];
  /** Optional dependencies that some process cannot reach */
  degraded: string[];
  errors: DaySeries;
  signIns: DaySeries;
  /** What the latest verification of the ledger found */
  ledger: {
    at: DateTime;
    sound: boolean;
  } | null;
  /** Connections of all processes */
  liveConnections: number;
}

export interface OwnAccessRequest {
  id: ObjectId;
  productId: ObjectId;
  userId: ObjectId;
  fullName: string;
  /** The e-mail that the member entered */
  email: string;
  chartingId: string | null;
  answers: AccessRequestAnswer[];
  status: 'pending' | 'approved' | 'denied';
  /** Number of times it was submitted */
  submissions: number;
  /** The reason for the decision, if one was given */
  reason: string | null;
  decidedAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
  productName: string;
}

export interface OwnCheckout {
  id: ObjectId;
  checkoutSessionId: string;
  /** `open` until it is paid, has failed or has expired, also if the member left the page */
  status: 'open' | 'paid' | 'expired' | 'failed';
  /** A number of Keys */
  keys: number;
  /** The price in US dollars */
  usd: number;
  /** The Keys that it bought */
  transactionId: string | null;
  createdAt: DateTime;
  expiresAt: DateTime;
  settledAt: DateTime | null;
}

export interface OwnProfile {
  id: ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs */
  emailVerified: boolean;
  /** Empty if the account was deleted */
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** Empty if the account was deleted */
  name: string;
  avatar: string | null;
  isEducator: boolean;
  bio: string | null;
  timeZone: string | null;
  locale: string | null;
  /** Until when you are muted everywhere; null if you are not. Left out of the answer to a sign-in */
  mutedUntil?: DateTime | null;
}

export interface OwnQuiz {
  lessonId: ObjectId;
  /** The percentage needed to pass */
  passingScore: number;
  questions: QuestionWithAnswers[];
  updatedAt: DateTime;
}

export interface OwnStatistics {
  totalEvents: number;
  /** In the last 7 days */
  eventsThisWeek: number;
  /** In the last 30 days */
  eventsThisMonth: number;
  mostCommonEvents: {
    eventName: string;
    count: number;
  }[];
  education: {
    coursesEnrolled: number;
    lessonsCompleted: number;
  };
  engagement: {
    posts: number;
    comments: number;
    reactions: number;
  };
  trading: {
    trades: number;
    /** Percentage of closed trades */
    winRate: number;
  };
}

/** A wallet and its owner */
export interface OwnedWallet {
  _id: ObjectId;
  userId: ObjectId;
  /** A number of Keys */
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present only if locked; empty without a reason */
  lockedReason?: string;
  createdAt: DateTime;
  updatedAt: DateTime;
  /** The owner; null if the member was deleted */
  owner: Owner | null;
}

/** A withdrawal, its owner and its payout */
export interface OwnedWithdrawal {
  _id: ObjectId;
  transactionId: string;
  userId: ObjectId;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: 'withdrawal';
  status: TransactionStatus;
  description: string;
  metadata: Metadata;
  createdAt: DateTime;
  processedAt: DateTime | null;
  /** The owner; null if the member was deleted */
  owner: Owner | null;
  /** The payment provider's name of the payout */
  providerId: string | null;
  /** Attempts to reach the payment provider about it that failed since one succeeded */
  attempts: number;
  /** Why the last attempt, or the payout, failed */
  lastError: string | null;
}

export interface Owner {
  id: ObjectId;
  name: string;
  userId: ObjectId;
  email: string;
  firstName: string;
  lastName: string;
}

export interface Pagination {
  page: number;
  limit: number;
  total: number;
  pages: number;
  /** For lists whose total stops at 10,000: `false` if there are more */
  totalIsExact?: boolean;
}

export interface Passkey {
  id: ObjectId;
  name: string;
  createdAt: DateTime;
  lastUsedAt: DateTime | null;
  transports: string[];
  /** Whether it is kept on several devices */
  backedUp: boolean;
}

/** `AuthenticationResponseJSON` of WebAuthn */
export interface PasskeyResponse {
  id: Base64Url;
  rawId: Base64Url;
  type: 'public-key';
  /** At most 4 KiB of JSON */
  clientExtensionResults?: Record<string, unknown>;
  authenticatorAttachment?: string;
  response: {
    clientDataJSON: Base64Url;
    authenticatorData: Base64Url;
    signature: Base64Url;
    userHandle?: Base64Url;
  };
}

export interface PayOutRemainingKeysBody {
  userId: ObjectId;
  /** All Keys of the wallet by default */
  amount?: number;
  reason: Reason;
}

export interface PermissionCount {
  count: number;
}

/** The 1,000 permissions that most users hold; `message` says if there are more */
export type PermissionDistribution = Record<string, number>;

export interface Permissions {
  permissions: string[];
}

export interface PermissionsBody {
  permissions: string[];
  reason?: Reason;
}

export interface Person {
  id: ObjectId;
  name: string;
  email: string;
}

export interface PictureLinks {
  /** At most 160 by 160 pixels, for avatars in lists */
  small: string;
  /** At most 480 by 480 pixels, for cards */
  medium: string;
  /** At most 1280 by 1280 pixels, for pages and banners */
  large: string;
}

export interface PlatformAccess {
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  /** Any of these grants access; where there are none, no purchase is needed */
  skus: {
    sku: string;
    /** The SKU again: the platform knows no other name */
    name: string;
    /** Days of access after the last purchase */
    days: number;
  }[];
}

export interface Post {
  id: ObjectId;
  communityId: ObjectId;
  userId: ObjectId;
  user: Member;
  content: string;
  commentCount: number;
  reactionCount: number;
  reactions: {
    like: number;
    love: number;
    celebrate: number;
    insightful: number;
  };
  /** Your reaction */
  ownReaction: 'like' | 'love' | 'celebrate' | 'insightful' | null;
  createdAt: DateTime;
  editedAt: DateTime | null;
}

export interface PostAnywhere {
  id: ObjectId;
  communityId: ObjectId;
  userId: ObjectId;
  user: Member;
  content: string;
  commentCount: number;
  reactionCount: number;
  reactions: {
    like: number;
    love: number;
    celebrate: number;
    insightful: number;
  };
  /** Your reaction */
  ownReaction: 'like' | 'love' | 'celebrate' | 'insightful' | null;
  createdAt: DateTime;
  editedAt: DateTime | null;
  communityName: string;
}

/** A member created a post in a community */
export interface PostCreatedEvent {
  id: EventId;
  type: 'post.created';
  timestamp: DateTime;
  data: {
    postId: ObjectId;
    communityId: ObjectId;
    userId: ObjectId;
  };
}

/** A post was deleted, with its comments and reactions */
export interface PostDeletedEvent {
  id: EventId;
  type: 'post.deleted';
  timestamp: DateTime;
  data: {
    postId: ObjectId;
  };
}

export interface PresignEducatorUploadBody {
  /** For display only; never part of an address */
  fileName: string;
  /** Bytes */
  fileSize: number;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/avif' | 'video/mp4';
}

export interface PresignProductImageBody {
  /** For display only; never part of an address */
  fileName: string;
  /** Bytes */
  fileSize: number;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/avif';
  reason?: Reason;
}

export interface PresignProfilePictureBody {
  /** For display only; never part of an address */
  fileName: string;
  /** Bytes */
  fileSize: number;
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/gif' | 'image/avif';
}

export interface Process {
  id: string;
  role: 'all' | 'api' | 'live' | 'worker';
  version: string;
  startedAt: DateTime;
  /** Delay of the event loop in the last seconds, 99th percentile */
  lagMs: number;
  /** Resident memory */
  memoryBytes: number;
  /** Whether it is about to stop */
  draining: boolean;
  /** Optional dependencies that it cannot reach */
  degraded: string[];
}

export interface Product {
  id: ObjectId;
  name: string;
  description: string;
  imageUrl: HttpUrl | null;
  productType: 'scanner' | 'misc';
  scannerId: ObjectId | null;
  ctaType: 'form' | 'link';
  ctaUrl: HttpUrl | null;
  requestFields: ProductQuestion[];
  isActive: boolean;
  sortOrder: number;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface ProductQuestion {
  key: string;
  label: string;
  type: 'text' | 'textarea' | 'number' | 'select' | 'multiselect' | 'checkbox';
  required: boolean;
  options?: string[];
}

export interface ProductQuestionDraft {
  /** The key of an existing question, so that it is kept when its label changes */
  key?: string;
  label: string;
  type?: 'text' | 'textarea' | 'number' | 'select' | 'multiselect' | 'checkbox';
  required?: boolean;
  options?: string[];
}

export interface Profile {
  id: ObjectId;
  email: string;
  /** Whether the member has proved that the address is theirs */
  emailVerified: boolean;
  username: string;
  firstName: string;
  lastName: string;
  customerId: string | null;
  permissions: string[];
  isActive: boolean;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface ProviderPayment {
  id: ObjectId;
  /** The payment provider's name of it */
  providerId: string | null;
  status: string;
  /** Why it, or the last attempt to ask about it, failed */
  lastError: string | null;
}

export type PublicEvent = AccessRequestDecidedEvent | AnnouncementPublishedEvent | CheckoutPaidEvent | CheckoutReversedEvent | CourseCompletedEvent | CourseEnrolledEvent | CoursePublishedEvent | EducatorFollowedEvent | ExchangeRateChangedEvent | IndicatorAccessBeganEvent | IndicatorAccessEndedEvent | LessonCompletedEvent | LessonPublishedEvent | LivestreamStartedEvent | ModerationReportedEvent | PostCreatedEvent | PostDeletedEvent | StoryPublishedEvent | TradeClosedEvent | TradeCreatedEvent | UserCreatedEvent | UserDeletedEvent | UserUpdatedEvent | VideoFailedEvent | VideoReadyEvent | WalletFundedEvent | WalletRefundedEvent | WalletTransferredEvent | WebhookTestEvent | WithdrawalPaidEvent | WithdrawalRequestedEvent | WithdrawalReturnedEvent;

export interface PublicUploadTicket {
  /** The address to send the file to by PUT, with the headers below */
  uploadUrl: string;
  fileKey: string;
  /** Seconds */
  expiresIn: number;
  instructions: {
    method: 'PUT';
    headers: Record<string, string>;
  };
  publicUrl: string;
}

export interface Purchase {
  id: ObjectId;
  sku: string;
  product_name: string;
  last_purchased_date: DateTime;
  createdAt: DateTime;
}

export interface PutLessonCaptionsBody {
  /** WebVTT */
  text: string;
  reason?: Reason;
}

export interface PutLessonCaptionsResult {
  lessonId: ObjectId;
  language: string;
}

export interface PutQuizBody {
  /** The percentage needed to pass */
  passingScore: number;
  questions: QuestionWithAnswers[];
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface QuestionWithAnswers {
  text: string;
  options: string[];
  /** Indices of the correct options, from 0 */
  correct: number[];
}

export interface QueuedAccessRequest {
  id: ObjectId;
  productId: ObjectId;
  userId: ObjectId;
  fullName: string;
  /** The e-mail that the member entered */
  email: string;
  chartingId: string | null;
  answers: AccessRequestAnswer[];
  status: 'pending' | 'approved' | 'denied';
  /** Number of times it was submitted */
  submissions: number;
  /** The reason for the decision, if one was given */
  reason: string | null;
  decidedBy: ObjectId | null;
  decidedAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
  productName: string;
  user: Member;
  /** Who decided it */
  decider: Member | null;
  /** The e-mail of the account that gets the access; it may differ from the one entered */
  accountEmail: string | null;
}

export interface QuietHours {
  from: string;
  /** Exclusive; earlier than `from` if it is on the next day */
  to: string;
  timeZone: string;
}

export interface Quiz {
  lessonId: ObjectId;
  /** The percentage needed to pass */
  passingScore: number;
  questions: {
    text: string;
    options: string[];
  }[];
  updatedAt: DateTime;
}

export interface QuizAttempt {
  /** 0 to 100 */
  score: number;
  passed: boolean;
  /** From 1 */
  attempt: number;
  /** For each question, whether it was answered correctly */
  correct: boolean[];
}

export interface RateCourseBody {
  rating: number;
  review?: string | null;
}

export interface ReactToPostBody {
  type: 'like' | 'love' | 'celebrate' | 'insightful';
}

export interface ReadAllNotificationsResult {
  count: number;
}

export interface ReadNotificationResult {
  id: string;
  read: boolean;
}

export interface ReadPosition {
  chatroomId: ObjectId;
  /** The message that was marked */
  messageId: ObjectId;
  /** Up to where you have read by now, maybe further on another device: live messages with a greater `seq` are not in `unreadCount` yet */
  seq: number;
  /** Messages of others that you have not read, among the newest 100 */
  unreadCount: number;
}

/** Why you do it, for the audit log */
export type Reason = string;

export interface ReasonBody {
  reason?: Reason;
}

export interface ReceiveActivityStatusBody {
  /** The user id; either this or `email` is required */
  userId?: string | null;
  /** The e-mail, if the user id is unknown */
  email?: string | null;
  /** A boolean; either this or `status` is required */
  active?: boolean | null;
  status?: 'active' | 'enabled' | 'inactive' | 'cancelled' | 'canceled' | 'expired' | 'suspended' | 'disabled' | null;
  /** The id of the event. A repeated event is answered again but takes effect once */
  eventId?: string | null;
  /** The time of the event; ISO 8601. Events older than one received before are ignored */
  occurredAt?: string | null;
  [name: string]: unknown;
}

export interface ReceiveIndicatorAccessBody {
  /** The customer id of the account; also as `customerId` */
  customer_id?: string | null;
  action?: 'grant' | 'revoke';
  /** Required for `grant` if no charting username is on record; also as `chartingUsername` */
  charting_username?: string | null;
  /** The id of the event. A repeated event is answered again but takes effect once */
  eventId?: string | null;
  /** The time of the event; ISO 8601. Events older than one received before are ignored */
  occurredAt?: string | null;
  [name: string]: unknown;
}

/** As Amazon SES (by SNS, or its message alone), Postmark or SendGrid send it, or `{email, kind, permanent, at}` */
export type ReceiveMailFeedbackBody = Record<string, unknown> | Record<string, unknown>[];

export interface ReceiveMailFeedbackResult {
  /** Reports about addresses in the body */
  received: number;
  /** Of these, permanent ones */
  suppressed: number;
}

/** An event from the provider */
export type ReceivePaymentWebhookBody = unknown;

export interface ReceivePaymentWebhookResult {
  received: boolean;
}

export interface RecordBackupBody {
  /** When the backup was taken */
  at: InstantText;
  /** The head of the ledger that it contains */
  head: string;
  /** Where it is kept */
  place: string;
  reason?: Reason;
}

export interface RecordPurchaseBody {
  sku: string;
  product_name: string;
  /** At most a day ahead, for clocks and days that differ */
  last_purchased_date: InstantText;
  reason?: Reason;
}

export interface RecordedPurchase {
  id: ObjectId;
  sku: string;
  product_name: string;
  last_purchased_date: DateTime;
  createdAt: DateTime;
  /** Why the purchase has no effect; null if it opens a platform */
  warning: string | null;
}

/** A transaction with both sides */
export interface RecordedTransaction {
  _id: ObjectId;
  transactionId: string;
  fromUserId: ObjectId | null;
  toUserId: ObjectId | null;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: TransactionType;
  status: TransactionStatus;
  description: string;
  metadata: Metadata;
  /** The wallet that lost the Keys; null if the platform issued or returned them */
  from: TransactionSide | null;
  /** The wallet that got the Keys; null if they went to the platform, or are held for a payout */
  to: TransactionSide | null;
  /** Of Keys that were bought */
  checkout: ProviderPayment | null;
  /** Of a withdrawal, and of the return of its Keys */
  payout: ProviderPayment | null;
  createdAt: DateTime;
  processedAt: DateTime | null;
}

export interface RecoveryCodes {
  /** Each can be used once wherever a code is accepted; shown only in this response */
  recoveryCodes: string[];
}

export interface RedeemSsoTokenBody {
  token: string;
}

export interface RefreshTokenBody {
  refreshToken: string;
}

export interface RegisterDeviceBody {
  /** The token that the push service assigned to the device */
  token?: string;
  /** The output of `JSON.stringify(subscription)` in a browser; for `web`, in place of `token` */
  subscription?: {
    endpoint: string;
    keys: {
      /** P-256 public key, base64url */
      p256dh: string;
      /** 16 bytes, base64url */
      auth: string;
    };
  };
  platform: 'ios' | 'android' | 'web';
  name?: string;
  /** What the app calls the device, such as the `deviceId` of the sign-in. A new token of the device replaces the one before */
  deviceId?: string;
}

export interface RemoveChatroomMemberResult {
  chatroomId: ObjectId;
  userId: ObjectId;
}

export type RemoveEventNameResult = null;

export interface RemoveFactorsOfUserResult {
  factorsRemoved: number;
}

export type RemovePasskeyResult = null;

export interface RenamePasskeyBody {
  name: string;
}

export interface ReplacePermissionsBody {
  permissions: string[];
  /** The permissions that you saw, in any order: 409 if others have changed them since */
  expected?: string[];
  reason?: Reason;
}

export interface ReplayDeliveriesBody {
  delivery?: {
    notificationId: ObjectId;
    channel: NotificationChannel;
  };
  reason?: Reason;
}

export interface ReplayDeliveriesResult {
  count: number;
}

export interface ReplayWebhooksBody {
  fromSequence?: number;
  since?: InstantText;
  /** By default now */
  until?: InstantText;
  reason?: Reason;
}

export interface Report {
  id: ObjectId;
  kind: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
  subjectId: ObjectId;
  containerId: ObjectId | null;
  authorId: ObjectId;
  author: Member;
  /** The text at the time of the report */
  text: string;
  /** What it said before it was edited, oldest first, as far as that is kept; in lists the beginnings, in the context of the report all of it */
  earlierTexts: {
    text: string;
    until: DateTime;
  }[];
  /** Null in reports of what you published */
  reportedBy: ObjectId | null;
  reporter: Member | null;
  reason: string;
  status: 'open' | 'dismissed' | 'removed';
  createdAt: DateTime;
  resolvedAt: DateTime | null;
  resolvedBy: ObjectId | null;
  /** Who resolved it */
  resolver: Member | null;
  /** What the moderator wrote about it */
  note: string | null;
}

export interface ReportBody {
  kind: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
  subjectId: ObjectId;
  reason: string;
}

export interface ReportChatMessageBody {
  reason: string;
}

export interface ReportContext {
  /** What it stands in: a chatroom, community, post or announcement; null if that is gone */
  place: {
    kind: string;
    id: ObjectId;
    /** Its name or title; of a post that of its community */
    name: string;
    /** Its text or description */
    text: string;
    /** The type of a chatroom */
    type: string | null;
    author: Member;
  } | null;
  /** The item, whose `id` is `subjectId`, unless it is gone, and up to 10 before and after it, oldest first */
  entries: {
    id: ObjectId;
    userId: ObjectId;
    user: Member;
    /** Null once it is deleted */
    text: string | null;
    createdAt: DateTime;
    editedAt: DateTime | null;
    deletedAt: DateTime | null;
  }[];
  /** What it said before it was edited, oldest first, as far as that is kept; in lists the beginnings, in the context of the report all of it */
  earlierTexts: {
    text: string;
    until: DateTime;
  }[];
}

export interface ReportOfUser {
  id: ObjectId;
  kind: string;
  subjectId: ObjectId;
  author: Person | null;
  /** The text at the time of the report */
  text: string;
  /** Null in reports of what you published */
  reporter: Person | null;
  reason: string;
  status: 'open' | 'dismissed' | 'removed';
  createdAt: DateTime;
  resolvedAt: DateTime | null;
}

export interface ReportedItem {
  id: ObjectId;
  kind: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
  subjectId: ObjectId;
  containerId: ObjectId | null;
  authorId: ObjectId;
  author: Member;
  /** The text at the time of the report */
  text: string;
  /** What it said before it was edited, oldest first, as far as that is kept; in lists the beginnings, in the context of the report all of it */
  earlierTexts: {
    text: string;
    until: DateTime;
  }[];
  /** Null in reports of what you published */
  reportedBy: ObjectId | null;
  reporter: Member | null;
  reason: string;
  status: 'open' | 'dismissed' | 'removed';
  createdAt: DateTime;
  resolvedAt: DateTime | null;
  resolvedBy: ObjectId | null;
  /** Who resolved it */
  resolver: Member | null;
  /** What the moderator wrote about it */
  note: string | null;
  /** How many reports of the item have this status, counted up to 1,000 */
  reportCount: number;
  /** Its reports of this status before the newest one, newest first; at most 9 */
  earlier: {
    id: ObjectId;
    /** Null in reports of what you published */
    reportedBy: ObjectId | null;
    reporter: Member | null;
    reason: string;
    /** The text at the time of this report; null if the newest one has the same */
    text: string | null;
    createdAt: DateTime;
  }[];
}

export interface RequestLessonUploadBody {
  /** For display only; never part of an address */
  fileName: string;
  /** Bytes */
  fileSize: number;
  contentType: 'video/mp4' | 'video/quicktime' | 'video/webm' | 'video/x-matroska';
}

export type ResendVerificationResult = Record<string, never>;

export interface ResetPasswordBody {
  email: string;
  /** The six-digit code from the mail */
  code: string;
  newPassword: string;
}

export interface ResolveChatReportBody {
  outcome: 'dismissed' | 'removed';
  reason?: Reason;
}

export interface ResolveIndicatorAccessBody {
  note?: string;
  reason?: Reason;
}

export interface ResolveReportBody {
  outcome: 'dismissed' | 'removed';
  /** For other moderators */
  note?: string;
  reason?: Reason;
}

export interface ResolveReportsBody {
  /** At most 100 */
  ids: ObjectId[];
  outcome: 'dismissed' | 'removed';
  /** For other moderators */
  note?: string;
  reason?: Reason;
}

export interface ResolvedReport {
  id: ObjectId;
  status: 'open' | 'dismissed' | 'removed' | null;
  /** The code of the failure; null if it was done */
  error: string | null;
  /** The failure in words */
  message: string | null;
}

export interface RetriedIndicatorAccess {
  id: ObjectId;
  status: IndicatorAccessStatus | null;
  /** The code of the failure; null if it was done */
  error: string | null;
  /** The failure in words */
  message: string | null;
}

export interface RetriedJob {
  id: Uuid;
  retried: boolean;
  /** The code of the failure; null if it was done */
  error: string | null;
  /** The failure in words */
  message: string | null;
}

export interface RetryAllIndicatorAccessBody {
  /** At most 100 */
  ids: ObjectId[];
  reason?: Reason;
}

export interface RetryDeadJobsBody {
  /** At most 100 */
  ids: Uuid[];
  reason?: Reason;
}

export interface ReversalResult {
  transaction: TransactionRecord;
  reversedTransactionId: string;
  /** Keys that the wallet no longer had */
  short: number;
}

export interface ReverseTransactionBody {
  /** Whether to take what there is, if the wallet has fewer Keys */
  allowPartial?: boolean;
  reason: Reason;
}

export interface RollApiKeyBody {
  /** How long the old key stays valid; 24 by default, 0 ends it at once */
  overlapHours?: number;
  reason?: Reason;
}

export interface RolledApiKey {
  id: ObjectId;
  name: string;
  /** Rate-limit tier */
  tier: 'mobile' | 'live_platform' | 'crm' | 'third_party' | 'admin';
  environment: 'development' | 'production';
  /** The key. It is shown only in this response */
  key: string;
  createdAt: DateTime;
  /** The key that was rolled */
  replaces: ObjectId;
  /** When that key stops being valid */
  previousExpiresAt: DateTime;
}

export interface RotatedWebhookSecret {
  /** The secret that signs deliveries, shown only in this response: `whsec_` and base64 */
  secret: string;
  /** Until then both secrets sign */
  previousSecretExpiresAt: DateTime;
}

export interface RunJobQueueResult {
  queue: string;
}

export interface Schedule {
  source: 'upstream' | 'mirror';
  /** Whether the data comes from the local mirror because the upstream is unavailable */
  degraded: boolean;
  from: DateTime;
  to: DateTime;
  /** An IANA time zone */
  timezone: string;
  sessions: ScheduledSession[];
}

export interface ScheduleSync {
  dryRun: boolean;
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
}

export interface ScheduledSession {
  id: string;
  title: string;
  description: string;
  educatorId: ObjectId;
  educatorName: string;
  startsAt: DateTime;
  endsAt: DateTime;
}

export interface SearchFindings {
  results: SearchResult[];
  /** At most 1,000 */
  totalResults: number;
  /** The query that was used instead, if a word had a typing mistake */
  corrected: string | null;
}

export interface SearchResult {
  type: 'announcement' | 'certificate' | 'chatroom' | 'course' | 'educator' | 'indicator' | 'lesson' | 'post' | 'trade' | 'user';
  id: ObjectId;
  title: string;
  /** HTML: escaped text, with matches in `<mark>` */
  excerpt: string;
  /** A path within the client */
  url: string;
  score: number;
  createdAt: DateTime;
}

export interface SeenMember {
  id: ObjectId;
  /** Empty if the account was deleted */
  name: string;
  /** Empty if the account was deleted */
  username: string;
  avatar: string | null;
  isEducator: boolean;
  /** Until when they are muted everywhere; null if they are not. Only administrators and moderators are told */
  mutedUntil?: DateTime | null;
}

export interface SendBulkNotificationBody {
  userIds: ObjectId[];
  notification: {
    type: NotificationType;
    title: string;
    message: string;
    priority?: 'critical' | 'high' | 'medium' | 'low';
    /** Defaults to the channels of the type; a `critical` notification goes out on all of them */
    channels?: NotificationChannel[];
    metadata?: MessageMetadata;
  };
  reason?: Reason;
}

export interface SendChatMessageBody {
  message: string;
  /** An id that you choose. A message sent again with the same id is stored once */
  clientMessageId?: string;
}

export interface SendNotificationBody {
  userId: ObjectId;
  type: NotificationType;
  title: string;
  message: string;
  priority?: 'critical' | 'high' | 'medium' | 'low';
  /** Defaults to the channels of the type; a `critical` notification goes out on all of them */
  channels?: NotificationChannel[];
  metadata?: MessageMetadata;
  reason?: Reason;
}

export interface SentChatReport {
  id: ObjectId;
  messageId: ObjectId;
  chatroomId: ObjectId;
  /** Null in reports of your own messages */
  reportedBy: ObjectId | null;
  reason: string;
  status: 'open' | 'dismissed' | 'removed';
  /** What was said; null if you cannot read it, or no longer */
  message: string | null;
  messageUserId: ObjectId;
  createdAt: DateTime;
  resolvedAt: DateTime | null;
  resolvedBy: ObjectId | null;
}

export interface SentNotification {
  notification: {
    id: ObjectId;
    userId: ObjectId;
  };
  deliveries: {
    channel: NotificationChannel;
    /** `batched`: waits for the hourly digest. `muted`: turned off by the member. `unavailable`: the channel is not available yet, or the member has no address on it. `read`: read in the app before it could be sent. `suppressed`: the address refuses our mail */
    status: 'pending' | 'batched' | 'sent' | 'failed' | 'muted' | 'unavailable' | 'read' | 'suppressed';
  }[];
}

export interface SentReport {
  id: ObjectId;
  kind: 'announcement' | 'chatroom' | 'comment' | 'community' | 'livestream' | 'message' | 'post' | 'post_comment' | 'profile' | 'review' | 'story' | 'trade';
  subjectId: ObjectId;
  status: 'open' | 'dismissed' | 'removed';
  createdAt: DateTime;
}

export interface Session {
  id: ObjectId;
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  device: string;
  deviceId: string | null;
  userAgent: string;
  address: string;
  createdAt: DateTime;
  /** With what it was opened; `sso` is single sign-on */
  method: 'password' | 'passkey' | 'sso';
  lastUsedAt: DateTime;
  /** When it last got an access token */
  lastSeenAt: DateTime;
  /** Until when it needs no further step-up; null if it has not stepped up */
  elevatedUntil: DateTime | null;
  /** Whether it is the session of this request */
  isCurrent: boolean;
}

export interface SessionsEnded {
  sessionsEnded: number;
}

export interface SetChartingUsernameBody {
  /** The username at the charting platform. Surrounding spaces and a leading @ are removed */
  chartingUsername: string;
}

export interface SetChartingUsernameResult {
  chartingUsername: string;
  /** Number of grants that move to the new username */
  moved: number;
  /** Whether the charting platform confirmed the username */
  checked: boolean;
}

export interface SetChatroomNotificationsBody {
  /** Whether you are notified; by default you are */
  enabled: boolean;
}

export interface SetExchangeRateBody {
  /** At most 10 decimals */
  rate: number;
  /** A currency code of ISO 4217 */
  currency?: string;
  notes?: string;
  reason?: Reason;
}

export interface SetPreferencesBody {
  preferences: {
    email?: ChannelPreferencesDraft;
    push?: ChannelPreferencesDraft;
    sms?: ChannelPreferencesDraft;
    /** E-mails and pushes wait for their end; null if there are none */
    quietHours?: QuietHours | null;
  };
}

export interface SettleWithdrawalBody {
  outcome: 'completed' | 'failed' | 'cancelled';
  reason?: string;
}

export type ShowEmailVerificationResult = Record<string, never>;

export type ShowNewSignInResult = Record<string, never>;

export interface ShownSetting {
  /** The environment variable */
  name: string;
  /** Null if it is not set; secrets are masked */
  value: string | null;
}

export interface SignInBody {
  email: string;
  password: string;
  /** A code of the authenticator app, or a recovery code in any case, with or without hyphens */
  mfaCode?: string;
  /** Where the member signs in */
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  /** Distinguishes this device from other devices of the member */
  device?: string;
  deviceId?: string;
}

export interface SignInByPasskeyBody {
  response: PasskeyResponse;
  /** Where the member signs in */
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  /** Distinguishes this device from other devices of the member */
  device?: string;
  deviceId?: string;
}

export interface SignInSsoBody {
  userId?: ObjectId;
  customerId?: string;
  /** Issued by the backoffice, or by an active session of this platform where the platform itself is the customer directory */
  accessToken: string;
  refreshToken: string;
  /** Where the member signs in */
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  /** Distinguishes this device from other devices of the member */
  device?: string;
  deviceId?: string;
}

export interface SignOutBody {
  platform?: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  device?: string;
}

export interface SignUpBody {
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  /** Where the member signs in */
  platform: 'app' | 'livestream' | 'scanners' | 'web' | 'backoffice';
  /** Distinguishes this device from other devices of the member */
  device?: string;
  deviceId?: string;
}

export interface SignedIn {
  /** A JWT, valid for 15 minutes */
  accessToken: string;
  /** Valid for 30 days and a single use */
  refreshToken: string;
  user: OwnProfile;
}

/** Replaced as a whole */
export interface Socials {
  website?: HttpUrl;
  twitter?: HttpUrl;
  youtube?: HttpUrl;
  linkedin?: HttpUrl;
  instagram?: HttpUrl;
  [name: string]: unknown;
}

export interface SsoRedeemed {
  /** A JWT, valid for 15 minutes */
  accessToken: string;
  /** Valid for 30 days and a single use */
  refreshToken: string;
  userId: ObjectId;
  sessionId: ObjectId;
  user: {
    id: ObjectId;
    email: string;
    firstName: string;
    lastName: string;
  };
}

export interface SsoSignedIn {
  /** A JWT, valid for 15 minutes */
  accessToken: string;
  /** Valid for 30 days and a single use */
  refreshToken: string;
  user: OwnProfile;
  /** For `livestream` only: the address to open next */
  redirectUrl?: string;
}

export interface StartWatchSessionBody {
  contentType: 'livestream' | 'meeting' | 'lesson' | 'video' | 'story';
  contentId: ObjectId;
  educatorId?: ObjectId | null;
  platform: 'ios' | 'android' | 'web';
}

export interface StartedWatchSession {
  id: ObjectId;
  startedAt: DateTime;
}

export interface Statement {
  userId: ObjectId;
  startDate: DateTime | null;
  endDate: DateTime | null;
  currency: 'Keys';
  /** A number of Keys */
  openingBalance: number;
  /** A number of Keys */
  closingBalance: number;
  entryCount: number;
  entries: {
    /** The sequence number of the entry in the wallet */
    seq: number;
    at: DateTime;
    transactionId: string;
    type: TransactionType;
    status: TransactionStatus;
    fromUserId: ObjectId | null;
    toUserId: ObjectId | null;
    description: string;
    /** Negative for outgoing Keys */
    change: number;
    /** A number of Keys */
    balanceAfter: number;
  }[];
}

export interface StepUpBody {
  /** Of members without a second factor */
  password?: string;
  /** A code of the authenticator app, or a recovery code in any case, with or without hyphens */
  mfaCode?: string;
  passkey?: PasskeyResponse;
}

export interface StepUpResult {
  until: DateTime;
}

export interface Story {
  id: ObjectId;
  educatorId: ObjectId;
  educator: Member;
  mediaType: 'image' | 'video';
  mediaUrl: HttpUrl;
  thumbnailUrl: HttpUrl | null;
  /** Seconds */
  duration: number;
  /** Number of distinct viewers, without the educator */
  viewCount: number;
  /** Whether you have viewed it */
  viewed: boolean;
  expiresAt: DateTime;
  createdAt: DateTime;
}

export interface StoryGroup {
  educator: {
    id: ObjectId;
    /** Empty if the account was deleted */
    name: string;
    /** Empty if the account was deleted */
    username: string;
    avatar: string | null;
    isEducator: boolean;
    firstName: string;
    lastName: string;
    /** The same as `avatar` */
    profileImage: string | null;
  };
  stories: Story[];
  hasUnviewed: boolean;
}

/** An educator published a story */
export interface StoryPublishedEvent {
  id: EventId;
  type: 'story.published';
  timestamp: DateTime;
  data: {
    educatorId: ObjectId;
    storyId: ObjectId;
    /** `image` or `video` */
    mediaType: string;
  };
}

export interface StoryViewer {
  userId: ObjectId;
  user: Member;
  viewedAt: DateTime;
}

export interface SubmitAccessRequestBody {
  productId: ObjectId;
  fullName: string;
  email: string;
  /** The username at the charting platform; required for scanner products */
  chartingId?: string;
  /** Answers to the questions of the product, by question key */
  answers?: Record<string, unknown>;
}

export interface SubmittedAccessRequest {
  id: ObjectId;
  productId: ObjectId;
  userId: ObjectId;
  fullName: string;
  /** The e-mail that the member entered */
  email: string;
  chartingId: string | null;
  answers: AccessRequestAnswer[];
  status: 'pending' | 'approved' | 'denied';
  /** Number of times it was submitted */
  submissions: number;
  /** The reason for the decision, if one was given */
  reason: string | null;
  decidedAt: DateTime | null;
  createdAt: DateTime;
  updatedAt: DateTime;
}

export interface SubscribeToAllEducatorsResult {
  /** Educators */
  count: number;
}

export interface SubscribeToEducatorResult {
  educatorId: ObjectId;
  subscribed: boolean;
}

export interface SubscribedTopics {
  topics: NotificationTopic[];
}

export interface SumOfType {
  count: number;
  /** Keys; negative when more went out than came in */
  amount: number;
}

export interface TestNotificationBody {
  channel: NotificationChannel;
  /** Yourself by default */
  userId?: ObjectId;
  type: NotificationType;
  reason?: Reason;
}

export interface TestPushResult {
  /** Devices */
  reached: number;
}

export interface Tip {
  transactionId: string;
  /** Keys */
  amount: number;
  educatorId: ObjectId;
  message: string;
  createdAt: DateTime;
}

export interface TipEducatorBody {
  /** Keys, a positive whole number */
  amount: number;
  message?: string;
}

export interface TipTotals {
  tips: number;
  keys: number;
}

export interface TokenPair {
  /** A JWT, valid for 15 minutes */
  accessToken: string;
  /** Valid for 30 days and a single use */
  refreshToken: string;
}

export interface TopicsBody {
  topics: NotificationTopic[];
}

export interface TrackEventResult {
  /** 1, or 0 if the event was sent before */
  accepted: number;
}

export interface TrackEventsBody {
  events: EventDraft[];
}

export interface TrackEventsResult {
  accepted: number;
  /** Events that were sent before */
  duplicates: number;
}

export interface Trade {
  id: ObjectId;
  userId: ObjectId;
  user: Member;
  symbol: string;
  direction: 'long' | 'short';
  entryPrice: number;
  stopLoss: number | null;
  takeProfit: number | null;
  note: string;
  status: 'open' | 'won' | 'lost' | 'even';
  exitPrice: number | null;
  createdAt: DateTime;
  /** When it was last changed or closed */
  updatedAt: DateTime;
  closedAt: DateTime | null;
}

/** A trade idea was closed */
export interface TradeClosedEvent {
  id: EventId;
  type: 'trade.closed';
  timestamp: DateTime;
  data: {
    tradeId: ObjectId;
    userId: ObjectId;
    /** `won`, `lost` or `even` */
    outcome: string;
  };
}

/** A member published a trade idea */
export interface TradeCreatedEvent {
  id: EventId;
  type: 'trade.created';
  timestamp: DateTime;
  data: {
    tradeId: ObjectId;
    userId: ObjectId;
    /** What is traded */
    symbol: string;
    /** `long` or `short` */
    direction: string;
  };
}

export interface Transaction {
  transactionId: string;
  fromUserId: ObjectId | null;
  toUserId: ObjectId | null;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: TransactionType;
  status: TransactionStatus;
  description: string;
  metadata: Metadata;
  fee: number;
  /** Keys after fees */
  netAmount: number;
  /** Only for your own side; null for the other */
  fromBalanceBefore: number | null;
  /** Only for your own side; null for the other */
  fromBalanceAfter: number | null;
  /** Only for your own side; null for the other */
  toBalanceBefore: number | null;
  /** Only for your own side; null for the other */
  toBalanceAfter: number | null;
  createdAt: DateTime;
  processedAt: DateTime | null;
}

export interface TransactionRecord {
  _id: ObjectId;
  transactionId: string;
  fromUserId: ObjectId | null;
  toUserId: ObjectId | null;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: TransactionType;
  status: TransactionStatus;
  description: string;
  metadata: Metadata;
  fee: number;
  /** Keys after fees */
  netAmount: number;
  /** Null where the side is no member */
  fromBalanceBefore: number | null;
  /** Null where the side is no member */
  fromBalanceAfter: number | null;
  /** Null where the side is no member */
  toBalanceBefore: number | null;
  /** Null where the side is no member */
  toBalanceAfter: number | null;
  createdAt: DateTime;
  processedAt: DateTime | null;
}

export interface TransactionSide {
  /** The owner; null if the member was deleted */
  owner: Owner | null;
  userId: ObjectId;
  /** A number of Keys */
  balanceBefore: number;
  /** A number of Keys */
  balanceAfter: number;
}

export interface TransactionStatistics {
  /** A number of Keys */
  totalIn: number;
  /** A number of Keys */
  totalOut: number;
  /** Incoming minus outgoing Keys; over all time, the balance */
  netBalance: number;
  totalTransactions: number;
  byType: {
    fund: SumOfType;
    transfer: SumOfType;
    withdrawal: SumOfType;
    refund?: SumOfType;
  };
}

export type TransactionStatus = 'pending' | 'completed' | 'failed' | 'cancelled';

export type TransactionType = 'fund' | 'transfer' | 'withdrawal' | 'refund';

export interface TransferKeysBody {
  toUserId: ObjectId;
  /** Keys, a positive whole number */
  amount: number;
  description?: string;
  /** Arbitrary key-value pairs, at most 16 KiB of JSON. Keys that the platform sets itself are rejected */
  metadata?: {
    /** Whether the transfer is a gift */
    gift?: boolean;
    /** Where the gift was made */
    surface?: 'livestream' | 'educator' | 'meeting';
    [name: string]: unknown;
  };
}

export interface TransferResult {
  fromWallet: {
    userId: ObjectId;
    /** A number of Keys */
    balance: number;
  };
  toWallet: {
    userId: ObjectId;
    /** A number of Keys */
    balance: number;
  };
  transaction: {
    transactionId: string;
    type: TransactionType;
    /** A number of Keys */
    amount: number;
    status: TransactionStatus;
  };
}

export interface TroubledVideo {
  id: ObjectId;
  status: 'failed' | 'processing';
  progress: number;
  /** How often a worker has begun */
  attempts: number;
  error: {
    code: string;
    message: string;
  } | null;
  /** Null if another attempt cannot help, or the uploaded file has been removed */
  retryableUntil: DateTime | null;
  /** Null if it is being deleted */
  lesson: {
    id: ObjectId;
    title: string;
    courseId: ObjectId;
    courseTitle: string;
  } | null;
  educator: NamedMember;
  createdAt: DateTime;
}

export interface UnbanChatMemberResult {
  chatroomId: ObjectId;
  userId: ObjectId;
  banned: boolean;
}

export interface UnbanCommunityMemberResult {
  communityId: ObjectId;
  userId: ObjectId;
  banned: boolean;
}

export interface UnblockMemberResult {
  userId: ObjectId;
  blocked: boolean;
}

export interface Unfollowed {
  educatorId: ObjectId;
  isFollowing: boolean;
}

export interface UnmuteChatMemberResult {
  chatroomId: ObjectId;
  userId: ObjectId;
  mutedUntil: DateTime | null;
}

export interface UnmuteUserResult {
  userId: ObjectId;
  mutedUntil: DateTime | null;
  /** Until when they would have been muted; null if they were not */
  wasMutedUntil: DateTime | null;
}

export interface UnreadMessages {
  /** The sum of their `unreadCount`, of which each is at most 100; counting ends at 1000 */
  count: number;
  /** In how many chatrooms you have unread messages */
  chatrooms: number;
}

export interface UnregisterDeviceBody {
  /** The token that the push service assigned to the device */
  token: string;
}

export interface UnregisterDeviceResult {
  /** The token that the push service assigned to the device */
  token: string;
}

export type UnsubscribeByLinkResult = Record<string, never>;

export interface UnsubscribeByMailBody {
  'List-Unsubscribe'?: string;
}

export interface UnsubscribeByMailResult {
  email: boolean;
}

export interface UnsubscribeFromEducatorResult {
  educatorId: ObjectId;
  subscribed: boolean;
}

export interface UpdateAnnouncementBody {
  title?: string;
  content?: string;
  category?: string;
  priority?: 'low' | 'normal' | 'high' | 'urgent';
  pinned?: boolean;
  tags?: string[];
  multimedia?: Multimedia[];
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateAnnouncementCommentBody {
  content: string;
  reason?: Reason;
}

export interface UpdateApiKeyBody {
  /** On one line, without control characters; blanks at its ends are left out */
  name: string;
  reason?: Reason;
}

export interface UpdateChatroomBody {
  name?: string;
  description?: string;
  /** Rules of the chatroom, for its members */
  rules?: string[];
  /** `public`: all members can read it, and join by sending a message. `private` and `group`: only members who were added */
  type?: 'public' | 'private' | 'group';
  /** Minimum seconds between two messages of a member; 0 for no minimum */
  slowModeSeconds?: number;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateCommentBody {
  content: string;
  reason?: Reason;
}

export interface UpdateCommunityBody {
  name?: string;
  description?: string;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateCourseBody {
  title?: string;
  description?: string;
  category?: string;
  level?: 'beginner' | 'intermediate' | 'advanced';
  /** A whole number of Keys, or an amount of the currency with at most two decimals */
  price?: number;
  /** `Keys`, or an ISO 4217 code. The price is converted at its current rate when a member enrols */
  currency?: string;
  thumbnail?: HttpUrl | null;
  trailerUrl?: HttpUrl | null;
  requirements?: string[];
  learningOutcomes?: string[];
  tags?: string[];
  syllabus?: string[];
  status?: 'draft' | 'published' | 'archived';
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateCourseModuleBody {
  title?: string;
  /** The position among its siblings, from 1; last by default */
  order?: number;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateEducatorProfileBody {
  educator_title?: string;
  /** At most 2000 characters */
  educator_bio?: string;
  banner_image?: HttpUrl | null;
  profileImage?: HttpUrl | null;
  specialty?: string;
  skills?: string[];
  socials?: Socials;
  firstName?: string;
  lastName?: string;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateErrorBody {
  /** At first `critical` for server errors (5xx), `medium` for rejected requests; administrators assign `high`, or another */
  severity: 'critical' | 'high' | 'medium' | 'low';
  reason?: Reason;
}

export interface UpdateIndicatorBody {
  name?: string;
  description?: string;
  /** The script at the charting platform. An indicator without one is never granted automatically */
  pineId?: string | null;
  chartingUrl?: string | null;
  isActive?: boolean;
  sortOrder?: number;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateLessonBody {
  moduleId?: ObjectId;
  title?: string;
  description?: string;
  /** The position among its siblings, from 1; last by default */
  order?: number;
  /** Length in seconds; that of the video once there is one */
  duration?: number;
  thumbnailUrl?: HttpUrl | null;
  downloadUrl?: HttpUrl | null;
  resources?: LessonResource[];
  /** Whether members who are not enrolled can open it */
  preview?: boolean;
  status?: 'draft' | 'published';
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateLessonProgressBody {
  /** Where a video has an end, nothing beyond it is stored */
  positionSeconds: number;
  completed?: boolean;
  /** When you were at this position; now by default. A position that is older than the stored one is ignored, but not `completed` */
  at?: string;
}

export interface UpdateLivestreamBody {
  title?: string;
  description?: string;
  hostId?: ObjectId;
  scheduledStart?: InstantText;
  scheduledEnd?: InstantText;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdatePostBody {
  content: string;
  reason?: Reason;
}

export interface UpdateProductBody {
  name?: string;
  productType?: 'scanner' | 'misc';
  description?: string;
  imageUrl?: HttpUrl | null;
  scannerId?: ObjectId | null;
  ctaType?: 'form' | 'link';
  ctaUrl?: HttpUrl | null;
  /** Replaces all questions. If left out, the questions are kept */
  requestFields?: ProductQuestionDraft[];
  isActive?: boolean;
  sortOrder?: number;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateProfileBody {
  firstName?: string;
  lastName?: string;
  /** Lower-case letters, digits, dots, hyphens and underscores */
  username?: string;
  bio?: string | null;
  /** The picture, the same as that of an educator profile */
  avatar?: HttpUrl | null;
  /** An IANA time zone */
  timeZone?: string | null;
  /** A BCP 47 language tag, in any case; answers have its canonical form */
  locale?: string | null;
}

export interface UpdateTradeBody {
  stopLoss?: number | null;
  takeProfit?: number | null;
  note?: string;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateUserBody {
  email?: string;
  /** Lower-case letters, digits, dots, hyphens and underscores */
  username?: string;
  firstName?: string;
  lastName?: string;
  customerId?: string | null;
  isActive?: boolean;
  educator_title?: string;
  educator_bio?: string;
  banner_image?: HttpUrl | null;
  profileImage?: HttpUrl | null;
  rankBadgeUrl?: HttpUrl | null;
  specialty?: string;
  skills?: string[];
  socials?: Socials;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UpdateWebhookEndpointBody {
  /** An https address of a public host, without credentials and fragment; in development also http, and the loopback */
  url?: string;
  /** Types of event; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
  types?: string[];
  /** For operators */
  description?: string;
  /** Whether events are sent to it; events of the time in which it is disabled are sent later */
  enabled?: boolean;
  /** Whether each delivery waits until the one before it succeeded or failed for good */
  ordered?: boolean;
  expectedUpdatedAt?: ExpectedUpdatedAt;
  reason?: Reason;
}

export interface UploadTicket {
  /** The address to send the file to by PUT, with the headers below */
  uploadUrl: string;
  fileKey: string;
  /** Seconds */
  expiresIn: number;
  instructions: {
    method: 'PUT';
    headers: Record<string, string>;
  };
}

export interface UsedApiKey {
  id: ObjectId;
  name: string;
  /** Rate-limit tier */
  tier: 'mobile' | 'live_platform' | 'crm' | 'third_party' | 'admin';
  environment: 'development' | 'production';
  createdAt: DateTime;
  revokedAt: DateTime | null;
  /** When a key that was rolled stops being valid */
  expiresAt: DateTime | null;
  /** The key that it was rolled to */
  replacedBy: ObjectId | null;
  /** Up to five seconds late */
  lastUsedAt: DateTime | null;
  /** Requests of this day (UTC) */
  requestsToday: number;
  /** Of these, how many were refused because a limit was exceeded */
  rejectedToday: number;
}

/** An account was created, by its owner or by an administrator */
export interface UserCreatedEvent {
  id: EventId;
  type: 'user.created';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
  };
}

/** An account was deleted. Erase what you know of the person */
export interface UserDeletedEvent {
  id: EventId;
  type: 'user.deleted';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
  };
}

export interface UserOverview {
  /** At most 10, newest first */
  lastErrors: ErrorSummary[];
  user: Account;
  /** Null while the customer directory is unavailable */
  access: AccessVerdict[] | null;
  /** From where sign-ins by password are refused now after too many failures (429 TOO_MANY_ATTEMPTS) */
  throttledSignIns: {
    /** The network from which they come */
    address: string;
    /** When the first was refused */
    since: DateTime;
    /** When one is tried again */
    until: DateTime;
  }[];
  /** The active sessions, at most the 20 newest */
  sessions: Session[];
  factors: {
    /** With what the user proves who they are */
    kind: 'password' | 'totp' | 'passkey';
    /** Null if another system keeps it */
    since: DateTime | null;
  }[];
  /** Of what the user published, and by the user; at most 20 each, newest first */
  reports: {
    against: ReportOfUser[];
    by: ReportOfUser[];
    /** How many there are, shown or not */
    totals: {
      against: {
        /** Counted up to 10,000 */
        total: number;
        /** False if there are more than were counted */
        totalIsExact: boolean;
      };
      by: {
        /** Counted up to 10,000 */
        total: number;
        /** False if there are more than were counted */
        totalIsExact: boolean;
      };
    };
  };
  /** Of a user who is muted everywhere */
  mute: {
    /** When it ends by itself */
    until: DateTime;
  } | null;
  /** Null if the user has none */
  wallet: InspectedWallet | null;
  devices: {
    id: ObjectId;
    platform: 'ios' | 'android' | 'web';
    name: string | null;
    deviceId: string | null;
    createdAt: DateTime;
    lastSeenAt: DateTime;
  }[];
  /** At most 100 of each */
  rooms: {
    muted: {
      roomId: ObjectId;
      name: string;
      until: DateTime;
    }[];
    banned: {
      roomId: ObjectId;
      name: string;
      since: DateTime;
    }[];
  };
  grants: IndicatorAccess[];
  /** At most 20, the last changed first */
  requests: {
    id: ObjectId;
    productId: ObjectId;
    userId: ObjectId;
    fullName: string;
    /** The e-mail that the member entered */
    email: string;
    chartingId: string | null;
    answers: AccessRequestAnswer[];
    status: 'pending' | 'approved' | 'denied';
    /** Number of times it was submitted */
    submissions: number;
    /** The reason for the decision, if one was given */
    reason: string | null;
    decidedBy: ObjectId | null;
    decidedAt: DateTime | null;
    createdAt: DateTime;
    updatedAt: DateTime;
    productName: string;
  }[];
}

export interface UserPermissions {
  userId: ObjectId;
  permissions: string[];
}

/** An account was changed: its profile, its permissions, or whether it is active */
export interface UserUpdatedEvent {
  id: EventId;
  type: 'user.updated';
  timestamp: DateTime;
  data: {
    userId: ObjectId;
    /** All permissions that it has now */
    permissions: string[];
    /** Whether its owner may sign in */
    isActive: boolean;
  };
}

export type Uuid = string;

export interface ValidateFundingKeyBody {
  /** The funding key */
  password: string;
}

export interface ValidateFundingKeyResult {
  valid: boolean;
}

export interface ValidateResetCodeBody {
  email: string;
  /** The six-digit code from the mail */
  code: string;
}

export interface VerifiedEmail {
  emailVerified: boolean;
  /** With `access: end`: true if the sessions, the password and the factors of whoever signed up have ended, now or by the same link before: the owner of the address sets a password by a reset. false, and nothing has ended, once the address was proved by the code or a reset, and of accounts that administrators made */
  accessEnded?: boolean;
}

export interface VerifyEmailBody {
  /** The code of the mail */
  code?: string;
  /** The token of the link in the mail; needs no bearer token */
  token?: string;
  /** `end`, with a `token`, if the owner of the address did not sign up: ends the sessions, the password and the factors of whoever did. `keep` by default */
  access?: 'keep' | 'end';
}

export interface VerifyEmailByLinkBody {
  /** `end`, with a `token`, if the owner of the address did not sign up: ends the sessions, the password and the factors of whoever did. `keep` by default */
  access?: 'keep' | 'end';
}

export interface VerifyLedgerResult {
  requestedAt: DateTime;
}

/** A video could not be processed, or its processing was cancelled */
export interface VideoFailedEvent {
  id: EventId;
  type: 'video.failed';
  timestamp: DateTime;
  data: {
    videoId: ObjectId;
    /** The lesson that the video belongs to */
    lessonId: ObjectId;
    /** Who uploaded it */
    ownerId: ObjectId;
    /** As `error.code` of the video */
    code: string;
  };
}

/** A video was processed and can be watched */
export interface VideoReadyEvent {
  id: EventId;
  type: 'video.ready';
  timestamp: DateTime;
  data: {
    videoId: ObjectId;
    /** The lesson that the video belongs to */
    lessonId: ObjectId;
    /** Who uploaded it */
    ownerId: ObjectId;
    /** Seconds */
    duration: number;
  };
}

export interface ViewedStory {
  storyId: ObjectId;
  viewed: boolean;
  viewCount: number;
}

export interface Wallet {
  _id: ObjectId;
  userId: ObjectId;
  /** A number of Keys */
  balance: number;
  balanceUSD: number;
  currency: 'Keys';
  isActive: boolean;
  locked: boolean;
  /** Present only if locked; empty without a reason */
  lockedReason?: string;
  createdAt: DateTime;
  updatedAt: DateTime;
}

/** Keys were added to a wallet: bought, granted by an administrator, or given back */
export interface WalletFundedEvent {
  id: EventId;
  type: 'wallet.funded';
  timestamp: DateTime;
  data: {
    /** The transaction, as the history of the wallet shows it */
    transactionId: string;
    /** Keys */
    amount: number;
    userId: ObjectId;
    /** `correction`: an administrator reversed what had taken them; `dispute-won`: they were taken back for a dispute that was then won */
    source: 'checkout' | 'administrator' | 'correction' | 'dispute-won';
  };
}

/** Keys were taken back: a payment was refunded or disputed, an administrator corrected something, or they were forfeited with a deleted account */
export interface WalletRefundedEvent {
  id: EventId;
  type: 'wallet.refunded';
  timestamp: DateTime;
  data: {
    /** The transaction, as the history of the wallet shows it */
    transactionId: string;
    /** Keys */
    amount: number;
    userId: ObjectId;
    /** Keys that could not be taken because the wallet no longer had them */
    short: number;
  };
}

/** Keys were transferred from one member to another */
export interface WalletTransferredEvent {
  id: EventId;
  type: 'wallet.transferred';
  timestamp: DateTime;
  data: {
    /** The transaction, as the history of the wallet shows it */
    transactionId: string;
    /** Keys */
    amount: number;
    fromUserId: ObjectId;
    toUserId: ObjectId;
    /** Whether it was a gift, such as a tip */
    gift: boolean;
  };
}

export interface WatchSession {
  id: ObjectId;
  startedAt: DateTime;
  lastHeartbeatAt: DateTime | null;
  endedAt: DateTime | null;
  /** Seconds counted so far */
  watchSecs: number;
}

export interface WebhookDelivery {
  id: ObjectId;
  eventId: string;
  type: string;
  /** Its number at this endpoint */
  sequence: number;
  /** `failed`: it is not tried again by itself */
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Of the last attempt */
  responseStatus: number | null;
  /** Of the last attempt */
  responseMs: number | null;
  /** Why the last attempt failed */
  lastError: string | null;
  /** Null while the endpoint is disabled */
  nextAttemptAt: DateTime | null;
  createdAt: DateTime;
  deliveredAt: DateTime | null;
}

export interface WebhookDeliveryDetail {
  id: ObjectId;
  eventId: string;
  type: string;
  /** Its number at this endpoint */
  sequence: number;
  /** `failed`: it is not tried again by itself */
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** Of the last attempt */
  responseStatus: number | null;
  /** Of the last attempt */
  responseMs: number | null;
  /** Why the last attempt failed */
  lastError: string | null;
  /** Null while the endpoint is disabled */
  nextAttemptAt: DateTime | null;
  createdAt: DateTime;
  deliveredAt: DateTime | null;
  /** What is sent, byte for byte */
  body: string | null;
  /** The newest 20 answers */
  responses: {
    at: string;
    status: number;
    ms: number;
    /** The first 2 KiB */
    body: string;
  }[];
}

export interface WebhookEndpoint {
  id: ObjectId;
  /** An https address of a public host, without credentials and fragment; in development also http, and the loopback */
  url: string;
  /** Types of event; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
  types: string[];
  /** For operators */
  description: string | null;
  /** Whether events are sent to it; events of the time in which it is disabled are sent later */
  enabled: boolean;
  /** Whether each delivery waits until the one before it succeeded or failed for good */
  ordered: boolean;
  createdAt: DateTime;
  /** When an administrator last changed it */
  updatedAt: DateTime;
  /** The number of the newest delivery */
  lastSequence: number;
  /** Since when no delivery has succeeded */
  failingSince: DateTime | null;
  /** Why the platform disabled it */
  disabledReason: string | null;
}

export interface WebhookEndpointDetail {
  id: ObjectId;
  /** An https address of a public host, without credentials and fragment; in development also http, and the loopback */
  url: string;
  /** Types of event; `*` for all, `wallet.*` for all whose name begins with `wallet.` */
  types: string[];
  /** For operators */
  description: string | null;
  /** Whether events are sent to it; events of the time in which it is disabled are sent later */
  enabled: boolean;
  /** Whether each delivery waits until the one before it succeeded or failed for good */
  ordered: boolean;
  createdAt: DateTime;
  /** When an administrator last changed it */
  updatedAt: DateTime;
  /** The number of the newest delivery */
  lastSequence: number;
  /** Since when no delivery has succeeded */
  failingSince: DateTime | null;
  /** Why the platform disabled it */
  disabledReason: string | null;
  /** Deliveries that wait or are retried, counted up to 10000 */
  pending: number;
  /** Deliveries that failed for good, counted up to 10000 */
  failed: number;
  lastDeliveredAt: DateTime | null;
}

export interface WebhookReplay {
  /** Number of deliveries that are sent again, counted up to 10000 */
  events: number;
}

/** An administrator tests an endpoint. The event is sent to this endpoint only and is not in the feed */
export interface WebhookTestEvent {
  id: EventId;
  type: 'webhook.test';
  timestamp: DateTime;
  data: Record<string, never>;
}

export interface WebhookTestSent {
  eventId: string;
}

export interface WithdrawKeysBody {
  /** Keys, a positive whole number */
  amount: number;
  description?: string;
  /** Arbitrary key-value pairs, at most 16 KiB of JSON. Keys that the platform sets itself are rejected */
  metadata?: Record<string, unknown>;
}

export interface Withdrawal {
  _id: ObjectId;
  transactionId: string;
  userId: ObjectId;
  /** A number of Keys */
  amount: number;
  currency: 'Keys';
  type: 'withdrawal';
  status: TransactionStatus;
  description: string;
  metadata: Metadata;
  createdAt: DateTime;
  processedAt: DateTime | null;
}

/** A withdrawal was paid out */
export interface WithdrawalPaidEvent {
  id: EventId;
  type: 'withdrawal.paid';
  timestamp: DateTime;
  data: {
    /** The transaction, as the history of the wallet shows it */
    transactionId: string;
    /** Keys */
    amount: number;
    userId: ObjectId;
  };
}

/** A member requested a withdrawal; its Keys are held until it ends */
export interface WithdrawalRequestedEvent {
  id: EventId;
  type: 'withdrawal.requested';
  timestamp: DateTime;
  data: {
    /** The transaction, as the history of the wallet shows it */
    transactionId: string;
    /** Keys */
    amount: number;
    userId: ObjectId;
    /** What is to be paid out, in US dollars */
    usdAmount: number;
  };
}

export interface WithdrawalResult {
  wallet: {
    /** A number of Keys */
    balance: number;
  };
  transaction: {
    transactionId: string;
    type: 'withdrawal';
    /** A number of Keys */
    amount: number;
    status: 'pending';
  };
}

/** A withdrawal was not paid out, or the bank sent it back; its Keys returned to the wallet */
export interface WithdrawalReturnedEvent {
  id: EventId;
  type: 'withdrawal.returned';
  timestamp: DateTime;
  data: {
    /** The transaction, as the history of the wallet shows it */
    transactionId: string;
    /** Keys */
    amount: number;
    userId: ObjectId;
    /** `reversed`: the bank returned a withdrawal that had been paid */
    outcome: 'failed' | 'cancelled' | 'reversed';
  };
}

export interface Worklist {
  name: 'videos' | 'reports' | 'withdrawals' | 'failedDeliveries' | 'failedGrants' | 'stuckGrants' | 'accessRequests' | 'alerts' | 'deadJobs' | 'failingWebhooks';
  /** At most 10,000 */
  count: number;
  /** Since when the oldest of them waits */
  oldestAt: DateTime | null;
}
