import type { Caller } from './caller.ts';
import { getLessonVideo } from './generated/operations/lesson-videos.ts';
import { updateLessonProgress } from './generated/operations/studying.ts';
import type { LessonVideo } from './generated/wire.ts';
import { host } from './host.ts';

/** The video of a lesson as a player needs it. */
export interface Player {
  /** The address of the playlist (HLS), valid for at least half an hour: ask again whenever playback starts or fails. */
  url(): Promise<string | undefined>;
  /** Call it as often as the player tells the position; it is sent every fifteen seconds. */
  report(positionSeconds: number, completed?: boolean): void;
  /** Sends the last position. */
  stop(): Promise<void>;
}

const MIN_VALID_MS = 30 * 60_000;
const REPORT_MS = 15_000;

export function playerOf(caller: Caller, lessonId: string): Player {
  const params = { lessonId };
  let link: { url: string; until: number } | undefined;
  let position: { positionSeconds: number; completed?: boolean } | undefined;
  let timer: unknown;

  async function send(): Promise<void> {
    host.clearTimeout(timer);
    timer = undefined;
    const body = position;
    position = undefined;
    if (body) await caller.call(updateLessonProgress, { params, body });
  }

  return {
    async url() {
      if (!link || link.until - Date.now() < MIN_VALID_MS) {
        const { data, meta } = await caller.raw(getLessonVideo, { params });
        const { videoUrl, expiresAt } = data as LessonVideo;
        // By the clock of the platform, since that of the device may be wrong.
        const lifeMs = Date.parse(expiresAt ?? '') - Date.parse(meta.timestamp);
        link = videoUrl && expiresAt ? { url: videoUrl, until: Date.now() + lifeMs } : undefined;
      }
      return link?.url;
    },
    report(positionSeconds, completed) {
      position = { positionSeconds: Math.floor(positionSeconds), ...(completed ? { completed } : {}) };
      // A position that could not be sent is followed by the next one.
      timer ??= host.setTimeout(() => void send().catch(() => undefined), REPORT_MS);
    },
    stop: send,
  };
}
