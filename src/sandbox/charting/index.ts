import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { chartingPage } from './page.ts';
import { chartingState, MODES, type Mode } from './state.ts';

/** The account session that the sandbox accepts; it protects nothing. */
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
  /** The status of the response; 0 when there was none. */
  status?: number;
}

interface Control {
  mode?: Mode;
  /** Delay before each response, in milliseconds. */
  delay?: number;
  /** For the mode `late`: delay in milliseconds until a call takes effect, after its caller has disconnected. */
  lateMs?: number;
  /** For the mode `limit`: calls admitted per second; by default none. */
  perSecond?: number;
  /** The page of a list that fails in the mode `partial`. */
  brokenPage?: number;
  /** Handles that the mode applies to; by default all. */
  handles?: string[];
}

/** What the owner of the scripts does by hand; names by script. */
interface Planting {
  /** Replaces all holders. */
  holders?: Record<string, string[]>;
  /** Admits people beside the others. */
  admit?: Record<string, string[]>;
}

type Form = { pine_id?: string; username_recip?: string; username?: string };

interface Options {
  /** The file that stores its state. */
  stateFile?: string | undefined;
  /** Called at each step of a call, for tests that interrupt between two: `look asked`, `add asked`, `add done`, `list asked`. */
  onStep?: ((step: string) => void) | undefined;
}

/**
 * Adds a charting platform that implements TradingView's protocol, with a page of script holders at `/charting`.
 * `POST /control/charting` sets its behaviour, `GET` returns its holders and calls, `PUT` sets or adds holders.
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

  /** Returns the first spelling used for a known handle. */
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

  /** Lists one user of a script. */
  function lookFor(reply: FastifyReply, pineId: string, username: string) {
    if (!pineId.startsWith('PUB;')) return reply.code(422).send({ pine_id: ['No such script.'] });
    const isShown = state.mode() !== 'empty' && state.has(pineId, username);
    return { results: isShown ? [{ id: 1, username, expiration: null }] : [], next: null, prev: null };
  }

  app.post<{ Querystring: { limit?: string; c?: string }; Body: Form }>(
    '/charting/pine_perm/list_users/',
    async (request, reply) => {
      const { pine_id: pineId = '', username } = request.body ?? {};
      onStep(username === undefined ? 'list asked' : 'look asked');
      if (!(await behave(request, reply, username))) return reply;
      if (username !== undefined) return lookFor(reply, pineId, username);
      const { limit, c: cursor = '0' } = request.query;
      if (Number(limit ?? 0) > MAX_PAGE_SIZE) return reply.code(400).send({ code: 'bad_pagination_request' });
      const from = Number(cursor);
      if (state.mode() === 'partial' && from / PAGE_SIZE + 1 >= settings.brokenPage)
        return reply.code(500).send({ detail: 'told to break' });
      const all = state.mode() === 'empty' ? [] : state.entriesOf(pineId);
      const results = all.slice(from, from + PAGE_SIZE).map(({ username, created }, place) => ({
        id: from + place + 1,
        username,
        userpic: null,
        expiration: null,
        created,
      }));
      const next =
        from + PAGE_SIZE < all.length || state.mode() === 'endless'
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
  app.put<{ Body: Planting }>('/control/charting', async ({ body }) => {
    if (body.holders) state.replace(body.holders);
    for (const [pineId, names] of Object.entries(body.admit ?? {}))
      for (const name of names) if (!state.has(pineId, name)) state.add(pineId, name);
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

/** Alternates between the real platform's ways to reject a session: 401, a redirect, the sign-in page. */
function refuseSession(reply: FastifyReply, turn: number): void {
  if (turn % 3 === 0) reply.code(401).send({ code: 'login_required' });
  else if (turn % 3 === 1) reply.code(302).header('location', '/accounts/signin/').send();
  else page(reply, '<html><form action="/accounts/signin/"><input name="password"></form></html>');
}
