import { existsSync, readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { replaceFile } from '../kernel/replace-file.ts';
import {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  SECOND_MS,
  type TravellingClock,
  travellingClock,
} from '../kernel/time/time.ts';
import { keep } from './keeping.ts';
import { refuse, taking } from './taking.ts';

const UNITS: Record<string, number> = {
  second: SECOND_MS,
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
};
const MAX_ADVANCE_MS = 400 * DAY_MS;
const ADVANCE = /^(\d{1,9}) (second|minute|hour|day|week)s?$/;
const ADVANCE_FORMAT =
  'advance must be a number of seconds, minutes, hours, days or weeks, such as "31 days"; at most 400 days';
const STEP_FORMAT = 'step must be a number of days or weeks, such as "1 week"';

/** Runs the work of the platform that fell due between two instants, and resolves when it is done. */
export type CatchUp = (from: Date, to: Date) => Promise<{ started: string[]; unfinished: string[] }>;

interface ClockParts {
  clock: TravellingClock;
  /** The file that stores by how much the clock is ahead. */
  file?: string | undefined;
  /** Runs the work that has fallen due at the stand-ins. */
  passTime: () => Promise<void>;
}

/**
 * Returns the clock of the sandbox. It starts with the stored offset, so that stored records do not lie in the
 * future.
 */
export function clockFrom(file: string | undefined): TravellingClock {
  if (!file || !existsSync(file)) return travellingClock();
  const { offsetMs } = JSON.parse(readFileSync(file, 'utf8')) as { offsetMs: number };
  return travellingClock(offsetMs);
}

const millisecondsOf = (advance: unknown): number | undefined => {
  const [, count, unit = ''] = ADVANCE.exec(typeof advance === 'string' ? advance : '') ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms > 0 && ms <= MAX_ADVANCE_MS ? ms : undefined;
};

const Moved = Type.Object({ advance: Type.String(), step: Type.Optional(Type.String()) });

/**
 * Adds the control that moves the platform's clock on. The clock advances in steps of a day, or as long as `step`
 * says, since a year of days takes a minute. At each step payouts settle, checkouts expire, delayed jobs run, and
 * each schedule that came up since the last step runs once.
 */
export function addClock(app: FastifyInstance, { clock, file, passTime }: ClockParts) {
  let catchUp: CatchUp | undefined;
  let isAdvancing = false;
  const answer = () => ({
    now: clock.date().toISOString(),
    aheadSeconds: Math.round(clock.offsetMs() / SECOND_MS),
  });

  async function advance(ms: number, stepMs: number, arrive: CatchUp) {
    const started: Record<string, number> = {};
    let unfinished: string[] = [];
    for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) {
      const from = clock.date();
      clock.advance(Math.min(leftMs, stepMs));
      if (file) keep(file, () => replaceFile(file, JSON.stringify({ offsetMs: clock.offsetMs() })));
      await passTime();
      const done = await arrive(from, clock.date());
      for (const name of done.started) started[name] = (started[name] ?? 0) + 1;
      unfinished = done.unfinished;
    }
    return { started, unfinished };
  }

  app.get('/control/clock', async () => answer());
  const move = taking(Moved, async ({ body: { advance: by, step = '1 day' } }, reply) => {
    const ms = millisecondsOf(by);
    if (ms === undefined) return refuse(reply, 422, ADVANCE_FORMAT);
    const stepMs = millisecondsOf(step);
    if (stepMs === undefined || stepMs < DAY_MS) return refuse(reply, 422, STEP_FORMAT);
    if (!catchUp)
      return refuse(
        reply,
        409,
        'the clock can be moved only when the platform runs in the process of the sandbox',
      );
    if (isAdvancing) return refuse(reply, 409, 'the clock is being moved on');
    isAdvancing = true;
    try {
      const work = await advance(ms, stepMs, catchUp);
      return { ...answer(), ...work };
    } finally {
      isAdvancing = false;
    }
  });
  app.post('/control/clock', move);

  return {
    catchUpBy: (work: CatchUp): void => {
      catchUp = work;
    },
  };
}
