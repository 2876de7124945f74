import type { Channel } from './contract.ts';

/** A member's preferences for one channel. */
interface ChannelPreference {
  enabled: boolean;
  /** Names of the types that are delivered on it. */
  types: string[];
}

/** When a member gets no e-mails and pushes; `from` is included, `to` is not. */
export interface QuietHours {
  /** `HH:MM` in the time zone. */
  from: string;
  to: string;
  timeZone: string;
}

export type Preferences = Record<Channel, ChannelPreference> & {
  /** Absent in preferences saved before this field existed. */
  quietHours?: QuietHours | null;
};
