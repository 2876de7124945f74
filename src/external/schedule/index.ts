import type { CircuitBoard } from '../../kernel/net/circuit-breaker.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { httpSchedule } from './http.ts';
import type { ScheduleUpstream } from './port.ts';
import type { ScheduleSettings } from './settings.ts';

/** Returns the upstream of the schedule, or undefined when none is configured: the mirror is then used. */
export const scheduleUpstream = (
  { url: baseUrl, apiKey }: ScheduleSettings,
  parts: { clock: Clock; board: CircuitBoard },
): ScheduleUpstream | undefined =>
  baseUrl === undefined ? undefined : httpSchedule({ ...parts, baseUrl, apiKey });
