import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chartingPage } from './page.ts';
import { chartingState, MODES, type Mode } from './state.ts';

/** What the sandbox takes for the session of the account; it guards nothing. */
export const SANDBOX_CHARTING_SESSION = 'sandbox-charting-session';

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 30;
const MAX_CALLS = 10_000;
const LATE_MS = 15_000;

interface Call {
  at: string;
  method: string;
  path: string;
  pineId?: string | undefined;
  username?: string | undefined;
  /** What was answered; 0 when nothing was. */
  status?: number;
}

interface Control {
  mode?: Mode;
  /** Milliseconds before each answer. */
  delay?: number;
  /** For the mode `late`: milliseconds after which a call takes effect, its caller gone. */
  lateMs?: number;
  /** For the mode `limit`: calls a second that are let through; none unless said. */
  perSecond?: number;
  /** The page of a list that breaks in the mode `partial`. */
  brokenPage?: number;
  /** Handles that the mode is for; all unless said. */
  handles?: string[];
}

type Form = { pine_id?: string; username_recip?: string };

interface Options {
  /** Where it keeps what it holds. */
  stateFile?: string | undefined;
  /** Told of each step of a call, for tests that interrupt between two: `add asked`, `add done`. */
  onStep?: ((step: string) => void) | undefined;
}

/**
 * A charting platform that speaks TradingView's own protocol, with a page of who holds what at `/charting`. It is told
 * how to behave by `POST /control/charting`, shows what it holds and each call at `GET`, and takes holders by `PUT`.
 */
