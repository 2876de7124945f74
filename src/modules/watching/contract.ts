import type { Queries } from '../../kernel/database/queries.ts';
import type { ObjectId } from '../../kernel/ids.ts';

/** Types of watched content. */
export const CONTENT_TYPES = ['livestream', 'meeting', 'lesson', 'video', 'story'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Client platforms on which content is watched. */
export const WATCH_PLATFORMS = ['ios', 'android', 'web'] as const;
export type WatchPlatform = (typeof WATCH_PLATFORMS)[number];

/** Filters watch sessions. Only the parts of sessions within the period count. */
export interface WatchFilter {
  /** The start of the period, inclusive. */
  from: Date;
  /** The end of the period, exclusive. */
  to: Date;
  platform?: WatchPlatform;
  contentType?: ContentType;
  educatorId?: ObjectId;
}

/** The maximum number of concurrent sessions; a session is open from its start, inclusive, to its end, exclusive. */
export interface Peak {
  peakConcurrent: number;
  /** The first moment of the peak; null if there were no sessions. */
  peakAt: Date | null;
}

/** Watch totals of a member, an educator or a content within a period. */
interface WatchTotals {
  /** Whole seconds of each session, rounded down. */
  watchSecs: number;
  /** Number of sessions that overlap the period. */
  sessions: number;
}

export interface EducatorWatch extends WatchTotals, Peak {
  educatorId: ObjectId;
  uniqueViewers: number;
}

export interface ViewerWatch {
  userId: ObjectId;
  /** Whole seconds in which at least one session was open, rounded down. */
  watchSecs: number;
  /** Number of sessions that overlap the period. */
  sessions: number;
  /** Number of distinct contents. */
  contentCount: number;
  /** In alphabetical order. */
  contentTypes: ContentType[];
  lastWatchedAt: Date;
}

export interface ContentWatch extends WatchTotals {
  contentType: ContentType;
  contentId: ObjectId;
  uniqueViewers: number;
}

/** One session, with the part of it that lies within the period. */
export interface WatchInterval {
  sessionId: ObjectId;
  userId: ObjectId;
  contentType: ContentType;
  contentId: ObjectId;
  educatorId: ObjectId | null;
  platform: WatchPlatform;
  start: Date;
  end: Date;
}

/** Limits a ranking: the number of rows, and the educators or members to exclude. */
export interface Best {
  limit: number;
  except?: ObjectId[];
}

/**
 * Watch sessions and their statistics. An open session counts up to its last heartbeat; a session without a heartbeat
 * has no length and is not counted. A session lasts at most a day.
 */
export interface Watching {
  /** Returns the peak over all sessions that pass the filter. */
  peak(filter: WatchFilter): Promise<Peak>;
  /** Returns the sum of whole seconds of each content type within a period. */
  seconds(period: Pick<WatchFilter, 'from' | 'to'>, contentTypes: readonly ContentType[]): Promise<number>;
  /** Returns the educators with the highest peaks; ties are ordered by watch time, then by id. */
  topEducators(filter: WatchFilter, best: Best): Promise<Omit<EducatorWatch, 'uniqueViewers'>[]>;
  /** Returns the number of distinct viewers of each educator who has viewers. */
  viewersOf(filter: WatchFilter, educatorIds: ObjectId[]): Promise<Map<ObjectId, number>>;
  /** Returns the members who watched longest; ties are ordered by id. */
  topViewers(filter: WatchFilter, best: Best): Promise<ViewerWatch[]>;
  /** Returns the contents that were watched longest; ties are ordered by id. */
  topContents(filter: WatchFilter, best: Best): Promise<ContentWatch[]>;
  /** Yields the sessions that pass the filter in chunks, ordered by their ids. */
  intervals(filter: WatchFilter): AsyncIterable<WatchInterval[]>;
}

/** A type of content whose educators the platform knows; contributed by the module that owns the content. */
export interface Watchable {
  contentType: ContentType;
  /** Returns whose content it is; undefined if there is no content with this id. */
  educatorOf(contentId: ObjectId, queries: Queries): Promise<ObjectId | undefined>;
}

declare module '../module.ts' {
  interface Contributions {
    /** Content whose watch sessions count for its own educator, whomever the client names. */
    watchables?: Watchable[];
  }
}
