import type { Channel } from './contract.ts';

/** A member's preferences for one channel. */
export interface ChannelPreference {
  enabled: boolean;
  /** Names of the types that the member chose for it. */
  types: string[];
  /** All types that there were when the member chose; absent in preferences saved before this field existed. */
  known?: string[];
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
