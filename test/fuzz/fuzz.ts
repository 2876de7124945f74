import { type DescribedOperation, describedOperations } from '../support/api-contract.ts';
import { seeded } from '../support/chance.ts';
import type { TestPlatform } from '../support/platform.ts';
import type { Budget } from './budget.ts';
import { mutationsOf } from './mutations.ts';
import { poolOf } from './pool.ts';
import { RECIPES } from './recipes/index.ts';
import { type Good, requestsOf } from './requests.ts';
import { sender } from './sending.ts';
import { ofSdk, throughSdk } from './through-sdk.ts';
import { valuesOf } from './values.ts';
import { worldOf } from './world.ts';

const ROUNDS = 8;
const MEND_EVERY = 100;
const MAX_FAULTS = 50;

const isDeletion = ({ method }: DescribedOperation): boolean => method === 'DELETE';

/**
 * Generates requests from the description and checks each response against it: first one request for each operation
 * until the SDK has succeeded with it, then valid, mutated, concurrent and repeated ones in turn.
 */
export async function fuzz(platform: TestPlatform, { seed, requests: most, seconds }: Budget) {
  const chance = seeded(seed);
  const pool = poolOf(chance);
  const world = worldOf(platform, chance);
  const valid = valuesOf(chance, pool);
  const requests = requestsOf({ world, chance, pool, valid, mutations: mutationsOf(chance, pool) });
  const operations = describedOperations();
  const { send, note, count, granted, refusals, writes, faults } = sender(world, pool);
  const until = Date.now() + seconds * 1_000;
  /** The operations that have succeeded through the SDK. */
  const called = new Set<string>();

  /** Sends a valid request, through the SDK until the operation has succeeded there once. */
  function ask(request: Good): Promise<void> {
    const { id } = request.operation;
    if (called.has(id) || !ofSdk.includes(id)) return send(request);
    return send(request, async () => {
      const answer = await throughSdk(request);
      if (answer.status < 400) called.add(id);
      return answer;
    });
  }

  /** Sends valid requests through the SDK until each operation has succeeded once. */
  async function tour(): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      await world.mend();
      const left = operations.filter(({ id }) => !granted.has(id));
      // A deleted record can no longer be requested.
      for (const operation of left.toSorted((a, b) => Number(isDeletion(a)) - Number(isDeletion(b)))) {
        try {
          const ingredients = await RECIPES[operation.id]?.(world);
          const request = await requests.good(operation, ingredients, ingredients ? 0 : round * 0.15);
          await ask(request);
        } catch (error) {
          note(error);
          refusals.set(operation.id, `the recipe: ${(error as Error).message}`);
        }
      }
    }
  }

  /** Recipes take many requests; without them a valid request may name a missing record. */
  async function good(operation: DescribedOperation): Promise<Good> {
    const recipe = chance.happens(0.05) ? RECIPES[operation.id] : undefined;
    try {
      return await requests.good(operation, await recipe?.(world));
    } catch (error) {
      // Other requests may have removed a record that the recipe needs.
      note(error);
      return requests.good(operation);
    }
  }

  /** Sends a request, or two concurrent ones for the same operation, of which the second may repeat the first. */
  async function attack(): Promise<void> {
    const operation = chance.pick(operations);
    const whole = chance.happens(0.35) ? await good(operation) : undefined;
    const first = whole ?? (await requests.spoiled(operation));
    if (operation.is['x-idempotent'] && chance.happens(0.5))
      first.headers = { ...first.headers, 'idempotency-key': `key-${chance.below(20)}` };
    if (chance.happens(0.85)) return whole ? ask(whole) : send(first);
    const second = chance.happens(0.5) ? first : await good(operation);
    await Promise.all([send(first), send({ ...second, what: `${second.what}, two at once` })]);
  }

  await tour();
  for (let round = 0; count() < most && Date.now() < until && faults.length < MAX_FAULTS; round++) {
    if (round % MEND_EVERY === 0) {
      await world.mend();
      // The allowances of members refill each minute.
      platform.clock.advance(61_000);
    }
    await attack();
  }
  const unreached = operations.filter(({ id }) => !granted.has(id));
  /** Returns the operations of operators of which the audit log has no entry, although they succeeded. */
  async function unrecorded(): Promise<string[]> {
    const found = await platform.database.all<{ requestId: string }>(
      `select distinct request_id as "requestId" from kernel.audit_entry where request_id = any($1)`,
      [[...writes.values()].flat()],
    );
    const recorded = new Set(found.map(({ requestId }) => requestId));
    return [...writes].filter(([, ids]) => !ids.some((id) => recorded.has(id))).map(([id]) => id);
  }

  return {
    count: count(),
    granted,
    faults,
    unrecorded: await unrecorded(),
    uncalled: ofSdk.filter((id) => !called.has(id)),
    unreached: unreached.map(({ id }) => `${id}: ${refusals.get(id)}`),
  };
}
