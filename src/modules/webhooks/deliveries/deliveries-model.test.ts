import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  fundWalletAsAdmin,
  replayWebhooks,
  rotateWebhookSecret,
  testWebhookEndpoint,
  updateWebhookEndpoint,
  verifyWebhook,
} from '../../../../sdk/src/index.ts';
import { until } from '../../../../test/support/live.ts';
import { startPlatform } from '../../../../test/support/platform.ts';
import { endpointsOf, type ReceivedRequest } from '../../../../test/support/webhooks.ts';
import { HOUR_MS, SECOND_MS } from '../../../kernel/time/time.ts';

// Compares random sequences of actions by administrators, receivers and the clock with a simple model: an endpoint
// receives everything that happened since it was registered, numbered without gaps.

const platform = await startPlatform({ LOG_LEVEL: 'silent' });
let { admin } = platform;
const registered = endpointsOf(() => admin);
const member = await platform.newMemberWith(1);

type Mood = 'ok' | 'refuse' | 'hang' | 'cut off';

const which = fc.nat({ max: 2 });
const of = <Kind extends string>(kind: Kind) => fc.record({ kind: fc.constant(kind), which });
const command = fc.oneof(
  { weight: 6, arbitrary: of('event') },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('create' as const), which, ordered: fc.boolean() }) },
  { weight: 1, arbitrary: of('delete') },
  { weight: 2, arbitrary: of('disable') },
  { weight: 2, arbitrary: of('enable') },
  { weight: 1, arbitrary: of('rotate') },
  { weight: 2, arbitrary: of('test') },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('replay' as const), which, from: fc.nat({ max: 5 }) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('mood' as const),
      which,
      mood: fc.constantFrom<Mood>('ok', 'refuse', 'hang', 'cut off'),
    }),
  },
  { weight: 2, arbitrary: of('time') },
);
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

/** An endpoint, its state in the model, and its receiver. */
async function newActor(ordered: boolean) {
  const endpoint = await registered({ types: ['wallet.funded'], ordered });
  let mood: Mood = 'ok';
  const held: ServerResponse[] = [];
  const faults: string[] = [];
  const answered = new Set<number>();
  const bodies = new Map<number, string>();
  const actor = {
    endpoint,
    ordered,
    faults,
    bodies,
    isEnabled: true,
    secrets: [endpoint.secret],
    /**
     * The deliveries that the endpoint must receive: ids of transactions in order, and of tests, which wait for no
     * earlier event.
     */
    expected: [] as string[],
    replayedFrom: Number.POSITIVE_INFINITY,
    newest: undefined as ReceivedRequest | undefined,
    rotatedMs: 0,
    be(next: Mood): void {
      mood = next;
      if (mood !== 'hang') for (const response of held.splice(0)) response.writeHead(503).end();
    },
  };
  const check = async ({ headers, body, event }: ReceivedRequest): Promise<void> => {
    const { sequence } = event;
    assert.equal(body, bodies.get(sequence) ?? body, 'the same number, another body');
    bodies.set(sequence, body);
    if (ordered)
      for (let before = 1; before < sequence; before++)
        assert.ok(answered.has(before), `${sequence} came before ${before} was answered`);
    if (headers['webhook-replay']) assert.ok(sequence >= actor.replayedFrom, `${sequence} is no replay`);
    const atMs = Number(headers['webhook-timestamp']) * SECOND_MS;
    const signatures = actor.secrets.map((secret) =>
      verifyWebhook(body, headers as Record<string, string>, secret, atMs),
    );
    await Promise.any(signatures);
  };
  endpoint.now.answer = (got, response) => {
    actor.newest = got;
    check(got).catch((error) => faults.push(String(error)));
    if (mood === 'hang') return void held.push(response);
    if (mood === 'cut off') return void response.destroy();
    if (mood === 'ok') answered.add(got.event.sequence);
    response.writeHead(mood === 'ok' ? 204 : 503).end();
  };
  return actor;
}
type Actor = Awaited<ReturnType<typeof newActor>>;

async function passTime(ms: number): Promise<void> {
  platform.clock.advance(ms);
  admin = await platform.signInAdmin();
}

