import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../../kernel/time/time.ts';
import { taking } from '../taking.ts';
import { Control, misbehaviour, page } from './misbehaviour.ts';
import { chartingPage } from './page.ts';
import { addProtocol } from './protocol.ts';
import { chartingState } from './state.ts';

/** The account session that the sandbox accepts; it protects nothing. */
export const SANDBOX_CHARTING_SESSION = 'sandbox-charting-session';

const Names = Type.Record(Type.String(), Type.Array(Type.String({ minLength: 1 })));
/** Manual changes by the owner of the scripts; names by script. */
const Planting = Type.Object({
  /** Replaces all holders. */
  holders: Type.Optional(Names),
  /** Grants access to further names. */
  admit: Type.Optional(Names),
});

interface Options {
  /** The file that stores its state. */
  stateFile?: string | undefined;
  clock: Clock;
  /**
   * Called at each step of a request, so that tests can interrupt it there: `look asked`, `add asked`, `add done`,
   * `list asked`.
   */
  onStep?: ((step: string) => void) | undefined;
}

/**
 * Adds a charting platform that implements TradingView's protocol, with a page of script holders at `/charting`.
 * `POST /control/charting` sets its behaviour, `GET` returns its holders and calls, `PUT` sets or adds holders.
 */
export function addCharting(
  app: FastifyInstance,
  { stateFile, clock, onStep = () => undefined }: Options,
): void {
  const state = chartingState(stateFile, clock);
  const behaviour = misbehaviour(state, clock);
  addProtocol(app, { state, behaviour, onStep });

  app.get('/charting', async (_request, reply) => page(reply, chartingPage(state)));
  app.get('/control/charting', async () => ({
    mode: state.mode(),
    holders: state.holders(),
    calls: behaviour.calls,
  }));
  app.post(
    '/control/charting',
    taking(Control, ({ body }) => {
      behaviour.set(body);
      return { mode: state.mode() };
    }),
  );
  app.put(
    '/control/charting',
    taking(Planting, ({ body }) => {
      if (body.holders) state.replace(body.holders);
      for (const [pineId, names] of Object.entries(body.admit ?? {}))
        for (const name of names) if (!state.has(pineId, name)) state.add(pineId, name);
      return { holders: state.holders() };
    }),
  );
}
