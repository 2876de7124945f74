import type { ObjectId } from '../../kernel/ids.ts';

/** What is watched (part 2, Leaderboards). */
export const CONTENT_TYPES = ['livestream', 'meeting', 'lesson', 'video', 'story'] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

/** Where it is watched. */
export const WATCH_PLATFORMS = ['ios', 'android', 'web'] as const;
export type WatchPlatform = (typeof WATCH_PLATFORMS)[number];

/** Narrows what is read of watch sessions. Only what lies within the period counts. */
export interface WatchFilter {
  /** The start of the period, included. */
  from: Date;
  /** The end of the period, excluded. */
  to: Date;
  platform?: WatchPlatform;
  contentType?: ContentType;
  educatorId?: ObjectId;
}

/** The most sessions that were open at the same moment; a session is open from its start to its end, end excluded. */
export interface Peak {
  peakConcurrent: number;
  /** The first moment at which so many were open; null when there was none. */
  peakAt: Date | null;
}

/** How much somebody, or somebody's content, was watched within a period. */
export interface WatchTotals {
  /** Whole seconds, rounded down. */
  watchSecs: number;
  /** Sessions with some of their length within the period. */
  sessions: number;
}

export interface EducatorWatch extends WatchTotals, Peak {
  educatorId: ObjectId;
  uniqueViewers: number;
}

export interface ViewerWatch extends WatchTotals {
  userId: ObjectId;
  /** Different contents. */
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

/** A list of the best: so many rows, without these educators or members. */
export interface Best {
  limit: number;
  except?: ObjectId[];
}

/**
 * Watch sessions, and what was watched. A session that still runs counts up to its last heartbeat, and one without a
 * heartbeat has no length and counts nowhere. A session lasts at most a day.
 */
export interface Watching {
  /** Returns the peak over all sessions that pass the filter. */
  peak(filter: WatchFilter): Promise<Peak>;
  /** Returns the sums over all sessions that pass the filter. */
  totals(filter: WatchFilter): Promise<WatchTotals & { uniqueViewers: number }>;
  /** Returns the educators with the highest peaks; among equals those watched longer, then by id. */
  topEducators(filter: WatchFilter, best: Best): Promise<EducatorWatch[]>;
  /** Returns the members who watched longest; among equals by id. */
  topViewers(filter: WatchFilter, best: Best): Promise<ViewerWatch[]>;
  /** Returns what was watched longest; among equals by id. */
  topContents(filter: WatchFilter, best: Best): Promise<ContentWatch[]>;
  /** Yields the sessions that pass the filter in chunks, ordered by their ids. */
  intervals(filter: WatchFilter): AsyncIterable<WatchInterval[]>;
}
