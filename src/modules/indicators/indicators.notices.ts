import { type Notice, notice } from '../notifications/contract.ts';
import { accessBegan, accessEnded, graceBegan } from './contract.ts';

const MAX_NAMED = 3;

/** Lists a few names: `Trend Pulse, Range Finder and 12 more`. */
function namesOf(scanners: { name: string }[]): string {
  const named = scanners.slice(0, MAX_NAMED).map(({ name }) => name);
  const more = scanners.length - named.length;
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ');
}

const CHANNELS = ['push', 'email'] as const;

export const indicatorNotices: Notice[] = [
  notice(accessBegan, ({ userId, scanners }) => [
    {
      to: userId,
      type: 'reminder',
      title: 'Your indicators are ready',
      message: `You have access to ${namesOf(scanners)} at the charting platform.`,
      channels: [...CHANNELS],
      metadata: { action: 'open-indicators', scannerIds: scanners.map(({ id }) => id) },
    },
  ]),
  notice(graceBegan, ({ userId, scanners, graceEndsAt }) => [
    {
      to: userId,
      type: 'reminder',
      priority: 'high',
      title: 'Your access to indicators is about to end',
      message: `Your access to ${namesOf(scanners)} ends on ${String(graceEndsAt).slice(0, 10)}, unless your membership becomes active again.`,
      channels: [...CHANNELS],
      metadata: { action: 'open-indicators', graceEndsAt, scannerIds: scanners.map(({ id }) => id) },
    },
  ]),
  notice(accessEnded, ({ userId, scanners }) => [
    {
      to: userId,
      type: 'reminder',
      title: 'Your access to indicators has ended',
      message: `You no longer have access to ${namesOf(scanners)} at the charting platform.`,
      channels: [...CHANNELS],
      metadata: { action: 'open-indicators', scannerIds: scanners.map(({ id }) => id) },
    },
  ]),
];
