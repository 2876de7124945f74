import type { ObjectId } from '../../kernel/ids.ts';

export const TYPES = [
  ...(['welcome', 'trade_update', 'achievement', 'course_update'] as const),
  ...(['comment_reply', 'announcement', 'reminder', 'alert'] as const),
] as const;
export type NotificationType = (typeof TYPES)[number];

export const PRIORITIES = ['critical', 'high', 'medium', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

/** Besides the app itself, where every notification stands. */
export const CHANNELS = ['email', 'push', 'sms'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Part 2, Chatroom, message, notification: what a type has when nobody says otherwise. */
export const DEFAULTS: Record<NotificationType, { priority: Priority; channels: Channel[] }> = {
  welcome: { priority: 'medium', channels: ['email', 'push'] },
  trade_update: { priority: 'high', channels: ['push', 'email'] },
  achievement: { priority: 'low', channels: ['push'] },
  course_update: { priority: 'medium', channels: [] },
  comment_reply: { priority: 'medium', channels: ['push'] },
  announcement: { priority: 'high', channels: ['push', 'email'] },
  reminder: { priority: 'medium', channels: ['push'] },
  alert: { priority: 'critical', channels: ['push', 'email', 'sms'] },
};

/** What is to be told. */
export interface Message {
  type: NotificationType;
  title: string;
  message: string;
  /** The type's own unless it is said. */
  priority?: Priority;
  channels?: Channel[];
  metadata?: Record<string, unknown>;
  /** Names what this tells of: a member is told of the same thing once. */
  subject?: string;
}

/** What a member wants to have on a channel. */
interface ChannelPreference {
  enabled: boolean;
  types: NotificationType[];
}
export type Preferences = Record<Channel, ChannelPreference>;

export const EVERYTHING: Preferences = {
  email: { enabled: true, types: [...TYPES] },
  push: { enabled: true, types: [...TYPES] },
  sms: { enabled: true, types: [...TYPES] },
};

/** A notification as it stands. */
export interface Notification {
  id: ObjectId;
  userId: ObjectId;
  type: NotificationType;
  title: string;
  message: string;
  priority: Priority;
  read: boolean;
  channels: Channel[];
  metadata: Record<string, unknown>;
  createdAt: Date;
}
