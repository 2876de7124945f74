import type { Caller } from './caller.ts';
import { PlatformError } from './errors.ts';
import { getLessonVideo } from './generated/operations/lesson-videos.ts';
import { updateLessonProgress } from './generated/operations/studying.ts';
import {
  beatWatchSession,
  endWatchSession,
  startWatchSession,
} from './generated/operations/watch-sessions.ts';
import type { StartWatchSessionBody } from './generated/wire.ts';
import { host } from './host.ts';

/**
 * The video of a lesson, for a player. Whoever watches without being enrolled, as a preview or as the educator of the
 * course, has no progress: the platform refuses the first position, and no others are sent.
 */
export interface Player {
  /**
   * The address of the playlist (HLS), valid for at least half an hour: request it whenever playback starts. Pass an
   * address that the storage has refused to get a new one.
   */
  url(refused?: string): Promise<string | undefined>;
  /** Call it while the video plays, whenever the player reports a position; it is sent every thirty seconds. */
  report(positionSeconds: number, completed?: boolean): void;
  /** Reports the last position and ends the watch session: call it when the video pauses, ends or is left. */
  stop(): Promise<void>;
}

/**
 * What the watch session counts for: `web` by default. The educator is that of the lesson's course, whatever
 * `educatorId` says.
 */
export interface PlayerOptions extends Partial<Pick<StartWatchSessionBody, 'platform' | 'educatorId'>> {}

interface Position {
  positionSeconds: number;
  completed?: boolean;
}

const MIN_VALID_MS = 30 * 60_000;
/** The platform ends a watch session after a minute without reports. */
const REPORT_MS = 30_000;

/** Renews the link of a lesson's video, and reports the member's progress and watch time. */
export function playerOf(
  caller: Caller,
  lessonId: string,
  { platform = 'web', educatorId = null }: PlayerOptions = {},
): Player {
  const params = { lessonId };
  let link: { url: string; until: number } | undefined;
  let position: Position | undefined;
  /** Whether the platform keeps the member's progress, as far as is known. */
  let isStudent = true;
  /** The watch session of the current video. */
  let watching: Promise<string | undefined> | undefined;
  let timer: unknown;

  const begin = async (): Promise<string | undefined> => {
    const body = { contentType: 'lesson', contentId: lessonId, educatorId, platform } as const;
    // A failure to count watch time must not stop the video.
    return caller.call(startWatchSession, { body }).then(
      ({ id }) => id,
      () => undefined,
    );
  };

  /** Later playback belongs to another session, unless that one has already begun. */
  function leave(session: typeof watching): void {
    if (watching === session) watching = undefined;
  }

  async function beat(positionSeconds: number): Promise<void> {
    const session = watching;
    const id = await session;
    // A session that could not be begun is tried again.
    if (!id) return leave(session);
    try {
      await caller.call(beatWatchSession, { params: { id }, body: { positionSeconds } });
    } catch (error) {
      // The device may have been asleep.
      if (error instanceof PlatformError && error.code === 'WATCH_SESSION_ENDED') leave(session);
    }
  }

  async function saveProgress(body: Position): Promise<void> {
    if (!isStudent) return;
    try {
      await caller.call(updateLessonProgress, { params, body });
    } catch (error) {
      if (!(error instanceof PlatformError && error.code === 'NOT_ENROLLED')) throw error;
      isStudent = false;
    }
  }

  async function send(): Promise<void> {
    host.clearTimeout(timer);
    timer = undefined;
    const body = position;
    position = undefined;
    if (!body) return;
    try {
      await Promise.all([beat(body.positionSeconds), saveProgress(body)]);
    } catch (error) {
      position = { ...body, ...(position as Position | undefined) };
      throw error;
    }
  }

  return {
    async url(refused) {
      if (!link || link.url === refused || link.until - Date.now() < MIN_VALID_MS) {
        const { data, meta } = await caller.raw(getLessonVideo, { params });
        const { videoUrl, expiresAt } = data;
        // Uses the clock of the platform, since that of the device may be wrong.
        const lifeMs = Date.parse(expiresAt ?? '') - Date.parse(meta.timestamp);
        link = videoUrl && expiresAt ? { url: videoUrl, until: Date.now() + lifeMs } : undefined;
      }
      return link?.url;
    },
    report(positionSeconds, completed) {
      // A completed video stays completed until that has been reported.
      const isCompleted = completed || position?.completed;
      position = {
        positionSeconds: Math.floor(positionSeconds),
        ...(isCompleted ? { completed: isCompleted } : {}),
      };
      watching ??= begin();
      // A position that could not be reported is superseded by the next one.
      timer ??= host.setTimeout(() => void send().catch(() => undefined), REPORT_MS);
    },
    async stop() {
      const session = watching;
      try {
        await send();
      } finally {
        leave(session);
        const id = await session;
        if (id) await caller.call(endWatchSession, { params: { id } }).catch(() => undefined);
      }
    },
  };
}
