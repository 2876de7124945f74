import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type TravellingClock,
  travellingClock,
} from '../kernel/time/time.ts';

const UNITS: Record<string, number> = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
const MOST_MS = 400 * DAY_MS;
const ADVANCE = /^(\d{1,9}) (second|minute|hour|day|week)s?$/;
const HOW =
  'advance must be a number of seconds, minutes, hours, days or weeks, such as "31 days"; at most 400 days';
const HOW_TO_STOP = 'stops must be a number of days or weeks, such as "1 week"';

/** Does what fell due between two instants, and waits until it is done. */
export type CatchUp = (from: Date, to: Date) => Promise<{ started: string[]; unfinished: string[] }>;

interface ClockParts {
  clock: TravellingClock;
  /** Keeps by how much the clock is ahead. */
  file?: string | undefined;
  /** Does what falls due at the stand-ins. */
  passTime: () => Promise<void>;
}

/** Returns a clock that is ahead by as much as when the sandbox ended: what is stored has happened by that time. */
export function clockFrom(file: string | undefined): TravellingClock {
  if (!file || !existsSync(file)) return travellingClock();
  const { offsetMs } = JSON.parse(readFileSync(file, 'utf8')) as { offsetMs: number };
  return travellingClock(offsetMs);
}

const millisecondsOf = (advance: unknown): number | undefined => {
  const [, count, unit = ''] = ADVANCE.exec(typeof advance === 'string' ? advance : '') ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms > 0 && ms <= MOST_MS ? ms : undefined;
};

/**
 * Adds the control that moves the time of the platform on. The way is taken in stops of a day, or as long as `stops` says,
 * since a year of days takes a minute: at each one, payouts settle, checkouts expire, delayed jobs run, and each schedule that came up since the last stop runs once.
 */
export function addClock(app: FastifyInstance, { clock, file, passTime }: ClockParts) {
  let catchUp: CatchUp | undefined;
  let isUnderWay = false;
  const answer = () => ({
    now: clock.date().toISOString(),
    aheadSeconds: Math.round(clock.offsetMs() / SECOND_MS),
  });

  async function advance(ms: number, stopMs: number, arrive: CatchUp) {
    const started: Record<string, number> = {};
    let unfinished: string[] = [];
    for (let leftMs = ms; leftMs > 0; leftMs -= stopMs) {
      const from = clock.date();
      clock.advance(Math.min(leftMs, stopMs));
      if (file) writeFileSync(file, JSON.stringify({ offsetMs: clock.offsetMs() }));
      await passTime();
      const done = await arrive(from, clock.date());
      for (const name of done.started) started[name] = (started[name] ?? 0) + 1;
      unfinished = done.unfinished;
    }
    return { started, unfinished };
  }

  app.get('/control/clock', async () => answer());
  app.post('/control/clock', async ({ body }, reply) => {
    const { advance: by, stops = '1 day' } = (body ?? {}) as { advance?: unknown; stops?: unknown };
    const ms = millisecondsOf(by);
    if (ms === undefined) return reply.code(400).send({ error: HOW });
    const stopMs = millisecondsOf(stops);
    if (stopMs === undefined || stopMs < DAY_MS) return reply.code(400).send({ error: HOW_TO_STOP });
    if (!catchUp)
      return reply.code(409).send({ error: 'only a platform that is one process can be moved on' });
    if (isUnderWay) return reply.code(409).send({ error: 'the clock is being moved on' });
    isUnderWay = true;
    try {
      const done = await advance(ms, stopMs, catchUp);
      return { ...answer(), ...done };
    } finally {
      isUnderWay = false;
    }
  });

  return {
    catchUpBy: (work: CatchUp): void => {
      catchUp = work;
    },
  };
}
