import type { Channel } from './contract.ts';

/** A member's preferences for one channel. */
interface ChannelPreference {
  enabled: boolean;
  /** Names of the types that are delivered on it. */
  types: string[];
}
export type Preferences = Record<Channel, ChannelPreference>;
