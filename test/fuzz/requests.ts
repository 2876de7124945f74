import { type DescribedOperation, parametersOf } from '../support/api-contract.ts';
import type { Chance } from '../support/chance.ts';
import { audienceOf, type JsonSchema } from '../support/descriptions.ts';
import type { Mutations } from './mutations.ts';
import type { Pool } from './pool.ts';
import { resolved, type Values } from './values.ts';
import { type Actor, KINDS, type World } from './world.ts';

/** A request as it is sent, and the mutation that was made on purpose. */
export interface Sent {
  operation: DescribedOperation;
  actor: Actor;
  method: string;
  path: string;
  text: string | undefined;
  headers: Record<string, string | undefined>;
  what: string;
}

interface Parts {
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
}

/** A valid request, and the values that it was generated from. */
export type Good = Sent & Parts;

/** The parts of a request that a recipe sets; the rest is generated from the description. */
export interface Ingredients {
  actor?: Actor;
  params?: Record<string, string | undefined>;
  query?: Record<string, string>;
  body?: object;
  headers?: Record<string, string>;
}

/** The request line has at most 16 KiB, and each character takes up to twelve. */
const MAX_QUERY_TEXT = 200;

/** Returns the segment before a parameter, which names the resource of its id. */
const resourceBefore = (path: string, name: string): string =>
  path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1) ?? '';

export function bodySchemaOf({ is }: DescribedOperation): JsonSchema | undefined {
  const schema = is.requestBody?.content['application/json']?.schema;
  return schema && resolved(schema);
}

interface Making {
  world: World;
  chance: Chance;
  pool: Pool;
  valid: Values;
  mutations: Mutations;
}

/** Generates requests from the description. */
export function requestsOf({ world, chance, pool, valid, mutations }: Making) {
  const { happens, pick } = chance;

  /** Chooses the ids of the path and an actor with access, preferably the one who received the ids. */
  async function pathOf(operation: DescribedOperation, given: Ingredients) {
    const audience = audienceOf(operation.is);
    const isForAll = audience.some((one) => ['member', 'educator'].includes(one));
    let actor = given.actor ?? (await world.ofAudience(audience));
    const params: Record<string, string> = {};
    for (const { name, schema } of parametersOf(operation, 'path')) {
      const resource = resourceBefore(operation.path, name);
      const found = pool.one(name === 'id' ? resource : name, resource);
      params[name] = given.params?.[name] ?? found?.value ?? (valid(schema, name) as string);
      const isTold = found !== undefined && params[name] === found.value && found.by.id !== undefined;
      if (isTold && isForAll && !given.actor && happens(0.7)) actor = found.by;
    }
    const isOwn = params.educatorId !== undefined && audience.includes('educator');
    return isOwn && !given.params && happens(0.8) ? ofThemselves(actor, params) : { actor, params };
  }

  /** An educator and their own pages. */
  async function ofThemselves(actor: Actor, params: Record<string, string>) {
    const isEducator = actor.kind === 'educator' || actor.kind === 'rival';
    const educator = isEducator ? actor : await world.one('educator');
    return { actor: educator, params: { ...params, educatorId: educator.id as string } };
  }

  /** Returns a valid request. `share` is the fraction of optional fields that it has. */
  async function good(operation: DescribedOperation, given: Ingredients = {}, share = 0.3): Promise<Good> {
    const { actor, params } = await pathOf(operation, given);
    const query = new URLSearchParams();
    for (const { name, required, schema } of parametersOf(operation, 'query')) {
      if (name === 'page' && happens(0.8)) continue;
      if (required || happens(share)) query.set(name, String(valid(schema, name)).slice(0, MAX_QUERY_TEXT));
    }
    for (const [name, value] of Object.entries(given.query ?? {})) query.set(name, value);
    const schema = bodySchemaOf(operation);
    const body = given.body ?? (schema && valid(schema, '', share));
    const parts = { params, query, body };
    return {
      operation,
      actor,
      method: operation.method,
      headers: given.headers ?? {},
      what: '',
      ...parts,
      ...spelled(operation, parts),
    };
  }

  /** Returns a request with one mutation. */
  async function mutatedRequest(operation: DescribedOperation): Promise<Sent> {
    const request = await good(operation, {}, 0.6);
    const { params, query, body } = request;
    const schema = bodySchemaOf(operation);
    const names = parametersOf(operation, 'query').map(({ name }) => name);
    const ways: (() => void)[] = [
      async () => {
        request.actor = await world.one(pick(KINDS));
        request.what = `as ${request.actor.kind}`;
      },
    ];
    if (body !== undefined && schema) {
      const spoil = (): void => {
        request.what = mutations.body(body, schema);
        if (happens(0.2)) request.what += `, ${mutations.body(body, schema)}`;
      };
      ways.push(spoil, spoil, spoil, spoil, spoil);
    }
    if (names.length > 0 || happens(0.2)) {
      ways.push(() => {
        request.what = mutations.query(query, names);
      });
    }
    const [param] = Object.keys(params);
    if (param !== undefined) {
      ways.push(() => {
        params[pick(Object.keys(params))] = mutations.segment();
        request.what = 'another id';
      });
    }
    await pick(ways)();
    Object.assign(request, spelled(operation, { params, query, body }));
    if (happens(0.06)) mutateHttp(request);
    return request;
  }

  /** Mutates the HTTP of a request: its text, its content type, its method or its credentials. */
  function mutateHttp(request: Sent): void {
    const odd: [string, () => void][] = [
      [
        'another text',
        () => {
          request.text = mutations.text();
        },
      ],
      [
        'another type',
        () => {
          request.headers = { ...request.headers, 'content-type': mutations.contentType() };
        },
      ],
      [
        'another method',
        () => {
          request.method = pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
        },
      ],
      [
        'a bad token',
        () => {
          request.headers = { ...request.headers, authorization: 'Bearer x.y.z' };
        },
      ],
      [
        'a bad key',
        () => {
          request.headers = { ...request.headers, 'x-api-key': 'pk_x' };
        },
      ],
      [
        'a coding',
        () => {
          request.headers = { ...request.headers, 'content-encoding': 'gzip' };
        },
      ],
      [
        'a bad idempotency key',
        () => {
          request.headers = { ...request.headers, 'idempotency-key': 'a b' };
        },
      ],
    ];
    const [what, change] = pick(odd);
    change();
    request.what += ` with ${what}`;
  }

  return { good, spoiled: mutatedRequest };
}

/** Returns the path and the text of a request. */
function spelled(
  { path, method }: DescribedOperation,
  { params, query, body }: Parts,
): { path: string; text: string | undefined } {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodedOnce(params[name] as string));
  const search = query.size > 0 ? `?${query}` : '';
  const hasText = body !== undefined || (method !== 'GET' && method !== 'DELETE');
  return { path: filled + search, text: hasText ? JSON.stringify(body ?? {}) : undefined };
}

/** Hostile segments are sent unchanged; characters that HTTP cannot carry are encoded. */
const encodedOnce = (segment: string): string =>
  segment.replaceAll(/[^!-~]|[/?#\\]/gu, (part) => encodeURIComponent(part));
