import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/time/time.ts';
import type { Area, Execution } from '../area.ts';
import type { Loss } from '../installation.ts';
import type { RedisMode } from '../redis.ts';
import type { Stage } from '../stage.ts';

export const faultKinds = {
  'fault.crash': 2,
  'fault.cut': 2,
  'fault.charting': 3,
  'fault.payments': 2,
  'fault.payment-webhooks': 2,
  'fault.mail': 1,
  'fault.storage': 1,
  'fault.redis': 2,
  'time.jump': 2,
};

const CHARTING = ['ok', 'ok', 'fail', 'hang', 'nonsense', 'lost', 'limit', 'session-expired', 'unknown-user'];
const PAYMENTS = ['ok', 'ok', 'fail', 'nonsense'];
const MAIL = ['ok', 'fail', 'reject'];
const STORAGE = ['ok', 'fail'];
const REDIS: RedisMode[] = ['ok', 'away', 'away', 'frozen'];
const JUMPS_MS = [40_000, 10 * MINUTE_MS, 2 * HOUR_MS, DAY_MS, 4 * DAY_MS, 8 * DAY_MS];
/** The connection is lost after this many statements or up to 160 more; the requests of a round take a few hundred. */
const MIN_STATEMENTS = 1;
const STATEMENT_RANGE = 160;

export const isFault = (kind: string): boolean => kind.startsWith('fault.');
export const isJump = (kind: string): boolean => kind === 'time.jump';

const chosen = <Value>(values: readonly Value[], pick: number): Value =>
  values[pick % values.length] as Value;

export function faultArea(stage: Stage): Area<typeof faultKinds> {
  const loseConnection =
    (loss: Loss) =>
    async ({ pick: [left, side] }: Execution): Promise<void> => {
      const after = MIN_STATEMENTS + (left % STATEMENT_RANGE);
      stage.note(`${loss} at statement ${after}, ${side % 2 === 0 ? 'before' : 'after'} it arrives`);
      stage.installation.arm(loss, after, side % 2 === 0);
    };
  const setMode =
    (name: 'charting' | 'payments' | 'mail' | 'storage', modes: string[]) =>
    async ({ pick: [which] }: Execution): Promise<void> => {
      stage.note(`${name}: ${chosen(modes, which)}`);
      await stage.control(name, { mode: chosen(modes, which) });
    };
  return {
    commands: {
      'fault.crash': loseConnection('crash'),
      'fault.cut': loseConnection('cut'),
      'fault.charting': setMode('charting', CHARTING),
      'fault.payments': setMode('payments', PAYMENTS),
      'fault.payment-webhooks': async ({ pick: [on] }) => {
        // Webhooks are withheld two times out of three, so that the platform learns of payments only by asking.
        const webhooks = on % 3 === 0;
        stage.note(`payments ${webhooks ? 'send' : 'withhold'} their webhooks`);
        await stage.control('payments', { webhooks });
      },
      'fault.mail': setMode('mail', MAIL),
      'fault.storage': setMode('storage', STORAGE),
      'fault.redis': async ({ pick: [which] }) => {
        stage.note(`Redis: ${chosen(REDIS, which)}`);
        await stage.installation.setRedis(chosen(REDIS, which));
      },
      'time.jump': async ({ pick: [length] }) => {
        const ms = chosen(JUMPS_MS, length);
        const { clock, installation } = stage;
        const from = clock.date();
        clock.advance(ms);
        stage.note(`${ms / 1000} seconds pass`);
        await installation.catchUp(from, clock.date());
      },
    },
    settle: async () => {
      await stage.installation.setRedis('ok');
      for (const name of ['mail', 'storage'] as const) await stage.control(name, { mode: 'ok' });
    },
  };
}
