import { integer, type Setting, type ValuesOf } from '../../kernel/settings.ts';

export const analyticsSettings = {
  retentionDays: integer(
    'ANALYTICS_RETENTION_DAYS',
    400,
    [60, 3650],
    'Days for which individual events are kept; totals are kept permanently',
  ),
} satisfies Record<string, Setting<unknown>>;

export type AnalyticsSettings = ValuesOf<typeof analyticsSettings>;
