import { optionalUrl } from '../../kernel/address-settings.ts';
import { headerSecret, type Setting, type ValuesOf } from '../../kernel/settings.ts';

/** Settings of the schedule of live sessions. */
export const scheduleSettings = {
  url: optionalUrl(
    'SCHEDULE_URL',
    'Base URL of the session schedule, with a trailing slash; `sessions?from&to` is requested below it',
    'https://schedule.example.com/',
  ),
  apiKey: headerSecret('SCHEDULE_API_KEY', 8, 'The bearer token for the session schedule'),
} satisfies Record<string, Setting<unknown>>;

export type ScheduleSettings = ValuesOf<typeof scheduleSettings>;
