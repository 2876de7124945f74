import type { IconName } from './parts/icon.tsx';

export interface Section {
  name: string;
  icon: IconName;
  /** Whether the sidebar lists it under "System". */
  isSystem?: boolean;
}

/** The sections in the order of the sidebar. */
export const SECTIONS: Section[] = [
  { name: 'Overview', icon: 'overview' },
  { name: 'Members', icon: 'members' },
  { name: 'Money', icon: 'money' },
  { name: 'Moderation', icon: 'flag' },
  { name: 'Community', icon: 'talk' },
  { name: 'Indicators', icon: 'candles' },
  { name: 'Marketplace', icon: 'bag' },
  { name: 'Notifications', icon: 'bell' },
  { name: 'Content', icon: 'book' },
  { name: 'Analytics', icon: 'bars' },
  { name: 'Errors', icon: 'errors', isSystem: true },
  { name: 'Jobs and health', icon: 'pulse', isSystem: true },
  { name: 'Live', icon: 'live', isSystem: true },
  { name: 'Webhooks', icon: 'send', isSystem: true },
  { name: 'Audit log', icon: 'audit', isSystem: true },
  { name: 'API keys', icon: 'key', isSystem: true },
];
