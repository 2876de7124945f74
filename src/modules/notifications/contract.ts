import { Type } from 'typebox';
import type { Queries, Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { EventKind } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';
import { type Answer, answer } from '../../kernel/operations/operation.ts';

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Channels in addition to the app, which lists every notification. */
export const CHANNELS = ['email', 'push', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** A type of notifications, which preferences refer to. Modules contribute theirs with their notices. */
export interface NotificationType {
  /** The name of the type in the API: `trade_update`. */
  name: string;
  /** Defaults of its notifications. */
  priority: Priority;
  channels: Channel[];
}

// The types that belong to no single module.
export const ANNOUNCEMENT: NotificationType = {
  name: 'announcement',
  priority: 'high',
  channels: ['push', 'email'],
};
export const COMMENT_REPLY: NotificationType = {
  name: 'comment_reply',
  priority: 'medium',
  channels: ['push'],
};
export const REMINDER: NotificationType = { name: 'reminder', priority: 'medium', channels: ['push'] };
export const ALERT: NotificationType = {
  name: 'alert',
  priority: 'critical',
  channels: ['push', 'email', 'sms'],
};

/**
 * The target that the client opens for a notification: the value of `metadata.action`, with ids for a deep link.
 */
export interface NoticeAction<Always extends string = string, Sometimes extends string = string> {
  /** The name of the action in the API: `open-post`. */
  name: string;
  /** A description of the target, for client developers: `the post`. */
  opens: string;
  /** The operation from which the client reads it: the path of a `GET`, with names of {@link ids} in braces. */
  path: string;
  /** The fields of `metadata` that contain the ids. */
  ids: readonly Always[];
  /** Ids that only some of the notifications have. */
  optionalIds: readonly Sometimes[];
}

/** Declares an action: `noticeAction('open-post', { opens: 'the post', path: '/v1/posts/{postId}', ids: ['postId'] })`. */
export const noticeAction = <const Always extends string = never, const Sometimes extends string = never>(
  name: string,
  {
    opens,
    path,
    ids = [],
    optionalIds = [],
  }: { opens: string; path: string; ids?: readonly Always[]; optionalIds?: readonly Sometimes[] },
): NoticeAction<Always, Sometimes> => ({ name, opens, path, ids, optionalIds });

/** A field of events: whether the author exceeded the hourly limit, so that no one is notified. */
export const IsQuiet = Type.Optional(
  Type.Boolean({ description: 'The author exceeded the hourly limit, so nobody is notified' }),
);

/** The content of a notification. */
export interface Message {
  /** The name of the type. */
  type: string;
  title: string;
  message: string;
  /** Defaults to that of the type. */
  priority?: Priority;
  /** Default to those of the type. */
  channels?: Channel[];
  /** Whether an e-mail of its own tells the same: the notification has the channel, and nothing is delivered there. */
  isMailedApart?: boolean;
  metadata?: Record<string, unknown>;
  /** Identifies the subject of the notification: a member is notified of each subject at most once. */
  subject?: string;
  /** The member whose action it reports; members who blocked them are not notified. */
  from?: ObjectId;
}

/** A notification for one member. */
export interface MemberMessage extends Message {
  userId: ObjectId;
}

/** Returns the topic of an educator's announcements. Modules do not contribute it, so that it is not listed. */
export const topicOfEducator = (educatorId: ObjectId): string => `educator:${educatorId}`;

/** Returns the educator of such a topic. */
export const educatorOfTopic = (topic: string): ObjectId => topic.slice(topicOfEducator('').length);

/** The kind of those topics; a subscription to it covers every educator that exists at that time. */
export const ALL_EDUCATORS = 'educators:all';

/** A member's subscription to a topic. */
export interface TopicSubscription {
  topic: string;
  userId: ObjectId;
}

/**
 * The audience of a topic: its subscribers and, if it has a kind, members who subscribed to the kind after the topic
 * was created and have not opted out of the topic.
 */
export interface Audience {
  topic: string;
  kind?: { topic: string; since: Date };
}

/** A topic that is excluded from subscriptions to its kind, by the member themselves or by a block. */
export interface OptOut {
  topic: string;
  isOwn: boolean;
}

/** Content that was removed, so that the notifications that it has caused go, too. */
export interface Withdrawal {
  /** The event that has caused them. */
  of: EventKind<object>;
  /** The id of the content, under its name in `metadata`: `{ commentId }`. */
  about: Record<string, ObjectId>;
  /** When it was published. */
  since: Date;
  /** The only member who was notified; if not given, an audience was. */
  to?: ObjectId;
  /** Spares those that were written later, where the same can happen to a member again; by default none are spared. */
  until?: Date;
}

export interface Notifications {
  subscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  unsubscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  /** Returns the topics of those audiences to which a member belongs, by one query. */
  audiencesOf(userId: ObjectId, audiences: Audience[]): Promise<Set<string>>;
  /** Subscribes members to topics in the caller's transaction; revokes earlier opt-outs of these topics. */
  subscribeIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Unsubscribes members from topics in the caller's transaction. */
  unsubscribeIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Unsubscribes in the caller's transaction; also excludes these topics from a subscription to their kind. */
  optOutIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** As `optOutIn`, for a block between two members: an export does not name it among what the member opted out of. */
  excludeIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /**
   * Subscribes to all existing topics of a kind, with a single row. Returns the opt-outs of the member, whose topics stay
   * excluded.
   */
  subscribeToKind(userId: ObjectId, kind: string): Promise<OptOut[]>;
  /**
   * Deletes the notifications that removed content has caused, soon after the caller's transaction. What has been sent by
   * other channels stays there, and among the deliveries.
   */
  withdrawIn(tx: Transaction, withdrawals: Withdrawal[]): Promise<void>;
  fanOut: FanOut;
}

/** Number of records of each kind per hour for which an author's notifications are sent. */
export const ANNOUNCED_PER_HOUR = { member: 20, educator: 60 };

/**
 * Limits how often one author may notify others. Beyond the limit, records are stored and listed as usual; only the
 * notification is suppressed.
 */
export interface FanOut {
  /**
   * Counts one more record of a kind by this author and returns whether others may be notified of it. The limit applies
   * to each kind separately, within any hour, over all processes.
   */
  admits(kind: string, author: UserCaller): Promise<boolean>;
  /**
   * The same for a change or removal of what others see, which connected members are told of. Administrators and
   * moderators who act upon what somebody else owns are not limited.
   */
  admitsChange(kind: string, by: UserCaller, ownerId: ObjectId): Promise<boolean>;
}

const NOBODY_NOTIFIED = 'nobody was notified because you have reached your hourly limit';

/**
 * Returns the response to authors of what others are notified of.
 * @param isAnnounced false if it was stored without a notification, which the message then says
 */
export const announcedAnswer = <Data>(data: Data, message: string, isAnnounced: boolean): Answer<Data> =>
  answer(data, isAnnounced ? {} : { message: `${message}; ${NOBODY_NOTIFIED}` });

/** An event of which members are notified. Made by {@link notice}. */
export interface Notice {
  kind: EventKind<object>;
  type: NotificationType;
  action: NoticeAction | undefined;
  read?(all: object[], queries: Queries): Promise<unknown>;
  write(data: object, known: unknown): NoticeMessage[];
}

/** A notification for one member or for a topic's audience; the event itself is its subject. */
export type NoticeMessage<Ids extends object = object> = Pick<
  Message,
  'title' | 'message' | 'priority' | 'channels' | 'isMailedApart' | 'from'
> & {
  /** The ids that the action carries. */
  ids?: Ids;
  /** Further fields of `metadata`. */
  details?: Record<string, unknown>;
} & ({ to: ObjectId } | { topic: string | Audience });

/** A message with all ids that its action requires. */
type MessageWith<Always extends string, Sometimes extends string> = NoticeMessage<
  Record<Always, ObjectId> & Partial<Record<Sometimes, ObjectId>>
> &
  ([Always] extends [never] ? unknown : { ids: object });

/**
 * Declares that an event notifies members. `write` returns the recipients and the texts. `read` reads from the module's
 * own store what the texts need in addition to the event, once for all events of a batch. `read` leaves out records
 * that no longer exist or are no longer visible, for which `write` returns no message. An event with {@link IsQuiet}
 * notifies no one. Modules contribute their notices; an event that is delivered twice notifies once.
 */
export const notice = <
  Data extends object,
  Always extends string = never,
  Sometimes extends string = never,
  Known = undefined,
>(
  kind: EventKind<Data>,
  {
    type,
    action,
    read,
    write,
  }: {
    type: NotificationType;
    action?: NoticeAction<Always, Sometimes>;
    read?(all: NoInfer<Data>[], queries: Queries): Promise<Known>;
    write(data: NoInfer<Data>, known: Known): MessageWith<NoInfer<Always>, NoInfer<Sometimes>>[];
  },
): Notice => ({
  kind,
  type,
  action,
  ...(read ? { read: (all: object[], queries: Queries) => read(all as Data[], queries) } : {}),
  write: (data, known) => write(data as Data, known as Known),
});

declare module '../module.ts' {
  interface Contributions {
    /** Events of which members are notified. */
    notices?: Notice[];
    /** Topics to which members can subscribe, in addition to `GENERAL`. */
    topics?: string[];
  }
}
