import { type Channel, NOTIFICATION_TYPES, type NotificationType } from './contract.ts';

/** A member's preferences for one channel. */
interface ChannelPreference {
  enabled: boolean;
  types: NotificationType[];
}
export type Preferences = Record<Channel, ChannelPreference>;

export const EVERYTHING: Preferences = {
  email: { enabled: true, types: [...NOTIFICATION_TYPES] },
  push: { enabled: true, types: [...NOTIFICATION_TYPES] },
  sms: { enabled: true, types: [...NOTIFICATION_TYPES] },
};
