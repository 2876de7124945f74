import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Misbehaviour } from './misbehaviour.ts';
import type { ChartingState } from './state.ts';

const PAGE_SIZE = 20;
const MAX_PAGE_SIZE = 30;

type Form = { pine_id?: string; username_recip?: string; username?: string };

interface ProtocolDeps {
  state: ChartingState;
  behaviour: Misbehaviour;
  onStep: (step: string) => void;
}

/** Adds TradingView's protocol: looking up names, and adding, removing and listing the users of scripts. */
export function addProtocol(app: FastifyInstance, { state, behaviour, onStep }: ProtocolDeps): void {
  const { isMeant, behave, carryOut, settings } = behaviour;

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
      if (state.mode() === 'partial' && from / PAGE_SIZE + 1 >= settings().brokenPage)
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
}

const OK = { status: 'ok' };
