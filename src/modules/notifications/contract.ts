import type { Transaction } from '../../kernel/database/queries.ts';
import type { Event, EventKind } from '../../kernel/events.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Part 2, "Notification types with default priority and default channels". */
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

/** Channels besides the app itself, where every notification is listed. */
export const CHANNELS = ['email', 'push', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** The content of a notification. */
export interface Message {
  type: NotificationType;
  title: string;
  message: string;
  /** The type's own by default. */
  priority?: Priority;
  /** The type's own by default. */
  channels?: Channel[];
  metadata?: Record<string, unknown>;
  /** Names what the notification is about: a member is notified of one subject once. */
  subject?: string;
}

/** A notification for one member. */
export interface MemberMessage extends Message {
  userId: ObjectId;
}

/** A notification for the subscribers of a topic. */
export type TopicMessage = Message & { subject: string };

/** The topics of the platform (part 1, Events). */
export const TOPICS = ['GENERAL', 'TRADE_IDEAS', 'EDUCATION', 'COMMUNITIES', 'SESSIONS', 'CHATROOM'] as const;
export type Topic = (typeof TOPICS)[number];

/** Returns the topic of an educator's announcements; subscribed to like the others, but not listed with them. */
export const topicOfEducator = (educatorId: ObjectId): string => `educator:${educatorId}`;

/** The kind of those topics: who subscribes to it hears of all educators there are by then. */
export const ALL_EDUCATORS = 'educators:all';

/** A member and a topic. */
export interface TopicSubscription {
  topic: string;
  userId: ObjectId;
}

/**
 * Who hears of a topic: its subscribers and, where there is a kind, those who subscribed to all of that kind since the
 * topic exists and did not opt out of this one.
 */
export interface Audience {
  topic: string;
  kind?: { topic: string; since: Date };
}

export interface Notifications {
  /**
   * Notifies members in the caller's transaction: in the app, and on the channels they want. The members must exist;
   * those already notified of the same `subject` are left out.
   */
  notify(tx: Transaction, messages: MemberMessage[]): Promise<unknown>;
  /** Notifies all subscribers of a topic, however many, soon after the transaction commits. */
  notifyTopic(tx: Transaction, whom: string | Audience, message: TopicMessage): Promise<void>;
  subscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  unsubscribe(userId: ObjectId, topics: string[]): Promise<unknown>;
  /** Subscribes members to topics in the caller's transaction; whoever had opted out of one wants it again. */
  subscribeIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Unsubscribes in the caller's transaction; a subscription to all topics of the kind leaves these out from now on. */
  optOutIn(tx: Transaction, subscriptions: TopicSubscription[]): Promise<void>;
  /** Subscribes to all topics of a kind that exist by now: one row, however many there are. */
  subscribeToKind(userId: ObjectId, kind: string): Promise<void>;
}

/** An event that members are notified of, and in which words. */
export interface Notice {
  kind: EventKind<object>;
  write(event: Event<object>): NoticeMessage[];
}

/** A notification for one member or for the subscribers of a topic; the event itself is its subject. */
export type NoticeMessage = Omit<Message, 'subject'> & ({ to: ObjectId } | { topic: string | Audience });

/**
 * Declares that an event notifies members: `notice(tradeCreated, ({ symbol }) => [{ topic: 'TRADE_IDEAS', ... }])`.
 * Modules contribute their notices; an event delivered twice notifies once.
 */
export const notice = <Data extends object>(
  kind: EventKind<Data>,
  write: (data: Data) => NoticeMessage[],
): Notice => ({ kind, write: ({ data }) => write(data as Data) });
