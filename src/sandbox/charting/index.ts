import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../kernel/time/time.ts';
import { type Control, misbehaviour, page } from './misbehaviour.ts';
import { chartingPage } from './page.ts';
import { addProtocol } from './protocol.ts';
import { chartingState, MODES } from './state.ts';

/** The account session that the sandbox accepts; it protects nothing. */
export const SANDBOX_CHARTING_SESSION = 'sandbox-charting-session';

/** Manual changes by the owner of the scripts; names by script. */
interface Planting {
  /** Replaces all holders. */
  holders?: Record<string, string[]>;
  /** Grants access to further names. */
  admit?: Record<string, string[]>;
}

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
  app.post<{ Body: Control }>('/control/charting', async ({ body }, reply) => {
    const { mode } = body ?? {};
    if (mode !== undefined && !MODES.includes(mode))
      return reply.code(400).send({ error: `mode must be one of ${MODES.join(', ')}` });
    behaviour.set(body ?? {});
    return { mode: state.mode() };
  });
  app.put<{ Body: Planting }>('/control/charting', async ({ body }) => {
    if (body.holders) state.replace(body.holders);
    for (const [pineId, names] of Object.entries(body.admit ?? {}))
      for (const name of names) if (!state.has(pineId, name)) state.add(pineId, name);
    return { holders: state.holders() };
  });
}
