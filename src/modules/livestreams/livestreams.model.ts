import type { ObjectId } from '../../kernel/ids.ts';
import type { Member } from '../identity/contract.ts';

export const STATUSES = ['scheduled', 'live', 'ended', 'cancelled'] as const;

export type Status = (typeof STATUSES)[number];

export interface Livestream {
  id: ObjectId;
  title: string;
  description: string;
  hostId: ObjectId;
  /** Whether the host may hold livestreams; others see them only then. */
  hostTeaches: boolean;
  status: Status;
  scheduledStart: Date;
  scheduledEnd: Date;
  startedAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A livestream that has just ended. */
export interface Ended {
  id: ObjectId;
  hostId: ObjectId;
  endedAt: Date;
}

/** A livestream with its host, as members see it. */
export type LivestreamView = Livestream & { host: Member };
