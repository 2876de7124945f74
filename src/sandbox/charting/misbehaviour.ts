import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { oneOf } from '../../kernel/operations/shapes.ts';
import type { Clock } from '../../kernel/time/time.ts';
import { MAX_TIMER_MS } from '../taking.ts';
import { type ChartingState, MODES, type Mode } from './state.ts';

const MAX_CALLS = 10_000;
const LATE_MS = 15_000;

interface Call {
  at: string;
  method: string;
  path: string;
  pineId?: string | undefined;
  username?: string | undefined;
  /** The status of the response; 0 when there was none. */
  status?: number;
}

const Milliseconds = Type.Number({ minimum: 0, maximum: MAX_TIMER_MS });
export const Control = Type.Object({
  mode: Type.Optional(oneOf(MODES)),
  /** Delay before each response, in milliseconds. */
  delay: Type.Optional(Milliseconds),
  /** For the mode `late`: delay in milliseconds until a call takes effect, after its caller has disconnected. */
  lateMs: Type.Optional(Milliseconds),
  /** For the mode `limit`: calls admitted per second; 0 by default. */
  perSecond: Type.Optional(Type.Number({ minimum: 0 })),
  /** The page of a list that fails in the mode `partial`. */
  brokenPage: Type.Optional(Type.Integer({ minimum: 0 })),
  /** Handles that the mode applies to; by default all. */
  handles: Type.Optional(Type.Array(Type.String({ minLength: 1 }))),
});
type Control = Static<typeof Control>;

/** Simulates the platform's behaviour: records each call, and answers it normally or as the current mode demands. */
export function misbehaviour(state: ChartingState, clock: Pick<Clock, 'date'>) {
  let settings: Required<Omit<Control, 'mode'>> = defaults();
  let expiries = 0;
  const calls: Call[] = [];
  const admitted: number[] = [];

  const isMeant = (username: string | undefined): boolean =>
    settings.handles.length === 0 ||
    settings.handles.some((handle) => handle.toLowerCase() === username?.toLowerCase());

  function note(request: FastifyRequest, username: string | undefined): Call {
    const { pine_id: pineId } = (request.body ?? {}) as { pine_id?: string };
    const path = (request.url.split('?')[0] as string).replace('/charting', '');
    const call: Call = { at: clock.date().toISOString(), method: request.method, path, pineId, username };
    calls.push(call);
    if (calls.length > MAX_CALLS) calls.shift();
    return call;
  }

  /** Applies the configured misbehaviour; returns whether to continue the call. */
  async function behave(request: FastifyRequest, reply: FastifyReply, username?: string): Promise<boolean> {
    const call = note(request, username);
    reply.raw.once('finish', () => {
      call.status = reply.statusCode;
    });
    if (settings.delay > 0) await sleep(settings.delay);
    const hasSession = /\bsessionid=[^;\s]/.test(request.headers.cookie ?? '');
    if (!hasSession && !call.path.startsWith('/username_hint')) {
      refuseSession(reply, 0);
      return false;
    }
    const mode = isMeant(username) ? state.mode() : 'ok';
    // Looking up a name needs no session.
    const isOpen = mode === 'session-expired' && call.path.startsWith('/username_hint');
    return misbehave(isOpen ? 'ok' : mode, request, reply);
  }

  async function misbehave(mode: Mode, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (mode === 'fail') reply.code(503).send({ detail: 'failing on request' });
    else if (mode === 'nonsense') page(reply, '<html><body>The wind is in the willows.</body></html>');
    else if (mode === 'odd') reply.send({ status: 'maybe' });
    else if (mode === 'session-expired') refuseSession(reply, expiries++);
    else if (mode === 'denied') reply.code(403).send({ detail: 'Access denied' });
    else if (mode === 'limit' && isOverLimit())
      reply.code(429).header('retry-after', '1').send({ detail: 'Request was throttled.' });
    else if (mode === 'hang') {
      reply.hijack();
      await new Promise((resolve) => request.raw.socket.once('close', resolve));
    } else return true;
    return false;
  }

  function isOverLimit(): boolean {
    const now = performance.now();
    while (admitted.length > 0 && (admitted[0] as number) <= now - 1000) admitted.shift();
    if (admitted.length >= settings.perSecond) return true;
    admitted.push(now);
    return false;
  }

  /** Applies the change now or late, and responds unless the connection is to be dropped. */
  async function carryOut(
    reply: FastifyReply,
    act: () => { status: number; body: object },
    username: string,
  ) {
    const mode = isMeant(username) ? state.mode() : 'ok';
    if (mode === 'late') {
      setTimeout(act, settings.lateMs).unref();
      reply.hijack();
      return;
    }
    const { status, body } = act();
    if (mode === 'failed-late') return reply.code(503).send({ detail: 'told to fail afterwards' });
    if (mode !== 'lost') return reply.code(status).send(body);
    reply.hijack();
    reply.raw.destroy();
  }

  return {
    calls,
    isMeant,
    behave,
    carryOut,
    settings: () => settings,
    /** Changes the behaviour from now on; a new mode starts with the default settings. */
    set({ mode, ...rest }: Control): void {
      settings = { ...(mode === undefined ? settings : { ...defaults(), delay: settings.delay }), ...rest };
      if (mode !== undefined) state.setMode(mode);
    },
  };
}

export type Misbehaviour = ReturnType<typeof misbehaviour>;

const defaults = (): Required<Omit<Control, 'mode'>> => ({
  delay: 0,
  lateMs: LATE_MS,
  perSecond: 0,
  brokenPage: 2,
  handles: [],
});

/** Responds with an HTML page. */
export const page = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html);

/** Alternates between the real platform's ways to reject a session: 401, a redirect, the sign-in page. */
function refuseSession(reply: FastifyReply, turn: number): void {
  if (turn % 3 === 0) reply.code(401).send({ code: 'login_required' });
  else if (turn % 3 === 1) reply.code(302).header('location', '/accounts/signin/').send();
  else page(reply, '<html><form action="/accounts/signin/"><input name="password"></form></html>');
}
