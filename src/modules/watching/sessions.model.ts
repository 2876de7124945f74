import type { ObjectId } from '../../kernel/ids.ts';
import type { ContentType, WatchPlatform } from './contract.ts';

export interface WatchSession {
  id: ObjectId;
  userId: ObjectId;
  startedAt: Date;
  /** The start, or the last heartbeat. */
  seenAt: Date;
  endedAt: Date | null;
}

export interface NewSession extends Pick<WatchSession, 'id' | 'userId' | 'startedAt'> {
  contentType: ContentType;
  contentId: ObjectId;
  educatorId: ObjectId | null;
  platform: WatchPlatform;
  checkAt: Date;
}

/** A heartbeat to be stored. */
export interface Beat {
  id: ObjectId;
  positionSeconds: number | null;
}
