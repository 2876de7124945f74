import { optionalUrl, type Setting, secret, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the schedule of live sessions. */
export const scheduleSettings = {
  url: optionalUrl(
    'SCHEDULE_URL',
    'Base URL of the session schedule, with a trailing slash; `sessions?from&to` is requested below it',
    'https://schedule.example.com/',
  ),
  apiKey: secret('SCHEDULE_API_KEY', 8, 'The bearer token for the session schedule'),
} satisfies Record<string, Setting<unknown>>;

export type ScheduleSettings = ValuesOf<typeof scheduleSettings>;
