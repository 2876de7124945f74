import { optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the schedule of live sessions. */
export const scheduleSettings = {
  scheduleUrl: optionalUrl(
    'SCHEDULE_URL',
    'Where the schedule of sessions is, with a slash at the end; `sessions?from&to` below it',
    'https://schedule.example.com/',
  ),
  scheduleApiKey: secret('SCHEDULE_API_KEY', 8, 'What we show it as a bearer token'),
} satisfies Record<string, Setting<unknown>>;

export type ScheduleSettings = ValuesOf<typeof scheduleSettings>;
