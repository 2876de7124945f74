import { daysKept } from '../../kernel/records/days-kept.ts';
import type { Setting, ValuesOf } from '../../kernel/settings.ts';

/** The settings of watch sessions. */
export const watchingSettings = {
  retentionDays: daysKept(
    'WATCH_SESSION_RETENTION_DAYS',
    800,
    [400, 3650],
    'Days for which single watch sessions are kept, from which viewers are counted; whole months (UTC) go at once, and peaks and watched seconds are kept permanently',
  ),
} satisfies Record<string, Setting<unknown>>;

export type WatchingSettings = ValuesOf<typeof watchingSettings>;
