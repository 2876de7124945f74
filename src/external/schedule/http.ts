import { OBJECT_ID } from '../../kernel/ids.ts';
import { type CircuitBoard, circuitBreaker } from '../../kernel/net/circuit-breaker.ts';
import { ExternalFault, outboundClient } from '../../kernel/net/outbound.ts';
import { hasReplacement, storableText } from '../../kernel/text/safe-text.ts';
import type { Clock } from '../../kernel/time/time.ts';
import type { ScheduledSession, ScheduleUpstream } from './port.ts';

interface HttpOptions {
  /** Ends with a slash; `sessions` is resolved below it. */
  baseUrl: string;
  apiKey?: string | undefined;
  clock: Clock;
  board?: CircuitBoard;
}

/** Short, because members wait for it; after the timeout the mirror is used. */
const TIMEOUT_MS = 2_000;
const MAX_SESSIONS = 5_000;
/** The id is the key of the mirror. */
const MAX_ID_LENGTH = 255;
/** Longer texts are cut: people read them in a list. */
const MAX_TITLE_LENGTH = 300;
const MAX_NAME_LENGTH = 200;
const MAX_DESCRIPTION_LENGTH = 5_000;

/**
 * Returns a schedule over HTTP: `GET sessions?from&to` responds with `{sessions: [...]}`. What the response has beyond the
 * period is left out, and of several sessions with one id the last one counts.
 */
export function httpSchedule({ baseUrl, apiKey, clock, board }: HttpOptions): ScheduleUpstream {
  const call = outboundClient({
    baseUrl,
    ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
    timeoutMs: TIMEOUT_MS,
    retries: 0,
  });
  const guarded = circuitBreaker(
    clock,
    () => new ExternalFault('the schedule is unavailable; calls are suspended'),
    {
      system: 'schedule',
      board,
    },
  );
  return {
    between: async (from, to) => {
      const sessions = await guarded(async () => {
        const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() });
        const { status, body } = await call({ method: 'GET', path: `sessions?${query}` });
        const { sessions } = (body ?? {}) as { sessions?: unknown };
        if (status !== 200 || !Array.isArray(sessions) || sessions.length > MAX_SESSIONS)
          throw new ExternalFault(`the schedule answered ${status}`);
        return sessions as unknown[];
      });
      // Outside of the call: one session that cannot be read is no outage.
      const begun = sessions.map(sessionOf).filter(({ startsAt }) => startsAt >= from && startsAt < to);
      return [...new Map(begun.map((one) => [one.id, one])).values()];
    },
  };
}

/** Not all that JSON may be can be written as a text: `{"toString": 1}` cannot. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function sessionOf(value: unknown): ScheduledSession {
  const { id, title, description, educatorId, educatorName, startsAt, endsAt } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const [start, end] = [startsAt, endsAt].map((at) => new Date(textOf(at))) as [Date, Date];
  const isOne =
    typeof id === 'string' &&
    id.length <= MAX_ID_LENGTH &&
    !hasReplacement(id) &&
    typeof title === 'string' &&
    OBJECT_ID.test(textOf(educatorId)) &&
    start.getTime() < end.getTime();
  if (!isOne) throw new ExternalFault('the schedule contains an invalid session');
  return {
    id,
    title: storableText(title, MAX_TITLE_LENGTH),
    educatorId: textOf(educatorId),
    description: storableText(textOf(description), MAX_DESCRIPTION_LENGTH),
    educatorName: storableText(textOf(educatorName), MAX_NAME_LENGTH),
    startsAt: start,
    endsAt: end,
  };
}
