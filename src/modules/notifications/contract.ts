import type { Transaction } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';
import type { Event, EventKind } from '../../kernel/messaging/events.ts';
import type { UserCaller } from '../../kernel/operations/callers.ts';

/** The types of notifications; preferences name them. */
export const NOTIFICATION_TYPES = [
  'welcome',
  'trade_update',
  'achievement',
  'course_update',
  'comment_reply',
  'announcement',
  'reminder',
  'alert',
] as const;
export type NotificationType = (typeof NOTIFICATION_TYPES)[number];

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Channels in addition to the app, which lists every notification. */
export const CHANNELS = ['email', 'push', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The content of a notification. */
export interface Message {
  type: NotificationType;
  title: string;
  message: string;
  /** Defaults to that of the type. */
  priority?: Priority;
  /** Default to those of the type. */
  channels?: Channel[];
  metadata?: Record<string, unknown>;
  /** Identifies the subject of the notification: a member is notified of one subject at most once. */
  subject?: string;
}

/** A notification for one member. */
export interface MemberMessage extends Message {
  userId: ObjectId;
}

/** A notification for the subscribers of a topic. */
export type TopicMessage = Message & { subject: string };

/** Returns the topic of an educator's announcements; modules do not contribute it, so that it is not listed. */
export const topicOfEducator = (educatorId: ObjectId): string => `educator:${educatorId}`;

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
  /** Whose doing it is; members who blocked them are not notified. */
  from?: ObjectId;
}

export interface Notifications {
  /**
   * Notifies members in the caller's transaction: in the app, and on the channels they want. Skips deleted members and
   * those already notified of the same `subject`.
   */
  notify(tx: Transaction, messages: MemberMessage[]): Promise<unknown>;
  /** Notifies all subscribers of a topic, regardless of their number, soon after the transaction commits. */
  notifyTopic(tx: Transaction, whom: string | Audience, message: TopicMessage): Promise<void>;
  subscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  unsubscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  /** Subscribes members to topics in the caller's transaction; revokes earlier opt-outs of these topics. */
  subscribeIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Unsubscribes members from topics in the caller's transaction. */
  unsubscribeIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Unsubscribes in the caller's transaction; also excludes these topics from a subscription to their kind. */
  optOutIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Subscribes to all existing topics of a kind, with a single row. */
  subscribeToKind(userId: ObjectId, kind: string): Promise<void>;
  fanOut: FanOut;
}

/** Number of records of each kind per hour of which an author may notify everyone. */
export const ANNOUNCED_PER_HOUR = { member: 20, educator: 60 };

/**
 * Limits how often one author may notify everyone. Beyond the limit, records are stored and listed as usual; only the
 * announcement is withheld.
 */
export interface FanOut {
  /**
   * Counts one more record of a kind by this author and returns whether everyone may be notified of it. The limit
   * applies to each kind separately, within any hour, over all processes.
   */
  admits(kind: string, author: UserCaller): Promise<boolean>;
}

/** Returns the message to authors whose record was stored without a notification. */
export const notAnnounced = (message: string): string =>
  `${message}; nobody was notified because you have reached your hourly limit`;

/** An event that members are notified of, with the text of the notification. */
export interface Notice {
  kind: EventKind<object>;
  write(event: Event<object>): NoticeMessage[];
}

/** A notification for one member or for a topic's audience; the event itself is its subject. */
export type NoticeMessage = Omit<Message, 'subject'> & ({ to: ObjectId } | { topic: string | Audience });

/**
 * Declares that an event notifies members: `notice(tradeCreated, ({ symbol }) => [{ topic: 'TRADE_IDEAS', ... }])`.
 * Modules contribute their notices; an event delivered twice notifies once.
 */
export const notice = <Data extends object>(
  kind: EventKind<Data>,
  write: (data: Data) => NoticeMessage[],
): Notice => ({ kind, write: ({ data }) => write(data as Data) });

declare module '../module.ts' {
  interface Contributions {
    /** Events that members are notified of. */
    notices?: Notice[];
    /** Topics that members can subscribe to, beside `GENERAL`. */
    topics?: string[];
  }
}