async function act(actors: Actor[], one: Command): Promise<void> {
  if (one.kind === 'time') return passTime(40 * SECOND_MS);
  if (one.kind === 'event') {
    const { data } = await admin.call(fundWalletAsAdmin, { body: { userId: member.id, amount: 1 } });
    for (const { expected } of actors) expected.push(data.transaction.transactionId);
    return;
  }
  if (one.kind === 'create') {
    if (actors.length >= 3) return;
    // An endpoint also receives events published just before its creation if they have not been relayed yet.
    await until(async () => (await platform.metric('outbox_events')) === 0, 'an empty outbox');
    actors.push(await newActor(one.ordered));
    return;
  }
  const actor = actors[one.which % Math.max(actors.length, 1)];
  if (!actor) return;
  const { endpoint, expected, secrets } = actor;
  const { params } = endpoint;
  switch (one.kind) {
    case 'delete':
      actors.splice(actors.indexOf(actor), 1);
      actor.be('ok');
      return void (await endpoint.remove());
    case 'disable':
    case 'enable':
      actor.isEnabled = one.kind === 'enable';
      return void (await admin.call(updateWebhookEndpoint, { params, body: { enabled: actor.isEnabled } }));
    case 'rotate': {
      const { status, data } = await admin.attempt(rotateWebhookSecret, { params });
      const isTooEarly = platform.clock.now() - actor.rotatedMs < 10 * SECOND_MS;
      assert.equal(status, isTooEarly ? 409 : 200);
      if (isTooEarly) return;
      actor.rotatedMs = platform.clock.now();
      return void secrets.unshift((data as { secret: string }).secret);
    }
    case 'mood':
      return actor.be(one.mood);
    case 'test': {
      const { status, data } = await admin.attempt(testWebhookEndpoint, { params });
      assert.equal(status, actor.isEnabled ? 202 : 409);
      if (data) expected.push((data as { eventId: string }).eventId);
      return;
    }
    case 'replay': {
      const fromSequence = 1 + one.from;
      actor.replayedFrom = Math.min(actor.replayedFrom, fromSequence);
      const { data } = await admin.call(replayWebhooks, { params, body: { fromSequence } });
      assert.ok(
        data.events <= Math.max(0, expected.length - one.from),
        `${data.events} of ${expected.length}`,
      );
    }
  }
}

/** Makes all receivers work again, and moves the clock until nothing is pending. */
async function heal(actors: Actor[]): Promise<void> {
  for (const actor of actors) {
    actor.be('ok');
    const { params } = actor.endpoint;
    await admin.call(updateWebhookEndpoint, { params, body: { enabled: true } });
  }
  for (const { endpoint, expected } of actors)
    await until(async () => (await endpoint.read()).lastSequence === expected.length, 'the numbers');
  for (const { endpoint } of actors)
    await until(async () => {
      await passTime(HOUR_MS);
      return (await endpoint.read()).pending === 0;
    }, 'the rest');
}

async function judge({ endpoint, expected, bodies, faults, ordered, ...actor }: Actor): Promise<void> {
  const { lastSequence, failed } = await endpoint.read();
  assert.deepEqual([lastSequence, failed, faults], [expected.length, 0, []]);
  const got = expected.map((_, place) => {
    const { id, data } = JSON.parse(bodies.get(place + 1) ?? '{}');
    return data?.transactionId ?? id;
  });
  const isTest = (id: string) => id.startsWith('evt_');
  const [events, tests] = [
    (ids: string[]) => ids.filter((id) => !isTest(id)),
    (ids: string[]) => ids.filter(isTest),
  ];
  assert.deepEqual([events(got), tests(got)], [events(expected), tests(expected)]);
  assert.ok(endpoint.now.most <= (ordered ? 1 : 8), `${endpoint.now.most} under way`);
  const { newest } = actor;
  if (!newest || actor.secrets.length === 1) return;
  await admin.call(testWebhookEndpoint, { params: endpoint.params });
  const isIn = () => endpoint.got.at(-1)?.event.sequence === lastSequence + 1;
  await until(isIn, 'a delivery signed by the newest secret');
  const { body, headers } = endpoint.got.at(-1) as ReceivedRequest;
  const atMs = Number(headers['webhook-timestamp']) * SECOND_MS;
  await verifyWebhook(body, headers as Record<string, string>, actor.secrets[0] as string, atMs);
}

test('whatever endpoints, receivers and time do, each endpoint gets everything, numbered without gaps', {
  timeout: 900_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(command, { minLength: 15, maxLength: 40 }),
      async (ordered, commands) => {
        const actors = [await newActor(ordered)];
        for (const one of commands) await act(actors, one);
        await heal(actors);
        for (const actor of actors) await judge(actor);
        for (const { endpoint } of actors) await endpoint.remove();
      },
    ),
    { numRuns: Number(process.env.MODEL_RUNS ?? 6), endOnFailure: true },
  );
});
