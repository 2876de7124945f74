import { integer, onOff, type Setting, type ValuesOf } from '../../kernel/settings.ts';

export const analyticsSettings = {
  retentionDays: integer(
    'ANALYTICS_RETENTION_DAYS',
    400,
    [60, 3650],
    'Days for which individual events are kept; totals are kept permanently',
  ),
  archives: onOff(
    'ANALYTICS_ARCHIVE',
    'on',
    'Whether months of events are written to the object storage as Parquet before they are dropped; without a storage they are not',
  ),
} satisfies Record<string, Setting<unknown>>;

export type AnalyticsSettings = ValuesOf<typeof analyticsSettings>;