export function addCharting(app: FastifyInstance, { stateFile, onStep = () => undefined }: Options): void {
  const state = chartingState(stateFile);
  let settings: Required<Omit<Control, 'mode'>> = defaults();
  let expiries = 0;
  const calls: Call[] = [];
  const admitted: number[] = [];

  const isMeant = (username: string | undefined): boolean =>
    settings.handles.length === 0 ||
    settings.handles.some((handle) => handle.toLowerCase() === username?.toLowerCase());

  function note(request: FastifyRequest, username: string | undefined): Call {
    const { pine_id: pineId } = (request.body ?? {}) as Form;
    const path = (request.url.split('?')[0] as string).replace('/charting', '');
    const call: Call = { at: new Date().toISOString(), method: request.method, path, pineId, username };
    calls.push(call);
    if (calls.length > MAX_CALLS) calls.shift();
    return call;
  }

  /** Misbehaves as told; returns whether the call goes on. */
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
    return misbehave(isMeant(username) ? state.mode() : 'ok', request, reply);
  }

  async function misbehave(mode: Mode, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (mode === 'fail') reply.code(503).send({ detail: 'told to fail' });
    else if (mode === 'nonsense') page(reply, '<html><body>The wind is in the willows.</body></html>');
    else if (mode === 'odd') reply.send({ status: 'maybe' });
    else if (mode === 'session-expired') refuseSession(reply, expiries++);
    else if (mode === 'limit' && isOverLimit())
      reply.code(429).header('retry-after', '1').send({ detail: 'Request was throttled.' });
    else if (mode === 'hang') {
      reply.hijack();
      await new Promise((resolve) => request.raw.socket.once('close', resolve));
    } else return true;
    return false;
  }

  function isOverLimit(): boolean {
    const now = Date.now();
    while (admitted.length > 0 && (admitted[0] as number) <= now - 1000) admitted.shift();
    if (admitted.length >= settings.perSecond) return true;
    admitted.push(now);
    return false;
  }

  /** Takes effect now, or in its own time, and answers unless the connection is to be lost. */
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
    if (mode !== 'lost') return reply.code(status).send(body);
    reply.hijack();
    reply.raw.destroy();
  }

  app.get<{ Querystring: { s?: string } }>('/charting/username_hint/', async (request, reply) => {
    const name = String(request.query.s ?? '');
    if (!(await behave(request, reply, name))) return reply;
    return isUnknown(name)
      ? []
      : [
          { id: 1, username: spell(name) },
          { id: 2, username: `${spell(name)}_2` },
        ];
  });
  const isUnknown = (name: string): boolean =>
    name === '' || (state.mode() === 'unknown-user' && isMeant(name));

  /** A handle that is held is spelled as it was first. */
  function spell(name: string): string {
    const all = Object.values(state.holders()).flat();
    return all.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
  }

  function add(pineId: string, username: string) {
    if (state.has(pineId, username)) return { status: 200, body: { status: 'exists' } };
    state.add(pineId, username);
    return { status: 201, body: OK };
  }
  function remove(pineId: string, username: string) {
    if (!state.has(pineId, username)) return { status: 200, body: { status: 'not_exists' } };
    state.remove(pineId, username);
    return { status: 200, body: OK };
  }

  const change =
    (step: 'add' | 'remove') =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
      const { pine_id: pineId = '', username_recip: username = '' } = (request.body ?? {}) as Form;
      onStep(`${step} asked`);
      if (!(await behave(request, reply, username))) return reply;
      if (!pineId.startsWith('PUB;')) return reply.code(422).send({ pine_id: ['No such script.'] });
      if (isUnknown(username) && !state.has(pineId, username)) {
        return reply
          .code(422)
          .send({ code: 'username_recip_not_found', detail: `User not found: ${username}` });
      }
      const act = () => {
        const answer = step === 'add' ? add(pineId, username) : remove(pineId, username);
        onStep(`${step} done`);
        return answer;
      };
      await carryOut(reply, act, username);
      return reply;
    };
  app.post('/charting/pine_perm/add/', change('add'));
  app.post('/charting/pine_perm/remove/', change('remove'));

  app.post<{ Querystring: { limit?: string; c?: string }; Body: Form }>(
    '/charting/pine_perm/list_users/',
    async (request, reply) => {
      if (!(await behave(request, reply))) return reply;
      const { limit, c: cursor = '0' } = request.query;
      if (Number(limit ?? 0) > MAX_PAGE_SIZE) return reply.code(400).send({ code: 'bad_pagination_request' });
      const from = Number(cursor);
      if (state.mode() === 'partial' && from / PAGE_SIZE + 1 >= settings.brokenPage)
        return reply.code(500).send({ detail: 'told to break' });
      const all = state.mode() === 'empty' ? [] : state.entriesOf(request.body?.pine_id ?? '');
      const results = all.slice(from, from + PAGE_SIZE).map(({ username, created }, place) => ({
        id: from + place + 1,
        username,
        userpic: null,
        expiration: null,
        created,
      }));
      const next =
        from + PAGE_SIZE < all.length
          ? `/pine_perm/list_users/?c=${encodeURIComponent(from + PAGE_SIZE)}`
          : null;
      return { results, next, prev: null };
    },
  );
  app.get('/charting/tvcoins/details/', async (request, reply) =>
    (await behave(request, reply)) ? { available: 0 } : reply,
  );

  app.get('/charting', async (_request, reply) => page(reply, chartingPage(state)));
  app.get('/control/charting', async () => ({ mode: state.mode(), holders: state.holders(), calls }));
  app.post<{ Body: Control }>('/control/charting', async ({ body }, reply) => {
    const { mode, ...rest } = body ?? {};
    if (mode !== undefined && !MODES.includes(mode))
      return reply.code(400).send({ error: `mode must be one of ${MODES.join(', ')}` });
    settings = { ...(mode === undefined ? settings : { ...defaults(), delay: settings.delay }), ...rest };
    if (mode !== undefined) state.setMode(mode);
    return { mode: state.mode() };
  });
  app.put<{ Body: { holders: Record<string, string[]> } }>('/control/charting', async ({ body }) => {
    state.replace(body.holders);
    return { holders: state.holders() };
  });
}

const OK = { status: 'ok' };

const defaults = (): Required<Omit<Control, 'mode'>> => ({
  delay: 0,
  lateMs: LATE_MS,
  perSecond: 0,
  brokenPage: 2,
  handles: [],
});

const page = (reply: FastifyReply, html: string) => reply.type('text/html; charset=utf-8').send(html);

/** By turns as the real one does: refused, sent elsewhere, shown where one signs in. */
function refuseSession(reply: FastifyReply, turn: number): void {
  if (turn % 3 === 0) reply.code(401).send({ code: 'login_required' });
  else if (turn % 3 === 1) reply.code(302).header('location', '/accounts/signin/').send();
  else page(reply, '<html><form action="/accounts/signin/"><input name="password"></form></html>');
}
